import { useNavigate, useSearch } from '@tanstack/react-router';
import { type MouseEvent, useEffect } from 'react';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { invoiceLines, toPayAgain } from '../../paying/bulk/intent-rows.ts';
import { t as words } from '../../paying/bulk/messages.ts';
import { BulkOutcomeScreen, outcomeTitle } from '../../paying/bulk/outcome-screens.tsx';
import { useBulkFlow } from '../../paying/bulk/use-bulk-flow.ts';
import { useBulkPay, useBulkRequests, useToInvoices } from '../../paying/bulk/use-bulk-pay.ts';
import { isMisconfigured } from '../../paying/outcome/failure.ts';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { SectionError } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { SpinnerOverlay } from '../../ui/overlays/spinner.tsx';
import styles from './bulk-pay.module.css';
import { CheckoutLoading } from './bulk-pay-skeleton.tsx';
import { Checkout } from './checkout.tsx';
import { HowToPaySection } from './how-to-pay-section.tsx';
import { t } from './messages.ts';

/** The invoices Pay was clicked for, paid together (specification, payments §2 and §4). */
export default function BulkPayPage() {
  const { settings, brand } = usePortal();
  const { id } = useSearch({ strict: false }) as { readonly id?: unknown };
  const key = typeof id === 'string' ? id : undefined;
  const { flow, view, reprice } = useBulkFlow({ id: key });
  const payAgain = useBulkPay();
  const requests = useBulkRequests();
  const toInvoices = useToInvoices();
  const navigate = useNavigate();
  const { info: intent, failure, state } = view;
  const isInvalid = state === 'invalid';
  const isPaying = state === 'submitting';
  const reason = failure?.message;
  useEffect(() => {
    if (isInvalid) toInvoices({ replace: true, reason });
  }, [isInvalid, reason, toInvoices]);

  const plural = settings.invoiceLabelPlural;
  const lines = intent && invoiceLines(intent);
  const only = lines?.length === 1 ? lines[0] : undefined;
  const heading =
    lines === undefined
      ? t('title.none', { label: plural.toLocaleLowerCase() })
      : only === undefined
        ? t('title.many', { count: lines.length, label: plural.toLocaleLowerCase() })
        : t('title.one', {
            label: settings.invoiceLabelSingular.toLocaleLowerCase(),
            number: only.invoiceNumber,
          });
  const outcome = outcomeTitle(view);
  useTitle(outcome ?? heading, brand.name);
  if (isInvalid) return null;

  if (outcome !== undefined) {
    const again = intent ? toPayAgain(intent) : [];
    return (
      <BulkOutcomeScreen
        view={view}
        onRetry={again.length > 0 ? () => payAgain(again, { replace: true }) : undefined}
        onContinue={() => void flow.resume()}
        onStartOver={() => flow.startOver()}
        onInvoices={() => toInvoices()}
      />
    );
  }
  const goBack = (event: MouseEvent<HTMLAnchorElement>) => {
    // A new tab or window is the browser's business.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void navigate({ to: '/invoices' });
  };
  const crumbs = (
    <Breadcrumb
      parent={{ label: plural, href: '/invoices' }}
      current={t('title.crumb')}
      onNavigate={goBack}
    />
  );
  return (
    <>
      {view.isDueChanged && <Banner tone="warning">{t('changed.text')}</Banner>}
      <PageHead title={heading} above={crumbs} />
      {(state === 'form' || isPaying) && intent ? (
        <>
          {failure && <Banner tone="danger">{failure.message}</Banner>}
          <Checkout
            intent={intent}
            isPaying={isPaying}
            isPricing={view.isBusy}
            onAmount={reprice}
            onPay={(submission) => flow.submit(submission)}
          />
        </>
      ) : isMisconfigured(failure) ? (
        <HowToPaySection ids={requests.find(key)?.invoiceIds ?? []} />
      ) : failure ? (
        <div className={styles.section}>
          <SectionError
            level={2}
            requestId={failure.requestId}
            onRetry={() => void flow.retry()}
            retrying={view.isBusy}
          >
            {failure.message}
          </SectionError>
        </div>
      ) : (
        <CheckoutLoading />
      )}
      {isPaying && <SpinnerOverlay label={words('busy.paying')} bare />}
    </>
  );
}
