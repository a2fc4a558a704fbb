import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ListSearch, NothingFound } from '../../lib/lists/list-search.tsx';
import { usePagedList } from '../../lib/lists/use-paged-list.ts';
import { usePortal } from '../../lib/portal/portal-context.ts';
import { usePreference } from '../../lib/preferences.ts';
import { isBulkEnabled, useBulkNotice } from '../../paying/bulk/use-bulk-pay.ts';
import { takesPayments } from '../../paying/otherwise/other-way.tsx';
import {
  invoiceList,
  invoiceQueries,
  latestFirst,
  lookAgain,
} from '../../shared/invoices/invoice-queries.ts';
import { isPayable } from '../../shared/invoices/invoice-state.ts';
import { FilterBar } from '../../ui/data/filter-bar.tsx';
import { Grid } from '../../ui/data/grid/grid.tsx';
import type { GridSelection } from '../../ui/data/grid/grid-types.ts';
import { useGridUrlState } from '../../ui/data/grid/use-grid-url-state.ts';
import { PageHead } from '../../ui/layout/page-head.tsx';
import { EmptyState } from '../../ui/layout/section-state.tsx';
import { useTitle } from '../../ui/layout/title.ts';
import { useUrlParameters } from '../../ui/layout/use-url-parameters.ts';
import { Banner } from '../../ui/overlays/banner.tsx';
import { invoiceColumns } from './invoice-columns.tsx';
import { InvoiceSelection } from './invoice-selection.tsx';
import { t } from './messages.ts';
import { isForeign } from './selection.ts';
import { useSelection } from './use-selection.ts';

const filters = ['search'] as const;
const replacing = { replace: true };
const gridOptions = { initial: latestFirst };

/** Every invoice and credit of the customer, newest first; with bulk pay, those that can be paid may be chosen. */
export default function InvoicesPage() {
  const portal = usePortal();
  const { settings, brand } = portal;
  const overview = useQuery(invoiceQueries.overview()).data;
  const [state, setState] = useGridUrlState(gridOptions);
  const [{ search }, typeIn] = useUrlParameters(filters, replacing);
  const list = usePagedList<Invoice>({ source: invoiceList, state, filter: { search }, lookAgain });
  const { rows, error } = list;
  const [selection, setSelection] = useSelection(rows);
  const columns = useMemo(
    () => invoiceColumns(settings.invoiceLabelSingular),
    [settings.invoiceLabelSingular],
  );
  const title = settings.invoiceLabelPlural;
  useTitle(title, brand.name);
  const isBulk = isBulkEnabled(portal) && takesPayments(portal);
  // A column for checkboxes only where there are any, and its place while rows are on their way.
  const canChoose = overview === undefined || overview.payable > 0;
  const paper = useMemo(() => ({ rows: list.onPaper, where: t('list.rest') }), [list.onPaper]);
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
  const preference = usePreference('grid.invoices');
  return (
    <>
      <Notice />
      <PageHead title={title} />
      <FilterBar>
        <ListSearch
          hint={t('search.hint')}
          value={search}
          total={list.stale ? undefined : list.total}
          onChange={(search) => typeIn({ search })}
        />
      </FilterBar>
      <Grid
        preference={preference}
        label={title}
        columns={columns}
        rows={rows}
        rowId={(invoice) => invoice.id}
        state={state}
        onState={setState}
        paging={list.paging}
        stale={list.stale}
        paper={paper}
        selection={isBulk && canChoose ? gridSelection : undefined}
        toolbar={
          // It stands there while rows are on their way, so that nothing moves when they come.
          isBulk &&
          error === undefined &&
          rows?.length !== 0 && (
            <InvoiceSelection
              overview={overview}
              onPage={(rows ?? []).filter(isPayable)}
              isStale={list.stale}
              selection={selection}
              onChange={setSelection}
            />
          )
        }
        error={error}
        empty={
          search === undefined ? (
            <EmptyState level={2} title={t('list.empty')}>
              {t('list.emptyWhy')}
            </EmptyState>
          ) : (
            <NothingFound why={t('found.noneWhy')} onClear={() => typeIn({ search: undefined })} />
          )
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
