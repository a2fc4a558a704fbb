import type { ConfirmationRequest, PayAnswer, PaymentInfo } from '@counterfoil/contract/public-pay.ts';
import { openApi } from '../../lib/api/open-api.ts';
import type { CardDraft } from '../../lib/card-entry/card-draft.ts';
import { canTakeCards } from '../../lib/card-entry/use-card-entry.ts';
import { firstPaint } from '../../lib/first-paint.ts';
import { newIdempotencyKey } from '../../lib/idempotency-key.ts';
import { paymentWatch } from '../../lib/payment-watch.ts';
import { createWaiter } from '../../lib/payments/waiter.ts';
import { tabStorage } from '../../lib/session/tab-storage.ts';
import { createDraftStore } from './draft.ts';
import { t } from './messages.ts';
import { PayFlow } from './pay-flow.ts';
import type { PayCalls } from './pay-parts.ts';

/** The link's token of '/pay/{uid}'. */
export const uidOf = (pathname: string): string => {
  const part = pathname.split('/')[2] ?? '';
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

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
    details: () => openApi.get<PaymentInfo>(`/v1/ec/payment/details/${encodeURIComponent(uid)}`),
    pay: (body, key) => openApi.post<PayAnswer>('/v1/ec/pay', body, { headers: { 'Idempotency-Key': key } }),
    confirm: (body) => openApi.post<PayAnswer>('/v1/ec/payments/confirmation/result', body),
  };
}

/** The page's flow, wired to this browser and begun. */
export function openPayFlow(): { readonly flow: PayFlow; readonly kept: CardDraft | undefined } {
  const { location, history } = globalThis;
  const uid = uidOf(location.pathname);
  const drafts = createDraftStore(tabStorage(), uid);
  const waiter = createWaiter();
  const flow = new PayFlow({
    uid,
    calls: callsOf(uid),
    canTakeCards,
    watch: paymentWatch,
    drafts,
    now: () => new Date(),
    waiter,
    newKey: newIdempotencyKey,
    go: (url) => location.assign(url),
    notSentText: t('failed.notSent'),
  });
  const kept = drafts.load();
  const returned = returnedFrom(location.search, uid);
  // A reload must not report the return a second time, and the address holds nothing of the provider's.
  if (location.search !== '') history.replaceState(history.state, '', location.pathname);
  void flow.start(returned, firstPaint?.payment ?? undefined);
  paymentWatch.listen(() => void flow.recheck());
  globalThis.addEventListener('pageshow', (event) => {
    if (event.persisted) void flow.recheck();
  });
  globalThis.addEventListener('online', waiter.wake);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden && flow.view().state === 'confirming') waiter.wake();
  });
  return { flow, kept };
}
