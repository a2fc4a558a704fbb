import type { BulkPayRequest, NewIntent, PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { ConfirmationRequest, PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { BulkStatus, eventOfBulkStatus } from '@counterfoil/domain/paying/bulk-pay.ts';
import type { PayEvent } from '@counterfoil/domain/paying/pay-state.ts';
import { isRefusedItself } from '../outcome/failure.ts';
import type { Payable } from '../payable.ts';
import type { PaymentFlow } from '../payment-flow.ts';
import { eventOfAttempt, outcomeOfAttempt, sentOutcome } from '../readings.ts';
import type { PaymentView } from '../view.ts';
import type { BulkRequests } from './bulk-requests.ts';
import { stillDueOf } from './intent-rows.ts';

/** The calls of a bulk payment; all reject with `ApiError`. */
export interface BulkCalls {
  readonly create: (body: NewIntent) => Promise<PaymentIntent>;
  readonly read: (sessionId: string) => Promise<PaymentIntent>;
  readonly pay: (body: BulkPayRequest, idempotencyKey: string) => Promise<PayAnswer>;
  readonly confirm: (body: ConfirmationRequest) => Promise<PayAnswer>;
}

/** What Pay was pressed with. */
export interface BulkSubmission {
  /** A saved method, a new card's token with what was typed beside it, or neither where credit pays all. */
  readonly fields: Omit<BulkPayRequest, 'uid'>;
  /** 'Visa ending 4242', where it is known before the gateway says it. */
  readonly method: string | undefined;
  /** Decimal text of the total that was shown, fee included. */
  readonly amount: string;
}

interface BulkParts {
  /** Of the request in this tab; undefined on the page the payer comes back to from the bank. */
  readonly id: string | undefined;
  readonly calls: BulkCalls;
  readonly requests: Pick<BulkRequests, 'find' | 'keep' | 'end' | 'reset'>;
  /** What the caches hold about invoices and balances is not true any more. */
  readonly onChanged: () => void;
}

export type BulkFlow = PaymentFlow<PaymentIntent, BulkSubmission>;
export type BulkView = PaymentView<PaymentIntent>;

/** Invoices paid together. */
export interface BulkPayment extends Payable<PaymentIntent, BulkSubmission> {
  /** The same payment with another amount, as a session of its own. @param amount undefined: all that is due */
  readonly repriced: (intent: PaymentIntent, amount: string | undefined) => Promise<PaymentIntent>;
}

/** A bulk payment as the flow pays it: its session at the server, and the request that this tab has begun. */
export function bulkPayment({ id, calls, requests, onChanged }: BulkParts): BulkPayment {
  const request = requests.find(id);
  /** The server's session, as far as it is known. */
  let session = request?.sessionId ?? undefined;
  const keep = (intent: PaymentIntent): PaymentIntent => {
    session = intent.sessionId;
    requests.keep(intent.id, intent.sessionId);
    return intent;
  };
  return {
    async load() {
      if (request === undefined) return undefined;
      const { invoiceIds } = request;
      const intent = await (session === undefined
        ? calls.create({ invoiceIds: [...invoiceIds], id: request.id })
        : calls.read(session));
      return intent.id === request.id ? keep(intent) : undefined;
    },
    read: async () => keep(await calls.read(session ?? '')),
    confirm(returned) {
      session ??= returned.reqUid;
      return calls.confirm(returned);
    },
    askedAbout: () => ({ reqUid: session ?? '' }),
    prepare: ({ fields, method, amount }, intent) => ({
      send: (key) => calls.pay({ uid: intent.sessionId, ...fields }, key),
      outcome: sentOutcome(amount, method),
      receiptTo: fields.email ?? intent.email ?? undefined,
    }),
    readingOf: (intent) => ({
      event: eventOfIntent(intent),
      attempt: intent.attempt
        ? {
            status: intent.attempt.status,
            expected: intent.attempt.expected,
            outcome: outcomeOfAttempt(intent.attempt),
          }
        : undefined,
      due: String(intent.total),
      stillDue: stillDueOf(intent),
      receiptTo: intent.email ?? undefined,
    }),
    afterLoadFailure: (error) => (isRefusedItself(error) ? 'invalidIntent' : 'loadFailed'),
    afterRefusal: (code) => (code === 'payment.quoteChanged' ? 'priceChanged' : undefined),
    isReread: true,
    hasForm: id !== undefined,
    overlayMs: 0,
    onState(state) {
      if (state === 'invalid' && request === undefined) return requests.reset();
      if (state === 'invalid') requests.end(request?.id ?? '');
      if (state === 'success' || state === 'failed') requests.end(session ?? '');
      if (changing.has(state)) onChanged();
    },
    async repriced({ id, invoices }, amount) {
      const invoiceIds = invoices.flatMap(({ invoiceId }) => invoiceId ?? []);
      return keep(await calls.create({ id, invoiceIds, ...(amount === undefined ? {} : { amount }) }));
    },
  };
}

/** States in which something became of the invoices. */
const changing: ReadonlySet<string> = new Set(['invalid', 'confirming', 'submitted', 'success', 'failed']);

/** A declined try is over; the session it was made in may be paid by another. */
function eventOfIntent({ attempt, status }: PaymentIntent): PayEvent {
  const decides = attempt !== null && (attempt.status !== 'failed' || status === BulkStatus.FAILED);
  return decides
    ? eventOfAttempt({ status: attempt.status, expected: attempt.expected })
    : eventOfBulkStatus[status];
}
