/** What comes after a payment: voids and refunds, and what its transactions say of it later. */
import { moneyToNumber } from '@counterfoil/domain/money/money.ts';
import type {
  Charge,
  GatewayState,
  ListedCharge,
  LookupResult,
  MethodKind,
  Outcome,
  Refund,
  Reversal,
} from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { type Answer, type Nexio, notAttempted } from './client.ts';
import {
  amountOf,
  invoicesFromWire,
  isFailed,
  isSettled,
  isUnsettled,
  isVoided,
  outcomeOf,
  paymentReply,
  type RowReply,
  rowOf,
  rowReply,
  statusOf,
} from './wire.ts';

// ---- Reading transactions ----

/** A payment by its id, as the reporting calls have it. */
export const payment = (api: Nexio, id: string): Promise<Answer<RowReply>> =>
  api.call({ method: 'GET', path: `/transaction/v3/paymentId/${encodeURIComponent(id)}`, schema: rowReply });

const hour = 60 * 60_000;

/** What was sent in the days of an attempt. */
export const daysAround = (sentAt: Date, now: Date): string =>
  [new Date(sentAt.getTime() - hour), new Date(now.getTime() + hour)].map((at) => at.toISOString()).join(',');

export async function collect<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
}

// ---- Refunds ----

const noRefund = (detail: string): Outcome => ({ is: 'notAttempted', why: 'invalid', detail });

/** Voids what is not settled, refunds what is. A payment that only a list has shown has no id, and neither is possible. */
export async function refundWith(api: Nexio, refund: Refund): Promise<Outcome> {
  const { amount, of } = refund;
  const { id } = of.state;
  if (id === undefined) return noRefund('the id of the payment is not known: refund it at the provider');
  const now = await payment(api, id);
  const status = now.is === 'ok' ? statusOf(now.value.transactionStatus) : '';
  if (isVoided(status)) return noRefund('the payment was voided before');
  if (now.is === 'notSent') return notAttempted(now);
  if (now.is === 'refused' && now.why === 'config') return notAttempted(now);
  const isWhole = amount.minor === of.captured.minor && of.refundedBefore.minor === 0n;
  const first = isSettled(status) ? 'refund' : 'void';
  if (first === 'void' && !isWhole) {
    if (isUnsettled(status)) return noRefund('a part can be refunded once the payment is settled');
    return send(api, refund, id, 'refund');
  }
  const outcome = await send(api, refund, id, first);
  // It may have been settled in between.
  const isOther = outcome.is === 'notAttempted' && outcome.why === 'invalid' && isWhole;
  return isOther ? send(api, refund, id, first === 'void' ? 'refund' : 'void') : outcome;
}

async function send(api: Nexio, refund: Refund, id: string, how: 'void' | 'refund'): Promise<Outcome> {
  const { ref, amount } = refund;
  // For those who read the provider's pages: it is searched by nothing.
  const customer = { orderNumber: ref };
  const body = {
    id,
    data: { customer, ...(how === 'refund' && { amount: moneyToNumber(amount) }) },
  };
  const answer = await api.call({ method: 'POST', path: `/pay/v3/${how}`, body, schema: paymentReply });
  switch (answer.is) {
    case 'ok': {
      const status = statusOf(answer.value.transactionStatus);
      const isDone = isVoided(status) || isUnsettled(status) || isSettled(status);
      if (!isDone) return { is: 'unknown', evidence: `${how}: status ${status || '(none)'}` };
      return { is: 'succeeded', remote: remoteId(ref), captured: amount, state: { id } };
    }
    case 'declined':
      return noRefund(answer.detail);
    case 'refused':
      return notAttempted(answer);
    case 'notSent':
      return { is: 'notAttempted', why: 'unreachable', detail: answer.detail };
    case 'unclear':
      return { is: 'unknown', evidence: answer.detail };
  }
}

/** A void shows in the payment itself, a refund in the list: by whose follow-up it is, by its amount and its time. */
export async function lookupRefund(api: Nexio, refund: Refund): Promise<LookupResult> {
  const { of, amount, ref, sentAt } = refund;
  const { id } = of.state;
  if (id === undefined) return { is: 'inconclusive', why: 'the id of the payment is not known' };
  const original = await payment(api, id);
  if (original.is !== 'ok') return { is: 'inconclusive', why: original.detail };
  const done: LookupResult = { is: 'succeeded', remote: remoteId(ref), captured: amount, state: { id } };
  if (isVoided(statusOf(original.value.transactionStatus))) return done;
  const number = String(original.value.id ?? '');
  try {
    const rows = await collect(api.rows({ transactionDate: daysAround(sentAt, api.now()) }));
    const found = rows.some(
      (row) =>
        number !== '' &&
        String(row.originalTransactionId ?? '') === number &&
        !isFailed(statusOf(row.transactionStatus)) &&
        Date.parse(row.transactionDate ?? '') >= sentAt.getTime() - 60_000 &&
        amountOf(row.amount, amount.currency)?.minor === amount.minor,
    );
    return found ? done : { is: 'absent', proven: false };
  } catch (error) {
    return { is: 'inconclusive', why: error instanceof Error ? error.message : 'the list could not be read' };
  }
}

// ---- After the end ----

/** A debit that the bank has returned; nothing else of a payment is shown by it. */
export async function listReversals(api: Nexio, charge: Charge, state: GatewayState) {
  const rows = await collect(api.rows({ 'customer.orderNumber': charge.ref })).catch(() => undefined);
  const answer = state['id'] === undefined ? undefined : await payment(api, state['id']);
  const row = answer?.is === 'ok' ? answer.value : rows && rowOf(rows, charge.ref);
  if (row === undefined) return 'inconclusive' as const;
  const status = statusOf(row.transactionStatus);
  if (!isFailed(status)) return { reversals: [] };
  const reversal: Reversal = {
    kind: 'failed',
    remote: remoteId(`${charge.ref}-returned`),
    of: remoteId(charge.ref),
    amount: charge.amount,
    code: status,
  };
  return { reversals: [reversal] };
}

export async function* listCharges(api: Nexio, since: Date): AsyncIterable<ListedCharge> {
  for await (const row of api.rows({ transactionDate: daysAround(since, api.now()) })) {
    const order = row.customer?.orderNumber ?? '';
    const amount = amountOf(row.amount, api.config.currency);
    if ((row.originalTransactionId ?? '') !== '' || amount === undefined) continue;
    const kind: MethodKind = row.achDetailId ? 'bank' : 'card';
    const id = row.plugin?.originalId;
    // One that is not ours has its number as its name.
    const ref = order === '' ? `txn-${row.id}` : order;
    const outcome = outcomeOf(
      statusOf(row.transactionStatus),
      row.amount,
      { ref, amount, kind },
      { ...(id && { id }) },
    );
    if (outcome.is !== 'succeeded' && outcome.is !== 'pending') continue;
    const { customerRef: customer, invoice } = row.customer ?? {};
    yield {
      ...(isGatewayRef(order) && { ref: order }),
      amount,
      kind,
      at: new Date(row.transactionDate ?? api.now()),
      labels: { ...(customer && { customer }), ...(invoice && { invoice: invoicesFromWire(invoice) }) },
      outcome,
    };
  }
}
