import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import { BulkStatus } from '@counterfoil/domain/paying/bulk-pay.ts';
import type { PayState } from '@counterfoil/domain/paying/pay-state.ts';
import { memoryStorage } from '../../lib/session/session-store.ts';
import { PaymentFlow } from '../payment-flow.ts';
import {
  type BulkCalls,
  type BulkFlow,
  type BulkSubmission,
  type BulkView,
  bulkPayment,
} from './bulk-payment.ts';
import { createBulkRequests } from './bulk-requests.ts';

type Attempt = NonNullable<PaymentIntent['attempt']>;

/** Three invoices with a fee for each kind of method and a credit; a test states only what matters to it. */
export const intentOf = (over: Partial<PaymentIntent> = {}): PaymentIntent => ({
  id: 'id-1',
  sessionId: 'session-0123456789abcdef',
  status: BulkStatus.LOADED,
  error: null,
  companyName: 'Northline Telecom',
  currency: 'USD',
  currencySymbol: '$',
  total: 2362.91,
  adjustmentsTotal: 20,
  invoices: [
    { invoiceNumber: 'INV-20431', invoiceAmount: 1284.16, invoiceId: 'i-1' },
    { invoiceNumber: 'INV-20418', invoiceAmount: 486.3, invoiceId: 'i-2' },
    { invoiceNumber: 'INV-20398', invoiceAmount: 612.45, invoiceId: 'i-3' },
    { invoiceNumber: 'CARD_FEE', invoiceAmount: 35.44, invoiceId: null },
    { invoiceNumber: 'BANK_FEE', invoiceAmount: 2, invoiceId: null },
  ],
  partPayment: null,
  email: null,
  receiptOf: null,
  attempt: null,
  ...over,
});

export const attemptOf = (status: Attempt['status'], over: Partial<Attempt> = {}): Attempt => ({
  status,
  reference: 'REF1',
  amount: 2398.35,
  method: 'Visa ending 4242',
  at: '2026-11-21T14:03:00.000Z',
  ...over,
});

/** The session after a try with that end. */
export const ended = (
  status: Attempt['status'],
  over: Partial<Attempt> = {},
  more: Partial<PaymentIntent> = {},
): PaymentIntent => {
  const statuses = {
    succeeded: BulkStatus.PAID,
    failed: BulkStatus.FAILED,
    processing: BulkStatus.BEING_CONFIRMED,
    requires_action: BulkStatus.LOADED,
  };
  return intentOf({ status: statuses[status], attempt: attemptOf(status, over), ...more });
};

export const submission: BulkSubmission = {
  fields: { cardId: 'c-1', type: 1 },
  method: 'Visa ending 4242',
  amount: '2398.35',
};

type Answers<T> = readonly (T | Error)[];

export interface Script {
  readonly create?: Answers<PaymentIntent>;
  readonly read?: Answers<PaymentIntent>;
  readonly pay?: Answers<Awaited<ReturnType<BulkCalls['pay']>>>;
  readonly confirm?: Answers<Awaited<ReturnType<BulkCalls['confirm']>>>;
}

/** The codes of the specification (payments §4) by which the states of a payment are known. */
const statuses: Readonly<Record<PayState, BulkStatus>> = {
  invalid: BulkStatus.IDLE,
  loading: BulkStatus.REQUESTED,
  loadFailed: BulkStatus.REQUESTED,
  form: BulkStatus.LOADED,
  submitting: BulkStatus.LOADED,
  requiresAction: BulkStatus.LOADED,
  success: BulkStatus.PAID,
  paid: BulkStatus.PAID,
  failed: BulkStatus.FAILED,
  confirming: BulkStatus.BEING_CONFIRMED,
  submitted: BulkStatus.BEING_CONFIRMED,
  credited: BulkStatus.IDLE,
  notPayable: BulkStatus.IDLE,
  misconfigured: BulkStatus.FAILED,
};
const statusOf = ({ state }: Pick<BulkView, 'state'>): BulkStatus => statuses[state];

/** What a page draws from, with the code of the specification beside it. */
export const viewOf = (flow: BulkFlow) => ({ ...flow.view(), status: statusOf(flow.view()) });

/** Payments whose server answers from a script (the last answer repeats) and whose time passes at once. */
export function scripted(script: Script) {
  let keys = 0;
  const seen = {
    creates: [] as object[],
    reads: [] as string[],
    pays: [] as { readonly body: object; readonly key: string }[],
    confirms: [] as object[],
    statuses: [] as number[],
    waits: [] as number[],
    went: [] as string[],
    announced: 0,
    changes: 0,
  };
  const answer = <T>(list: Answers<T> | undefined, call: number): Promise<T> => {
    const found = list?.[Math.min(call, list.length - 1)];
    if (found === undefined) throw new Error('the script has no answer');
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  const storage = memoryStorage();
  const requests = createBulkRequests({ storage, customerId: 'customer-1', newId: () => 'id-1' });
  const waiter = {
    wait: (ms: number) => {
      seen.waits.push(ms);
      // A flow that never ends must not hang a test.
      return seen.waits.length > 200 ? new Promise<void>(() => undefined) : Promise.resolve();
    },
    wake: () => undefined,
  };
  const calls: BulkCalls = {
    create: (body) => answer(script.create, seen.creates.push(body) - 1),
    read: (id) => answer(script.read, seen.reads.push(id) - 1),
    pay: (body, key) => answer(script.pay, seen.pays.push({ body, key }) - 1),
    confirm: (body) => answer(script.confirm, seen.confirms.push(body) - 1),
  };
  /** The payment of the request with that id, or of the page the payer comes back to. */
  const paymentOf = (id: string | undefined) => {
    const payment = bulkPayment({ id, calls, requests, onChanged: () => void seen.changes++ });
    const flow: BulkFlow = new PaymentFlow(payment, {
      waiter,
      watch: { announce: () => void seen.announced++ },
      now: () => new Date('2026-11-21T14:03:00.000Z'),
      newKey: () => `key-${++keys}`,
      go: (url) => void seen.went.push(url),
    });
    flow.subscribe(() => {
      const status = statusOf(flow.view());
      if (seen.statuses.at(-1) !== status) seen.statuses.push(status);
    });
    const reprice = (amount: string | undefined) =>
      flow.reprice((intent) => payment.repriced(intent, amount));
    return { flow, reprice, seen, requests };
  };
  return { seen, requests, paymentOf };
}

/** A payment that the payer comes back to from the bank. */
export const returnedFlow = (script: Script) => scripted(script).paymentOf(undefined);

/** A flow that has begun to pay three invoices. @param sessionId the server's, where it is known already */
export async function begunFlow(script: Script, sessionId?: string) {
  const { requests, paymentOf } = scripted(script);
  const id = requests.begin(['i-1', 'i-2', 'i-3']);
  if (sessionId !== undefined) requests.keep(id, sessionId);
  const made = paymentOf(id);
  await made.flow.start();
  return { ...made, id };
}

/** A flow that has loaded three invoices. */
export const loadedFlow = (script: Script = {}) => begunFlow({ create: [intentOf()], ...script });
