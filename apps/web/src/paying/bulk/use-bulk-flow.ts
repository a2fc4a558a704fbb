import type { PaymentIntent } from '@counterfoil/contract/bulk-pay.ts';
import type { PayAnswer } from '@counterfoil/contract/public-pay.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { api } from '../../lib/api/api.ts';
import { newIdempotencyKey } from '../../lib/idempotency-key.ts';
import { paymentWatch } from '../payment-watch.ts';
import { createWaiter } from '../waiter.ts';
import { BulkFlow } from './bulk-flow.ts';
import type { BulkCalls } from './bulk-parts.ts';
import type { BulkView } from './bulk-view.ts';
import { t } from './messages.ts';
import { useBulkRequests } from './use-bulk-pay.ts';

const calls: BulkCalls = {
  create: (body) => api.post<PaymentIntent>('/v1/ec/payments/intents', body),
  read: (sessionId) =>
    api.post<PaymentIntent>(`/v1/ec/payments/intents/${encodeURIComponent(sessionId)}`, {}),
  pay: (body, key) =>
    api.post<PayAnswer>('/v1/ec/payments/pay/bulk', body, { headers: { 'Idempotency-Key': key } }),
  confirm: (body) => api.post<PayAnswer>('/v1/ec/payments/confirmation/result', body),
};

/**
 * A bulk payment, wired to this browser and begun.
 * @param key another one is another payment
 * @param begin must do the same for the same key
 */
export function useBulkFlow(
  key: string | undefined,
  begin: (flow: BulkFlow) => Promise<void>,
): readonly [BulkFlow, BulkView] {
  const client = useQueryClient();
  const requests = useBulkRequests();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` names the payment
  const { flow, waiter } = useMemo(() => {
    const waiter = createWaiter();
    const flow = new BulkFlow({
      calls,
      requests,
      waiter,
      watch: paymentWatch,
      newKey: newIdempotencyKey,
      onChanged: () => void client.invalidateQueries(),
      go: (url) => globalThis.location.assign(url),
      notSentText: t('failed.notSent'),
    });
    return { flow, waiter };
  }, [key, client, requests]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `begin` belongs to the flow
  useEffect(() => {
    void begin(flow);
    const recheck = () => void flow.recheck();
    const onShown = (event: PageTransitionEvent) => event.persisted && recheck();
    const onVisible = () => !document.hidden && waiter.wake();
    const unlisten = paymentWatch.listen(recheck);
    globalThis.addEventListener('pageshow', onShown);
    globalThis.addEventListener('online', waiter.wake);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      unlisten();
      globalThis.removeEventListener('pageshow', onShown);
      globalThis.removeEventListener('online', waiter.wake);
      document.removeEventListener('visibilitychange', onVisible);
      flow.stop();
    };
  }, [flow]);
  return [flow, useSyncExternalStore(flow.subscribe, flow.view, flow.view)];
}
