import type { PaymentInfo } from '@counterfoil/contract/paying/public-pay.ts';
import { memoryStorage } from '../../lib/session/session-store.ts';
import { emptyDraft } from '../../paying/card/card-draft.ts';
import { entryOf } from '../../paying/entry/test-support.ts';
import { PaymentFlow } from '../../paying/payment-flow.ts';
import { createDraftStore } from './form/draft.ts';
import { type PayCalls, payLink, type Submission } from './link/pay-link.ts';

/** A payable invoice; a test states only what matters to it. */
export const infoOf = (over: Partial<PaymentInfo> = {}): PaymentInfo => ({
  uid: 'link',
  invoiceAmount: '1284.16',
  fee: '19.26',
  total: '1303.42',
  currency: 'USD',
  currencySymbol: '$',
  moneyDigits: 'two',
  brandName: 'Northline',
  companyName: 'Northline Telecom',
  periodLabel: 'October 2026',
  invoiceDate: '2026-11-05',
  invoiceDueDate: '2026-12-05',
  InvoiceNumber: 'INV-20431',
  invoiceStatus: 10,
  apiStatus: true,
  enabledReceipt: true,
  requiredCardHolder: true,
  requiredBillingAddress: false,
  customer: { name: 'Harbour & Finch', email: 'ap@harbourfinch.example', country: 'AU' },
  isFrame: false,
  isCredited: false,
  supportEmail: '',
  supportPhone: '',
  bankDetails: [],
  paymentInstructions: '',
  brandSettings: { uid: 'link', publishableKey: 'pk_test', ...entryOf() },
  bank: null,
  signInToPay: false,
  partPayment: null,
  leastCharge: null,
  chargeStep: null,
  paymentsPaused: false,
  pausedUntil: null,
  attempt: null,
  ...over,
});

export const attemptOf = (
  status: 'succeeded' | 'requires_action' | 'processing' | 'failed',
  over: Partial<NonNullable<PaymentInfo['attempt']>> = {},
): NonNullable<PaymentInfo['attempt']> => ({
  id: 'attempt-1',
  kind: 'card',
  status,
  amount: '1303.42',
  asked: null,
  reference: 'REF1',
  at: '2026-11-21T14:03:00.000Z',
  method: null,
  hasReceipt: status === 'succeeded',
  isTakenBack: false,
  ...over,
});

export const entered: Submission = {
  cardToken: 'tok_1',
  cardHolder: 'Ada',
  email: 'ada@x.example',
  draft: { ...emptyDraft, cardHolder: 'Ada', email: 'ada@x.example' },
};

/** The details of a brand that debits accounts. */
export const bankOf = (): NonNullable<PaymentInfo['bank']> => ({
  scheme: 'au_becs_debit',
  title: 'Direct Debit',
  currency: 'USD',
  settlesInDays: 5,
  mandate: null,
  fee: '0.40',
  total: '1284.56',
  feeSetting: { basisPoints: 0, fixedMinor: 40, capMinor: null },
  entry: entryOf({
    how: 'ownFieldsToProvider',
    scheme: 'au_becs_debit',
    formFields: [{ name: 'accountHolderName', required: true }],
  }),
});

/** A bank account as it is sent. */
export const enteredBank: Submission = {
  paymentMethodId: 'pm_1',
  paymentMethodType: 'au_becs_debit',
  accountHolderName: 'Ada',
  mandateAccepted: true,
};

type Answers<T> = readonly (T | Error)[];

export interface Script {
  readonly details?: Answers<PaymentInfo>;
  readonly pay?: Answers<Awaited<ReturnType<PayCalls['pay']>>>;
  readonly confirm?: Answers<Awaited<ReturnType<PayCalls['confirm']>>>;
}

/** A flow whose server answers from a script (the last answer repeats) and whose time passes at once. */
export function flowOf(script: Script) {
  let time = Date.parse('2026-11-21T14:03:00.000Z');
  let keys = 0;
  const seen = {
    pays: [] as { readonly body: object; readonly key: string }[],
    confirms: [] as object[],
    details: 0,
    waits: [] as number[],
    states: [] as string[],
    announced: 0,
    went: [] as string[],
  };
  const answer = <T>(list: Answers<T> | undefined, call: number): Promise<T> => {
    const found = list?.[Math.min(call, list.length - 1)];
    if (found === undefined) throw new Error('the script has no answer');
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  };
  const drafts = createDraftStore(memoryStorage(), 'link');
  const link = payLink({
    uid: 'link',
    calls: {
      details: () => answer(script.details, seen.details++),
      pay: (body, key) => answer(script.pay, seen.pays.push({ body, key }) - 1),
      confirm: (body) => answer(script.confirm, seen.confirms.push(body) - 1),
    },
    canTake: ({ integrationType }) => integrationType === 'Stripe',
    drafts,
  });
  const flow = new PaymentFlow(link, {
    watch: { announce: () => void seen.announced++ },
    now: () => new Date(time),
    waiter: {
      wait: (ms) => {
        seen.waits.push(ms);
        time += ms;
        // A flow that never ends must not hang a test.
        return seen.waits.length > 200 ? new Promise(() => undefined) : Promise.resolve();
      },
      wake: () => undefined,
    },
    newKey: () => `key-${++keys}`,
    go: (url) => void seen.went.push(url),
  });
  flow.subscribe(() => {
    const { state } = flow.view();
    if (seen.states.at(-1) !== state) seen.states.push(state);
  });
  return { flow, seen, drafts };
}
