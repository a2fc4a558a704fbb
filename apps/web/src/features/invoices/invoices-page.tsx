import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { requestIdOf } from '../../lib/api/api-error.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePreference } from '../../lib/preferences.ts';
import { isBulkEnabled, useBulkNotice } from '../../paying/bulk/use-bulk-pay.ts';
import { takesPayments } from '../../paying/otherwise/other-way.tsx';
import { invoiceQueries } from '../../shared/invoices/invoice-queries.ts';
import { isPayable } from '../../shared/invoices/invoice-state.ts';
import { readerLocale } from '../../text/catalogue.ts';
import { Grid } from '../../ui/data/grid/grid.tsx';
import { pageRows } from '../../ui/data/grid/grid-model.ts';
import type { GridSelection, GridState } from '../../ui/data/grid/grid-types.ts';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { invoiceColumns } from './invoice-columns.tsx';
import { InvoiceSelection } from './invoice-selection.tsx';
import { t } from './messages.ts';
import { isForeign } from './selection.ts';
import { useSelection } from './use-selection.ts';

/** Given by the specification (portal §2, §9). */
const paging = { mode: 'client', size: 25 } as const;
const paper = { where: t('list.rest') };
const initial: Pick<GridState, 'sort'> = { sort: { column: 'dateInvoice', direction: 'desc' } };

/** Every invoice and credit of the customer, newest first; with bulk pay, those that can be paid may be chosen. */
export default function InvoicesPage() {
  const portal = usePortal();
  const { settings, brand } = portal;
  const list = useQuery(invoiceQueries.list());
  const [state, setState] = useGridUrlState({ initial });
  const [selection, setSelection] = useSelection(list.data);
  const columns = useMemo(
    () => invoiceColumns(settings.invoiceLabelSingular),
    [settings.invoiceLabelSingular],
  );
  const title = settings.invoiceLabelPlural;
  useTitle(title, brand.name);
  const isBulk = isBulkEnabled(portal) && takesPayments(portal);
  // A column for checkboxes only where there are any, and its place while rows are on their way.
  const canChoose = list.data === undefined || list.data.some(isPayable);
  const error =
    list.isError && list.data === undefined
      ? { requestId: requestIdOf(list.error), retry: () => void list.refetch() }
      : undefined;
  const gridSelection: GridSelection<Invoice> = {
    selected: selection.ids,
    onChange: setSelection,
    canSelect: isPayable,
    all: 'page',
    rowLabel: ({ number }) => t('select.row', { number }),
    allLabel: t('select.allLabel', { label: title.toLocaleLowerCase() }),
    blocked: (invoice) =>
      isForeign(invoice, selection)
        ? t('select.blocked', {
            currency: invoice.currency,
            chosen: selection.currency ?? '',
            label: title.toLocaleLowerCase(),
          })
        : undefined,
  };
  const shown = pageRows(list.data ?? [], columns, state, paging, readerLocale()).rows;
  const preference = usePreference('grid.invoices');
  return (
    <>
      <Notice />
      <PageHead title={title} />
      <Grid
        preference={preference}
        label={title}
        columns={columns}
        rows={list.data}
        rowId={(invoice) => invoice.id}
        state={state}
        onState={setState}
        paging={paging}
        paper={paper}
        selection={isBulk && canChoose ? gridSelection : undefined}
        toolbar={
          // It stands there while rows are on their way, so that nothing moves when they come.
          isBulk &&
          error === undefined &&
          list.data?.length !== 0 && (
            <InvoiceSelection
              all={list.data ?? []}
              onPage={shown.filter(isPayable)}
              selection={selection}
              onChange={setSelection}
            />
          )
        }
        error={error}
        empty={
          <EmptyState level={2} title={t('list.empty')}>
            {t('list.emptyWhy')}
          </EmptyState>
        }
      />
    </>
  );
}

/** Why a payment that was begun here came back at once. */
function Notice() {
  const reason = useBulkNotice();
  const [closed, setClosed] = useState<string>();
  if (reason === undefined || reason === closed) return null;
  return (
    <Banner tone="warning" onClose={() => setClosed(reason)}>
      {reason}
    </Banner>
  );
}
