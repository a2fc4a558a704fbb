import type {
  ConfirmationRequest,
  PayAnswer,
  PaymentInfo,
  PaymentInfoAnswer,
} from '@counterfoil/contract/paying/public-pay.ts';
import { openApi } from '../../lib/api/open-api.ts';
import { firstPaint } from '../../lib/page/first-paint.ts';
import { browserParts, followBrowser } from '../../paying/browser.ts';
import { canTake } from '../../paying/entry/use-entry.ts';
import { PaymentFlow } from '../../paying/payment-flow.ts';
import type { DraftStore } from './form/draft.ts';
import { type PayCalls, type PricedSubmission, payLink } from './link/pay-link.ts';
import { readInfo } from './link/read-info.ts';
import { type Outcomes, outcomes } from './outcome/outcomes.tsx';

/**
 * What the provider's redirect brought back: `?attempt=…` is ours, the other names are the provider's
 * (decisions 6). Undefined when the page was simply opened.
 */
export function returnedFrom(search: string, uid: string): ConfirmationRequest | undefined {
  const query = new URLSearchParams(search);
  const reqUid = query.get('attempt');
  if (reqUid === null || reqUid === '') return undefined;
  const [paymentIntent, secret, sourceType] = [
    query.get('payment_intent'),
    query.get('payment_intent_client_secret'),
    query.get('source_type'),
  ];
  return {
    reqUid,
    uid,
    ...(paymentIntent && { paymentIntent }),
    ...(secret && { paymentIntentClientSecret: secret }),
    ...(sourceType && { sourceType }),
  };
}

function callsOf(uid: string): PayCalls {
  return {
    details: async () =>
      readInfo(await openApi.get<PaymentInfoAnswer>(`/v1/ec/payment/details/${encodeURIComponent(uid)}`)),
    pay: (body, key) => openApi.post<PayAnswer>('/v1/ec/pay', body, { headers: { 'Idempotency-Key': key } }),
    confirm: (body) => openApi.post<PayAnswer>('/v1/ec/payments/confirmation/result', body),
  };
}

export interface OpenedPage {
  readonly uid: string;
  /** The query string the page was opened with. */
  readonly search: string;
  readonly drafts: DraftStore;
}

/** What comes after the page's form: the flow that loads, pays and waits, begun, and what it ends in. */
export interface OpenPay {
  readonly flow: PaymentFlow<PaymentInfo, PricedSubmission>;
  readonly outcomes: Outcomes;
}

/** The page's flow, wired to this browser and begun. */
export function openPayFlow({ uid, search, drafts }: OpenedPage): OpenPay {
  const parts = browserParts();
  const flow = new PaymentFlow(payLink({ uid, calls: callsOf(uid), canTake, drafts }), parts);
  const returned = returnedFrom(search, uid);
  void (returned ? flow.startReturned(returned) : flow.start(firstPaint?.payment ?? undefined));
  followBrowser(flow, parts.waiter);
  return { flow, outcomes };
}
