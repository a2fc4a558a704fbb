import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { buttonClass } from '../../ui/fields/button.tsx';
import { Breadcrumb } from '../../ui/layout/breadcrumb.tsx';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState, SectionError } from '../../ui/layout/section-state.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useUrlChoice } from '../../ui/layout/use-url-choice.ts';
import { InvoiceDetails } from './invoice-details.tsx';
import { InvoiceHead } from './invoice-head.tsx';
import { InvoiceSkeleton } from './invoice-skeleton.tsx';
import { UsageTab } from './lines/usage-tab.tsx';
import { t } from './messages.ts';

/** One invoice: what is due, what it is made of, and the usage in it. */
export default function InvoicePage() {
  const { settings, brand } = usePortal();
  const params: Readonly<Record<string, string>> = useParams({ strict: false });
  const detail = useQuery(invoiceQueries.detail(params['id'] ?? ''));
  const [tab, setTab] = useUrlChoice('tab', ['details', 'usage']);
  const navigate = useNavigate();
  const invoice = detail.data;
  const label = settings.invoiceLabelSingular;
  const parent = { label: settings.invoiceLabelPlural, href: '/invoices' };
  const title = invoice ? t('detail.title', { label, number: invoice.number }) : label;
  useTitle(title, brand.name);

  const goBack = (event: MouseEvent<HTMLAnchorElement>) => {
    // A new tab or window is the browser's business.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    void navigate({ to: parent.href });
  };
  const crumbs = <Breadcrumb parent={parent} current={invoice?.number ?? '…'} onNavigate={goBack} />;

  if (invoice === null) {
    return (
      <>
        <PageHead title={label} above={crumbs} />
        <EmptyState
          level={2}
          title={t('detail.notFound')}
          action={
            <Link to={parent.href} className={buttonClass({})}>
              {parent.label}
            </Link>
          }
        >
          {t('detail.notFoundWhy')}
        </EmptyState>
      </>
    );
  }
  if (invoice === undefined) {
    return (
      <>
        <PageHead title={title} above={crumbs} />
        {detail.isError ? (
          <SectionError
            level={2}
            requestId={requestIdOf(detail.error)}
            onRetry={() => void detail.refetch()}
            retrying={detail.isFetching}
          />
        ) : (
          <InvoiceSkeleton />
        )}
      </>
    );
  }
  return (
    <>
      <PageHead title={title} above={crumbs} />
      <InvoiceHead invoice={invoice} />
      <Tabs
        label={label}
        selected={tab}
        onSelect={setTab}
        tabs={[
          {
            id: 'details',
            label: t('tab.details'),
            content: <InvoiceDetails invoice={invoice} label={label} />,
          },
          { id: 'usage', label: t('tab.usage'), content: <UsageTab invoice={invoice} /> },
        ]}
      />
    </>
  );
}
