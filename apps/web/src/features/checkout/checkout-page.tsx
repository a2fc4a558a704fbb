import type { CheckoutSession } from '@counterfoil/contract/paying/bulk-pay.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { ApiError } from '../../lib/api/api-error.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { useToInvoices } from '../../paying/bulk/use-bulk-pay.ts';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { SpinnerOverlay } from '../../ui/overlays/spinner.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden.tsx';
import { t } from './messages.ts';

/** Opens the payment provider's page of a session and goes there; what cannot be paid so leads to the invoices. */
export default function CheckoutPage() {
  const { brand } = usePortal();
  const [session] = useState(() => new URLSearchParams(globalThis.location.search).get('session'));
  const toInvoices = useToInvoices();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (id: string) =>
      api.postWhole<CheckoutSession>(`/v1/ec/payments/checkout-session/${encodeURIComponent(id)}`, {}),
    onSuccess: ({ url }) => globalThis.location.replace(url),
    onError: (failed) => {
      const isRefused = failed instanceof ApiError && failed.status >= 400 && failed.status < 500;
      if (isRefused) toInvoices({ replace: true, reason: failed.message });
    },
  });
  useEffect(() => {
    if (session === null) toInvoices({ replace: true });
    else mutate(session);
  }, [session, mutate, toInvoices]);
  useTitle(t('title'), brand.name);

  if (error === null || session === null) {
    return (
      <>
        <VisuallyHidden>
          <h1>{t('title')}</h1>
        </VisuallyHidden>
        <SpinnerOverlay label={t('leaving')} />
      </>
    );
  }
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <>
      <h1>{t('title')}</h1>
      <SectionError level={2} requestId={requestId} onRetry={() => mutate(session)} retrying={isPending}>
        {t('failed')}
      </SectionError>
    </>
  );
}
