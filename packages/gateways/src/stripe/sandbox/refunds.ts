/** `/v1/refunds`, and what a bank takes back by itself. https://docs.stripe.com/api/refunds */

import { newId } from '@counterfoil/sandbox/ids.ts';
import {
  endRefund,
  markCharge,
  recordRefund,
  refundable,
  type Sums,
} from '@counterfoil/sandbox/money/movements.ts';
import { id, ignored, oneOf, type ReadFields, whole } from '@counterfoil/sandbox/params.ts';
import { type Call, gateway, later, type Work } from './account.ts';
import { cards } from './cards.ts';
import { referenceOf, updateCharge } from './charging.ts';
import { checkStep } from './currency.ts';
import { conflict, invalid, missing } from './errors.ts';
import { emit } from './events.ts';
import { common, created, isWithin, listOf, mergeMetadata, metadata, paging } from './lists.ts';
import type { Charge, Refund } from './money-objects.ts';
import type { Metadata } from './objects.ts';

import { type Route, route } from './route.ts';

const base = '/v1/refunds';
const pendingMs = 3000;

const createFields = {
  ...common,
  amount: whole(1),
  charge: id(),
  currency: id(),
  customer: ignored,
  instructions_email: ignored,
  metadata,
  origin: ignored,
  payment_intent: id(),
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
  refund_application_fee: ignored,
  reverse_transfer: ignored,
};

const sumsOf = (charge: Charge): Sums => ({
  movement: charge.id,
  taken: charge.amount_captured,
  refunded: charge.amount_refunded,
});

function chargeOf(call: Call, params: ReadFields<typeof createFields>): Charge {
  if (params.charge !== undefined) {
    const charge = call.account.charges.get(params.charge);
    if (charge === undefined) throw missing('charge', params.charge, 'charge');
    return charge;
  }
  if (params.payment_intent === undefined) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  }
  const intent = call.account.payments.get(params.payment_intent);
  if (intent === undefined) throw missing('payment_intent', params.payment_intent, 'payment_intent');
  const charge = call.account.charges.get(intent.latest_charge ?? '');
  if (charge === undefined || intent.status === 'requires_payment_method') {
    throw conflict(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  }
  return charge;
}

function create(call: Call, params: ReadFields<typeof createFields>): Refund {
  const charge = chargeOf(call, params);
  if (!charge.captured || !charge.paid) {
    throw conflict(`This charge (${charge.id}) has not been captured. Cancel its PaymentIntent instead.`);
  }
  const remaining = refundable(sumsOf(charge));
  if (remaining === 0) {
    throw conflict(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  }
  const amount = params.amount ?? remaining;
  if (amount > remaining) {
    throw conflict(`Refund amount (${amount}) is greater than unrefunded amount on charge (${remaining})`, {
      param: 'amount',
    });
  }
  checkStep(amount, charge.currency);
  const kind = call.account.methods.get(charge.payment_method);
  const card = cards.named(kind?.type === 'card' ? kind._behaviour : '');
  const isPending = kind?.type !== 'card' || card?.refund === 'pending';
  const refund = makeRefund(call, charge, amount, {
    metadata: mergeMetadata({}, params.metadata),
    reason: params.reason ?? null,
    status: isPending ? 'pending' : 'succeeded',
  });
  if (isPending) later(call, pendingMs, 'finish-refund', { refund: refund.id, status: 'succeeded' });
  if (card?.refund === 'failing')
    later(call, pendingMs, 'finish-refund', { refund: refund.id, status: 'failed' });
  return refund;
}

/** Writes a refund with its events and takes it off the charge. */
function makeRefund(
  work: Work,
  before: Charge,
  amount: number,
  how: { readonly metadata: Metadata; readonly reason: string | null; readonly status: Refund['status'] },
): Refund {
  const re = newId(before.id.startsWith('py_') ? 'pyr' : 're');
  const refund: Refund = {
    id: re,
    object: 'refund',
    amount,
    balance_transaction: newId('txn'),
    charge: before.id,
    created: work.host.clock.seconds(),
    currency: before.currency,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: how.metadata,
    payment_intent: before.payment_intent,
    reason: how.reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: how.status,
    transfer_reversal: null,
  };
  work.tx.put(work.account.refunds, re, refund);
  const taken = {
    gateway,
    reference: referenceOf(how.metadata) ?? work.idempotencyKey,
    idempotencyKey: work.idempotencyKey,
    metadata: how.metadata,
    remote: before.payment_intent,
    movement: re,
    account: work.account.id,
    minor: amount,
    currency: before.currency.toUpperCase(),
  };
  const amount_refunded = recordRefund(work, sumsOf(before), taken, how.status === 'pending');
  const refunded = amount_refunded === before.amount_captured;
  const charge = updateCharge(work, before, { amount_refunded, refunded });
  emit(work, 'refund.created', refund);
  emit(work, 'charge.refunded', charge, { amount_refunded: before.amount_refunded });
  return refund;
}

/** Task: a refund that was under way succeeds, or comes back. */
export function finishRefund(work: Work, re: string, status: 'succeeded' | 'failed'): void {
  const known = work.account.refunds.get(re);
  const charge = known && work.account.charges.get(known.charge);
  if (known === undefined || charge === undefined || known.status === status) return;
  const failed = status === 'failed';
  const refund: Refund = {
    ...known,
    status,
    ...(failed ? { failure_reason: 'expired_or_canceled_card' } : {}),
  };
  work.tx.put(work.account.refunds, re, refund);
  const amount_refunded = endRefund(work, sumsOf(charge), { movement: re, minor: known.amount }, failed);
  if (failed) updateCharge(work, charge, { amount_refunded, refunded: false });
  emit(work, failed ? 'refund.failed' : 'refund.updated', refund, { status: known.status });
}

/** Task: the gateway takes back, unasked, a payment it had reported as good. */
export function selfVoid(work: Work, chargeId: string): void {
  const charge = work.account.charges.get(chargeId);
  if (charge === undefined || charge.refunded) return;
  makeRefund(work, charge, refundable(sumsOf(charge)), {
    metadata: {},
    reason: null,
    status: 'succeeded',
  });
  markCharge(work, chargeId, 'voided');
}

export const refundRoutes: readonly Route[] = [
  route('POST', base, createFields, create, { operation: 'refund' }),
  route(
    'GET',
    base,
    { ...paging, charge: id(), created, payment_intent: id() },
    (call, params) =>
      listOf(
        base,
        call.account.refunds,
        params,
        (refund) =>
          isWithin(refund.created, params.created) &&
          (params.charge === undefined || refund.charge === params.charge) &&
          (params.payment_intent === undefined || refund.payment_intent === params.payment_intent),
      ),
    { operation: 'find' },
  ),
  route(
    'GET',
    `${base}/:id`,
    common,
    (call, _params, re = '') => {
      const refund = call.account.refunds.get(re);
      if (refund === undefined) throw missing('refund', re, 'id', true);
      return refund;
    },
    { operation: 'find' },
  ),
];
