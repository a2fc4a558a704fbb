import type { PayState } from '@counterfoil/domain/paying/pay-state.ts';
import { newIdempotencyKey } from '../lib/idempotency-key.ts';
import { createWaiter } from './outcome/waiter.ts';
import type { FlowParts } from './payable.ts';
import { paymentWatch } from './payment-watch.ts';

/** What a flow needs of this browser. */
export const browserParts = (): FlowParts => ({
  watch: paymentWatch,
  now: () => new Date(),
  waiter: createWaiter(),
  newKey: newIdempotencyKey,
  go: (url) => globalThis.location.assign(url),
});

interface Followed {
  readonly view: () => { readonly state: PayState };
  readonly recheck: () => Promise<void>;
}

/**
 * Wakes a flow when another tab has paid, the connection is back, the page is looked at again, or the browser brought it
 * out of its cache.
 * @returns the way to stop
 */
export function followBrowser(flow: Followed, { wake }: FlowParts['waiter']): () => void {
  const recheck = () => void flow.recheck();
  const onShown = (event: PageTransitionEvent) => event.persisted && recheck();
  const onVisible = () => !document.hidden && flow.view().state === 'confirming' && wake();
  const unlisten = paymentWatch.listen(recheck);
  globalThis.addEventListener('pageshow', onShown);
  globalThis.addEventListener('online', wake);
  document.addEventListener('visibilitychange', onVisible);
  return () => {
    unlisten();
    globalThis.removeEventListener('pageshow', onShown);
    globalThis.removeEventListener('online', wake);
    document.removeEventListener('visibilitychange', onVisible);
  };
}
