/** Money moves: charges with their events and the record of what was taken; debits that settle later; refunds; disputes. */
import { newId } from '@counterfoil/sandbox/ids.ts';
import {
  endRefund,
  markCharge,
  recordCharge,
  recordRefund,
  refundable,
  type Sums,
} from '@counterfoil/sandbox/money/movements.ts';
import { id, oneOf, type ReadFields, required, whole } from '@counterfoil/sandbox/requests/params.ts';
import { banks, cards, checkStep, type Decline } from './data.ts';
import { endMandate, liveMandate } from './methods.ts';
import {
  cardError,
  common,
  conflict,
  invalid,
  mergeMetadata,
  metadata,
  paging,
  type StripeFault,
} from './protocol.ts';
import {
  type Call,
  type Charge,
  change,
  changeIntent,
  emit,
  find,
  gateway,
  get,
  type Intent,
  later,
  listOf,
  type Method,
  type Payment,
  put,
  type Refund,
  type Route,
  route,
  visible,
  type Work,
} from './work.ts';

const writeCharge = (work: Work, intent: Payment, method: Method, about: Partial<Charge>): Charge =>
  put(work, {
    id: newId(method.type === 'card' ? 'ch' : 'py'),
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    captured: false,
    currency: intent.currency,
    disputed: false,
    failure_code: null,
    failure_message: null,
    metadata: intent.metadata,
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: method[method.type] },
    refunded: false,
    status: 'failed',
    ...about,
  });

/** What an intent is once no attempt is under way any more. */
export const atRest = { next_action: null, _challenge: null } as const;

/** A method used without a customer is spent. */
function spend(work: Work, { id: pm }: Method): void {
  const method = get(work, 'payment_method', pm);
  if (method?.customer === null) change(work, method, { _spent: true });
}

/** The bank approved a card: authorises, or takes the money, and answers the intent as it is then. */
export function take(work: Work, before: Payment, method: Method): Payment {
  const captured = before.capture_method === 'automatic';
  const amount_captured = captured ? (before._plan.captures ?? before.amount) : 0;
  const about = { status: 'succeeded', paid: true, captured, amount_captured } as const;
  const charge = writeCharge(work, before, method, about);
  spend(work, method);
  const intent = changeIntent(work, before, {
    ...atRest,
    amount_received: amount_captured,
    last_payment_error: null,
    latest_charge: charge.id,
    status: captured ? 'succeeded' : 'requires_capture',
  });
  emit(work, 'charge.succeeded', charge);
  emit(work, `payment_intent.${captured ? 'succeeded' : 'amount_capturable_updated'}`, intent);
  if (captured) recordCapture(work, intent, charge);
  return intent;
}

/** An attempt has failed: the intent says why, and is open for another method. */
export function reopen(work: Work, intent: Intent, error: object, method: Method | undefined): Intent {
  const why = { ...error, payment_method: method && visible(method) };
  const isPayment = intent.object === 'payment_intent';
  const failed = changeIntent(work, intent, {
    ...atRest,
    [isPayment ? 'last_payment_error' : 'last_setup_error']: why,
    payment_method: null,
    status: 'requires_payment_method',
  });
  emit(work, isPayment ? 'payment_intent.payment_failed' : 'setup_intent.setup_failed', failed);
  return failed;
}

/** The bank refused a card: leaves the intent open, writes the failed charge, and gives back the 402 to throw. */
export function refuse(work: Work, before: Intent, method: Method, decline: Decline): StripeFault {
  const { message, ...codes } = decline;
  let [intent, named] = [before, {}];
  if (intent.object === 'payment_intent') {
    const about = { failure_code: decline.code, failure_message: message };
    const charge = writeCharge(work, intent, method, about);
    intent = { ...intent, latest_charge: charge.id };
    named = { charge: charge.id };
    emit(work, 'charge.failed', charge);
  }
  const failed = reopen(work, intent, { type: 'card_error', ...decline, ...named }, method);
  const fields = { ...codes, ...named, [failed.object]: visible(failed), payment_method: visible(method) };
  return cardError(message, fields, true);
}

/** The caller's own reference, under the names in use. */
const referenceOf = (given: Payment['metadata'], key: string | null): string | null =>
  given['ref'] ?? given['attemptId'] ?? key;

