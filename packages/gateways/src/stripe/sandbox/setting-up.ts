/** The ends of a SetupIntent: saved, refused. */

import { newId } from '@counterfoil/sandbox/ids.ts';
import type { Work } from './account.ts';
import type { Decline } from './cards.ts';
import { StripeFault } from './errors.ts';
import { emit } from './events.ts';
import { grantMandate } from './mandates.ts';
import { attach } from './methods.ts';
import type { PaymentMethod, SetupIntent } from './objects.ts';
import { visible } from './render.ts';

export function updateSetup(work: Work, intent: SetupIntent, change: Partial<SetupIntent>): SetupIntent {
  const next = { ...intent, ...change };
  work.tx.put(work.account.setups, intent.id, next);
  return next;
}

/** The method is saved: with the customer, if the intent has one, and with a mandate, if it is a debit. */
export function finishSetup(work: Work, before: SetupIntent, method: PaymentMethod): SetupIntent {
  const saved = before.customer === null ? method : attach(work, method, before.customer);
  work.tx.put(work.account.methods, saved.id, { ...saved, _authenticated: true, _verified: true });
  const mandate =
    saved.type === 'card' || before._acceptance === null
      ? null
      : grantMandate(work, { ...saved, _authenticated: true, _verified: true }, before._acceptance);
  const intent = updateSetup(work, before, {
    last_setup_error: null,
    latest_attempt: newId('setatt'),
    mandate: mandate?.id ?? null,
    next_action: null,
    status: 'succeeded',
    _challenge: null,
  });
  emit(work, 'setup_intent.succeeded', intent);
  return intent;
}

/** The bank refused to save a card: leaves the intent open and gives back the 402 to throw. */
export function refuseSetup(
  work: Work,
  before: SetupIntent,
  method: PaymentMethod,
  decline: Decline,
): StripeFault {
  const intent = updateSetup(work, before, {
    last_setup_error: { type: 'card_error', ...decline, payment_method: visible(method) },
    latest_attempt: newId('setatt'),
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    _challenge: null,
  });
  emit(work, 'setup_intent.setup_failed', intent);
  const { message, ...fields } = decline;
  return new StripeFault(
    402,
    'card_error',
    message,
    { ...fields, setup_intent: visible(intent), payment_method: visible(method) },
    true,
  );
}
