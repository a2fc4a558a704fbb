import type { PaymentIntent } from '@counterfoil/contract/bulk-pay.ts';
import { BulkStatus } from '@counterfoil/domain/bulk-pay.ts';
import { memoryStorage } from '../../lib/session/session-store.ts';
import { BulkFlow } from './bulk-flow.ts';
import type { BulkCalls, BulkSubmission } from './bulk-parts.ts';
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

/** A flow whose server answers from a script (the last answer repeats) and whose time passes at once. */
export function flowOf(script: Script) {
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
  const flow = new BulkFlow({
    calls: {
      create: (body) => answer(script.create, seen.creates.push(body) - 1),
      read: (id) => answer(script.read, seen.reads.push(id) - 1),
      pay: (body, key) => answer(script.pay, seen.pays.push({ body, key }) - 1),
      confirm: (body) => answer(script.confirm, seen.confirms.push(body) - 1),
    },
    requests,
    watch: { announce: () => void seen.announced++ },
    onChanged: () => void seen.changes++,
    waiter: {
      wait: (ms) => {
        seen.waits.push(ms);
        // A flow that never ends must not hang a test.
        return seen.waits.length > 200 ? new Promise(() => undefined) : Promise.resolve();
      },
      wake: () => undefined,
    },
    newKey: () => `key-${++keys}`,
    go: (url) => void seen.went.push(url),
    notSentText: 'The payment did not reach us. Nothing was charged.',
  });
  flow.subscribe(() => {
    const { status } = flow.view();
    if (seen.statuses.at(-1) !== status) seen.statuses.push(status);
  });
  return { flow, seen, requests };
}

/** A flow that has loaded three invoices. */
export async function loadedFlow(script: Script = {}) {
  const made = flowOf({ create: [intentOf()], ...script });
  await made.flow.start(made.requests.begin(['i-1', 'i-2', 'i-3']));
  return made;
}