/** Records the money a charge took, and schedules what its card, its account or a fault does later. */
function recordCapture(work: Work, intent: Payment, charge: Charge): void {
  const behaviour = get(work, 'payment_method', charge.payment_method)?._behaviour ?? '';
  const taken = {
    gateway,
    reference: referenceOf(intent.metadata, intent._key),
    idempotencyKey: intent._key,
    metadata: intent.metadata,
    remote: intent.id,
    movement: charge.id,
    account: work.account,
    minor: charge.amount_captured,
    currency: charge.currency.toUpperCase(),
  };
  const { disputed } = cards.named(behaviour) ?? {};
  for (const next of recordCharge(work, taken, { plan: intent._plan, disputed })) {
    if (next.task === 'self-void') later(work, next.afterMs, next.task, { charge: charge.id });
    else
      later(work, next.afterMs, next.task, {
        charge: charge.id,
        reason: next.reason,
        ...(next.lost ? { status: 'lost' } : {}),
        ...(next.wonAfterMs === undefined ? {} : { wonAfterMs: String(next.wonAfterMs) }),
      });
  }
}

/** A debit was sent to the bank; its end is a task for later. */
export function startDebit(work: Work, before: Payment, method: Method): Payment {
  const about = { status: 'pending', captured: true, amount_captured: before.amount } as const;
  const charge = writeCharge(work, before, method, about);
  spend(work, method);
  const intent = changeIntent(work, before, {
    ...atRest,
    last_payment_error: null,
    latest_charge: charge.id,
    status: 'processing',
  });
  emit(work, 'payment_intent.processing', intent);
  emit(work, 'charge.pending', charge);
  const { debitMs, delayedDebitMs } = work.host.settings;
  const afterMs = banks.named(method._behaviour)?.delayed ? delayedDebitMs : debitMs;
  later(work, afterMs, 'settle-debit', { payment: intent.id, charge: charge.id });
  return intent;
}

/** Task: the bank's answer to a debit. */
export function settleDebit(work: Work, pi: string, ch: string): void {
  const intent = get(work, 'payment_intent', pi);
  const pending = get(work, 'charge', ch);
  const method = get(work, 'payment_method', pending?.payment_method);
  if (intent?.status !== 'processing' || intent.latest_charge !== ch || !pending || !method) return;
  const { fails, endsMandate } = banks.named(method._behaviour) ?? {};
  if (fails === undefined) {
    const charge = change(work, pending, { status: 'succeeded', paid: true });
    const paid = changeIntent(work, intent, { status: 'succeeded', amount_received: intent.amount });
    emit(work, 'charge.succeeded', charge);
    emit(work, 'payment_intent.succeeded', paid);
    recordCapture(work, paid, charge);
    return;
  }
  const message = `The bank returned the debit: ${fails}.`;
  const failure = { failure_code: fails, failure_message: message };
  const charge = change(work, pending, { status: 'failed', captured: false, amount_captured: 0, ...failure });
  emit(work, 'charge.failed', charge);
  const isSepa = method.type === 'sepa_debit';
  const type = isSepa ? 'invalid_request_error' : 'card_error';
  const code = isSepa ? 'payment_intent_payment_attempt_failed' : fails;
  reopen(work, intent, { type, code, message, charge: ch }, method);
  const mandate = liveMandate(work, method);
  if (endsMandate && mandate !== undefined) endMandate(work, mandate);
}

// ---- `/v1/refunds`. https://docs.stripe.com/api/refunds ----

const refunds = '/v1/refunds';
const pendingMs = 3000;
const createFields = {
  ...common,
  amount: whole(1),
  metadata,
  payment_intent: required(id()),
  reason: oneOf('duplicate', 'fraudulent', 'requested_by_customer'),
};

const sumsOf = (charge: Charge): Sums => ({
  movement: charge.id,
  taken: charge.amount_captured,
  refunded: charge.amount_refunded,
});

