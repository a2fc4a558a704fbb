/** `/v1/refunds`, what a bank takes back by itself, and what can be read of it. https://docs.stripe.com/api/refunds */
import { newId } from '@counterfoil/sandbox/ids.ts';
import {
  endRefund,
  markCharge,
  recordRefund,
  refundable,
  type Sums,
} from '@counterfoil/sandbox/money/movements.ts';
import {
  flag,
  id,
  ignoring,
  list,
  oneOf,
  type ReadFields,
  text,
  whole,
} from '@counterfoil/sandbox/requests/params.ts';
import { type Call, emit, gateway, later, type Route, route, type Work } from './account.ts';
import { referenceOf, updateCharge } from './charges.ts';
import { cards, checkStep } from './data.ts';
import type { Charge, Dispute, Metadata, Refund } from './objects.ts';
import {
  common,
  conflict,
  created,
  invalid,
  isWithin,
  listOf,
  mergeMetadata,
  metadata,
  missing,
  paging,
  visible,
} from './wire.ts';

const base = '/v1/refunds';
const pendingMs = 3000;

const createFields = {
  ...common,
  amount: whole(1),
  charge: id(),
  currency: id(),
  ...ignoring('customer instructions_email origin refund_application_fee reverse_transfer'),
  metadata,
  payment_intent: id(),
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
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

/** Task: the bank disputes a charge; `lost` at once when there is no contest, as with debits. */
export function openDispute(
  work: Work,
  about: {
    readonly charge: string;
    readonly reason: string;
    readonly status: Dispute['status'];
    readonly wonAfterMs?: number;
  },
): void {
  const charge = work.account.charges.get(about.charge);
  if (charge === undefined || charge.disputed) return;
  const now = work.host.clock.seconds();
  const id = newId('du');
  const dispute: Dispute = {
    id,
    object: 'dispute',
    amount: charge.amount_captured,
    balance_transactions: [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    evidence: {},
    evidence_details: {
      due_by: now + 7 * 24 * 3600,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    reason: about.reason,
    status: about.status,
  };
  work.tx.put(work.account.disputes, id, dispute);
  updateCharge(work, charge, { disputed: true });
  markCharge(work, charge.id, 'charged-back');
  emit(work, 'charge.dispute.created', dispute);
  emit(work, 'charge.dispute.funds_withdrawn', dispute);
  if (about.wonAfterMs !== undefined) later(work, about.wonAfterMs, 'win-dispute', { dispute: id });
  else if (about.status === 'lost') emit(work, 'charge.dispute.closed', dispute);
}

/** Task: the money comes again after all. */
export function winDispute(work: Work, id: string): void {
  const known = work.account.disputes.get(id);
  if (known === undefined || known.status === 'won') return;
  const dispute: Dispute = { ...known, status: 'won' };
  work.tx.put(work.account.disputes, id, dispute);
  markCharge(work, known.charge, 'captured');
  emit(work, 'charge.dispute.funds_reinstated', dispute);
  emit(work, 'charge.dispute.closed', dispute, { status: known.status });
}

export const recordRoutes: readonly Route[] = [
  route(
    'GET',
    '/v1/charges/:id',
    common,
    (call, _params, ch = '') => {
      const charge = call.account.charges.get(ch);
      if (charge === undefined) throw missing('charge', ch, 'id', true);
      return charge;
    },
    { operation: 'find' },
  ),
  route('GET', '/v1/disputes', { ...paging, charge: id(), created, payment_intent: id() }, (call, params) =>
    listOf(
      '/v1/disputes',
      call.account.disputes,
      params,
      (dispute) =>
        isWithin(dispute.created, params.created) &&
        (params.charge === undefined || dispute.charge === params.charge) &&
        (params.payment_intent === undefined || dispute.payment_intent === params.payment_intent),
    ),
  ),
  route(
    'GET',
    '/v1/events',
    { ...paging, created, type: text(100), types: list(id()), delivery_success: flag },
    (call, params) => {
      const page = listOf(
        '/v1/events',
        call.account.events,
        params,
        (event) =>
          isWithin(event.created, params.created) &&
          (params.type == null || wanted(event.type, [params.type])) &&
          (params.types === undefined || wanted(event.type, params.types)),
      );
      const data = (page['data'] as { readonly json: string }[]).map((event): unknown =>
        JSON.parse(event.json),
      );
      return { ...page, data };
    },
  ),
  route('GET', '/v1/events/:id', common, (call, _params, evt = '') => {
    const event = call.account.events.get(evt);
    if (event === undefined) throw missing('event', evt, 'id', true);
    return JSON.parse(event.json) as object;
  }),
];

function wanted(type: string, patterns: readonly string[]): boolean {
  return patterns.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}

const clausePattern = /^(?:metadata\['([^']+)'\]|(status)):'([^']*)'$/;

/** Clauses `status:'…'` and `metadata['…']:'…'`, joined by AND. @throws {StripeFault} 400 on any other query */
export function searchPayments(call: Call, params: { readonly query: string }): object {
  const clauses = params.query.split(' AND ').map((part) => {
    const match = clausePattern.exec(part.trim());
    if (match === null) throw invalid('We were unable to parse your search query.', 'query');
    return { key: match[1], value: match[3] };
  });
  const visibleBefore = call.host.clock.now() - call.host.settings.searchDelayMs;
  const found = [...call.account.payments.newest()].filter(
    (intent) =>
      intent.created * 1000 <= visibleBefore &&
      clauses.every(({ key, value }) => (key === undefined ? intent.status : intent.metadata[key]) === value),
  );
  return {
    object: 'search_result',
    data: found.slice(0, 10).map((intent) => visible(intent)),
    has_more: false,
    next_page: null,
    url: '/v1/payment_intents/search',
  };
}
