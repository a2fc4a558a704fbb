import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { invoiceQueries } from '../../lib/invoices/invoice-queries.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { Grid } from '../../ui/grid/grid.tsx';
import type { GridState } from '../../ui/grid/grid-types.ts';
import { useGridUrlState } from '../../ui/grid/use-grid-url-state.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState } from '../../ui/section-state.tsx';
import { useTitle } from '../../ui/title.ts';
import { invoiceColumns } from './invoice-columns.tsx';
import { t } from './messages.ts';

/** Given by the specification (portal §2, §9). */
const paging = { mode: 'client', size: 25 } as const;
const initial: Pick<GridState, 'sort'> = { sort: { column: 'dateInvoice', direction: 'desc' } };

/** Every invoice and credit of the customer, newest first. */
export default function InvoicesPage() {
  const { settings, brand } = usePortal();
  const list = useQuery(invoiceQueries.list());
  const [state, setState] = useGridUrlState({ initial });
  const columns = useMemo(
    () => invoiceColumns(settings.invoiceLabelSingular),
    [settings.invoiceLabelSingular],
  );
  const title = settings.invoiceLabelPlural;
  useTitle(title, brand.name);
  return (
    <>
      <PageHead title={title} />
      <Grid
        preference="invoices"
        label={title}
        columns={columns}
        rows={list.data}
        rowId={(invoice) => invoice.id}
        state={state}
        onState={setState}
        paging={paging}
        error={
          list.isError && list.data === undefined
            ? { requestId: requestIdOf(list.error), retry: () => void list.refetch() }
            : undefined
        }
        empty={
          <EmptyState level={2} title={t('list.empty')}>
            {t('list.emptyWhy')}
          </EmptyState>
        }
      />
    </>
  );
}
