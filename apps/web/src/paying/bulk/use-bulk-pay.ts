import { useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import { newIdempotencyKey } from '../../lib/idempotency-key.ts';
import { type Portal, usePortal } from '../../lib/portal/portal-context.ts';
import { tabStorage } from '../../lib/session/tab-storage.ts';
import { type BulkRequests, createBulkRequests } from './bulk-requests.ts';

/** `paymentType` of a reseller without a gateway. */
const NO_GATEWAY = 0;

/** Whether several invoices may be paid at once here: never without a gateway, nor where the area or bulk pay is off. */
export const isBulkEnabled = ({ settings: { payments } }: Pick<Portal, 'settings'>): boolean =>
  payments.enabled && payments.bulk && payments.paymentType !== NO_GATEWAY;

/** Begins with a letter: the router takes what looks like a number for one. */
const newId = (): string => `b${newIdempotencyKey()}`;

/** What this tab has begun for the current customer. */
export function useBulkRequests(): BulkRequests {
  const { customer } = usePortal();
  const customerId = customer?.customerId ?? '';
  return useMemo(() => createBulkRequests({ storage: tabStorage(), customerId, newId }), [customerId]);
}

/** Pay: begins a bulk payment of these invoices and goes to its page. */
export function useBulkPay(): (
  invoiceIds: readonly string[],
  options?: { readonly replace?: boolean },
) => void {
  const requests = useBulkRequests();
  const navigate = useNavigate();
  return useCallback(
    (invoiceIds, { replace = false } = {}) => {
      const search = { id: requests.begin(invoiceIds) };
      void navigate({ to: '/bulk-pay', search: search as never, replace });
    },
    [requests, navigate],
  );
}

interface ToInvoices {
  readonly replace?: boolean;
  /** Why the payment could not begin; the list says it. */
  readonly reason?: string | undefined;
}

/** Goes to the list of invoices. */
export function useToInvoices(): (options?: ToInvoices) => void {
  const navigate = useNavigate();
  return useCallback(
    ({ replace = false, reason } = {}) =>
      void navigate({
        to: '/invoices',
        replace,
        state: ((before: object) => ({ ...before, [NOTICE]: reason })) as never,
      }),
    [navigate],
  );
}

const NOTICE = 'bulkPayNotice';

/** Why a payment could not begin, where the list was come to for that. */
export const useBulkNotice = (): string | undefined =>
  useLocation({ select: ({ state }) => (state as { readonly [NOTICE]?: string })[NOTICE] });