function create(call: Call, params: ReadFields<typeof createFields>): Refund {
  const intent = find(call, 'payment_intent', params.payment_intent, 'payment_intent');
  const charge = get(call, 'charge', intent.latest_charge);
  if (!charge?.captured || !charge.paid)
    throw conflict(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`);
  const remaining = refundable(sumsOf(charge));
  const { amount = remaining } = params;
  if (remaining === 0)
    throw conflict(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  if (amount > remaining)
    throw conflict(`Refund amount (${amount}) is greater than unrefunded amount on charge (${remaining})`, {
      param: 'amount',
    });
  checkStep(amount, charge.currency);
  const isPending = charge.payment_method_details['type'] !== 'card';
  const refund = makeRefund(call, charge, amount, {
    metadata: mergeMetadata({}, params.metadata),
    reason: params.reason ?? null,
    status: isPending ? 'pending' : 'succeeded',
  });
  if (isPending) later(call, pendingMs, 'finish-refund', { refund: refund.id });
  return refund;
}

/** Writes a refund with its events and takes it off the charge. */
function makeRefund(
  work: Work,
  before: Charge,
  amount: number,
  how: Pick<Refund, 'metadata' | 'reason' | 'status'>,
): Refund {
  const refund = put(work, {
    id: newId(before.id.startsWith('py_') ? 'pyr' : 're'),
    object: 'refund',
    amount,
    charge: before.id,
    currency: before.currency,
    payment_intent: before.payment_intent,
    ...how,
  });
  const taken = {
    gateway,
    reference: referenceOf(how.metadata, work.idempotencyKey),
    idempotencyKey: work.idempotencyKey,
    metadata: how.metadata,
    remote: before.payment_intent,
    movement: refund.id,
    account: work.account,
    minor: amount,
    currency: before.currency.toUpperCase(),
  };
  const amount_refunded = recordRefund(work, sumsOf(before), taken, how.status === 'pending');
  const charge = change(work, before, {
    amount_refunded,
    refunded: amount_refunded === before.amount_captured,
  });
  emit(work, 'refund.created', refund);
  emit(work, 'charge.refunded', charge, { amount_refunded: before.amount_refunded });
  return refund;
}

/** Task: a refund that was under way has arrived. */
export function finishRefund(work: Work, re: string): void {
  const known = get(work, 'refund', re);
  const charge = get(work, 'charge', known?.charge);
  if (known?.status !== 'pending' || charge === undefined) return;
  const refund = change(work, known, { status: 'succeeded' });
  endRefund(work, sumsOf(charge), { movement: re, minor: known.amount }, false);
  emit(work, 'refund.updated', refund, { status: known.status });
}

/** Task: the gateway takes back, unasked, a payment it had reported as good. */
export function selfVoid(work: Work, ch: string): void {
  const charge = get(work, 'charge', ch);
  if (charge === undefined || charge.refunded) return;
  makeRefund(work, charge, refundable(sumsOf(charge)), { metadata: {}, reason: null, status: 'succeeded' });
  markCharge(work, ch, 'voided');
}

export const refundRoutes: readonly Route[] = [
  route('POST', refunds, createFields, create, { operation: 'refund' }),
  route(
    'GET',
    refunds,
    { ...paging, payment_intent: required(id()) },
    (call, params) =>
      listOf(call, 'refund', params, ({ payment_intent }) => payment_intent === params.payment_intent),
    { operation: 'find' },
  ),
  route('GET', `${refunds}/:id`, common, (call, _params, re) => find(call, 'refund', re), {
    operation: 'find',
  }),
];

// ---- What a bank takes back by itself ----

/** Task: the bank disputes a charge; `lost` at once when there is no contest, as with debits. */
export function openDispute(work: Work, about: Readonly<Record<string, string>>): void {
  const { charge: ch, reason = 'fraudulent', status = 'needs_response', wonAfterMs } = about;
  const charge = get(work, 'charge', ch);
  if (charge === undefined || charge.disputed) return;
  const dispute = put(work, {
    id: newId('du'),
    object: 'dispute',
    amount: charge.amount_captured,
    charge: charge.id,
    currency: charge.currency,
    payment_intent: charge.payment_intent,
    reason,
    status: status === 'lost' ? status : 'needs_response',
  });
  change(work, charge, { disputed: true });
  markCharge(work, charge.id, 'charged-back');
  emit(work, 'charge.dispute.created', dispute);
  emit(work, 'charge.dispute.funds_withdrawn', dispute);
  if (wonAfterMs !== undefined) later(work, Number(wonAfterMs), 'win-dispute', { dispute: dispute.id });
  else if (status === 'lost') emit(work, 'charge.dispute.closed', dispute);
}

/** Task: the money comes again after all. */
export function winDispute(work: Work, du: string): void {
  const known = get(work, 'dispute', du);
  if (known === undefined || known.status === 'won') return;
  const dispute = change(work, known, { status: 'won' });
  markCharge(work, known.charge, 'captured');
  emit(work, 'charge.dispute.funds_reinstated', dispute);
  emit(work, 'charge.dispute.closed', dispute, { status: known.status });
}

// ---- Looking for payments by their metadata ----

const clausePattern = /^(?:metadata\['([^']+)'\]|(status)):'([^']*)'$/;

/** Clauses `status:'…'` and `metadata['…']:'…'`, joined by AND; late. @throws {StripeFault} 400 on any other query */
export function searchPayments(call: Call, { query }: { readonly query: string }): object {
  const clauses = query.split(' AND ').map((part) => {
    const match = clausePattern.exec(part.trim());
    if (match === null) throw invalid('We were unable to parse your search query.', 'query');
    return { key: match[1], value: match[3] };
  });
  const seenBefore = (call.host.clock.now() - call.host.settings.searchDelayMs) / 1000;
  const fits = (intent: Payment): boolean =>
    intent.created <= seenBefore &&
    clauses.every(({ key, value }) => (key === undefined ? intent.status : intent.metadata[key]) === value);
  const found = listOf(call, 'payment_intent', { limit: 10, starting_after: undefined }, fits);
  return { ...found, object: 'search_result', next_page: null };
}
