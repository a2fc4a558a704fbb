/** Mandates: the account holder's consent to debits. https://docs.stripe.com/api/mandates */

import { newId, random } from '@counterfoil/sandbox/ids.ts';
import {
  flag,
  group,
  ignored,
  oneOf,
  type Read,
  required,
  text,
  whole,
} from '@counterfoil/sandbox/params.ts';
import { type Call, later, type Work } from './account.ts';
import { banks } from './banks.ts';
import { emit } from './events.ts';
import type { Acceptance, Mandate, PaymentMethod } from './objects.ts';

const mandateRevisionMs = 2000;

export const mandateData = group({
  customer_acceptance: required(
    group({
      type: required(oneOf('online', 'offline')),
      accepted_at: whole(0),
      online: group({ ip_address: text(), user_agent: text(), infer_from_client: flag }),
      offline: ignored,
    }),
  ),
});

/** The acceptance as it is kept, or `null` when none was given. */
export function acceptanceOf(call: Call, data: Read<typeof mandateData>): Acceptance | null {
  const given = data?.customer_acceptance;
  if (given === undefined) return null;
  const accepted_at = given.accepted_at ?? call.host.clock.seconds();
  if (given.type === 'offline') return { accepted_at, type: 'offline' };
  return {
    accepted_at,
    type: 'online',
    online: {
      ip_address: given.online?.ip_address ?? call.clientIp,
      user_agent: given.online?.user_agent ?? null,
    },
  };
}

/** The method's mandate while it can be used. */
export function liveMandate(work: Work, method: PaymentMethod): Mandate | undefined {
  const mandate = method._mandate === null ? undefined : work.account.mandates.get(method._mandate);
  return mandate?.status === 'inactive' ? undefined : mandate;
}

/** Writes a mandate for the method. Bacs mandates are confirmed by the bank later. */
export function grantMandate(work: Work, method: PaymentMethod, acceptance: Acceptance): Mandate {
  const url = `${work.host.publicUrl}/stripe/mandates/${random(12)}`;
  const mandate: Mandate = {
    id: newId('mandate'),
    object: 'mandate',
    customer_acceptance: acceptance,
    livemode: false,
    multi_use: {},
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: detailsOf(method, url) },
    status: 'active',
    type: 'multi_use',
  };
  work.tx.put(work.account.mandates, mandate.id, mandate);
  work.tx.put(work.account.methods, method.id, { ...currentMethod(work, method), _mandate: mandate.id });
  if (method.type === 'bacs_debit') later(work, mandateRevisionMs, 'bacs-mandate', { mandate: mandate.id });
  return mandate;
}

function currentMethod(work: Work, method: PaymentMethod): PaymentMethod {
  return work.account.methods.get(method.id) ?? method;
}

function detailsOf(method: PaymentMethod, url: string): object {
  switch (method.type) {
    case 'au_becs_debit':
      return { url };
    case 'bacs_debit':
      return { network_status: 'pending', reference: random(10).toUpperCase(), revocation_reason: null, url };
    case 'sepa_debit':
      return { reference: random(16).toUpperCase(), url };
    default:
      return {};
  }
}

/** Ends a mandate: its method cannot be debited any more. */
export function endMandate(work: Work, mandate: Mandate): void {
  if (mandate.status === 'inactive') return;
  const ended: Mandate = { ...mandate, status: 'inactive' };
  work.tx.put(work.account.mandates, mandate.id, ended);
  emit(work, 'mandate.updated', ended, { status: mandate.status });
}

/** Task: the bank's answer to a new Bacs mandate. */
export function answerBacsMandate(work: Work, id: string): void {
  const mandate = work.account.mandates.get(id);
  if (mandate === undefined || mandate.status === 'inactive') return;
  const method = work.account.methods.get(mandate.payment_method);
  const refused = method !== undefined && banks.named(method._behaviour)?.mandateRefused === true;
  const details = mandate.payment_method_details['bacs_debit'];
  const bacs_debit = {
    ...(details instanceof Object ? details : {}),
    network_status: refused ? 'refused' : 'accepted',
    ...(refused ? { revocation_reason: 'could_not_process' } : {}),
  };
  const answered: Mandate = {
    ...mandate,
    payment_method_details: { type: 'bacs_debit', bacs_debit },
    status: refused ? 'inactive' : 'active',
  };
  work.tx.put(work.account.mandates, id, answered);
  emit(work, 'mandate.updated', answered, {
    payment_method_details: mandate.payment_method_details,
    ...(refused ? { status: mandate.status } : {}),
  });
}
