import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { ConfirmationRequest, PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { api } from '../../lib/api/api.ts';
import { browserParts, followBrowser } from '../browser.ts';
import { PaymentFlow } from '../payment-flow.ts';
import { type BulkCalls, type BulkFlow, type BulkView, bulkPayment } from './bulk-payment.ts';
import { useBulkRequests } from './use-bulk-pay.ts';

const calls: BulkCalls = {
  create: (body) => api.post<PaymentIntent>('/v1/ec/payments/intents', body),
  read: (sessionId) =>
    api.post<PaymentIntent>(`/v1/ec/payments/intents/${encodeURIComponent(sessionId)}`, {}),
  pay: (body, key) =>
    api.post<PayAnswer>('/v1/ec/payments/pay/bulk', body, { headers: { 'Idempotency-Key': key } }),
  confirm: (body) => api.post<PayAnswer>('/v1/ec/payments/confirmation/result', body),
};

/** Which payment a page is about. */
interface BulkPage {
  /** Of the request that Pay began in this tab. */
  readonly id?: string | undefined;
  /** What the provider's redirect brought back, where the payer comes from there. */
  readonly returned?: ConfirmationRequest | undefined;
}

interface BegunPayment {
  readonly flow: BulkFlow;
  readonly view: BulkView;
  /** Asks for the total of another amount. @param amount undefined: all that is due */
  readonly reprice: (amount: string | undefined) => Promise<void>;
}

/** A bulk payment, wired to this browser and begun; another id or return is another payment. */
export function useBulkFlow({ id, returned }: BulkPage): BegunPayment {
  const client = useQueryClient();
  const requests = useBulkRequests();
  const { payment, flow, parts } = useMemo(() => {
    const parts = browserParts();
    const onChanged = () => void client.invalidateQueries();
    const payment = bulkPayment({ id, calls, requests, onChanged });
    return { payment, parts, flow: new PaymentFlow(payment, parts) };
  }, [id, client, requests]);
  useEffect(() => {
    void (returned ? flow.startReturned(returned) : flow.start());
    const leave = followBrowser(flow, parts.waiter);
    return () => {
      leave();
      flow.stop();
    };
  }, [flow, parts, returned]);
  return {
    flow,
    view: useSyncExternalStore(flow.subscribe, flow.view, flow.view),
    reprice: (amount) => flow.reprice((intent) => payment.repriced(intent, amount)),
  };
}
