import type { InvoiceDetail, InvoiceUsage } from '@counterfoil/contract/invoices.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { requestIdOf } from '../../../lib/api/api-error.ts';
import { CsvButton } from '../../../lib/csv/csv-button.tsx';
import { reportFailure } from '../../../lib/error-banner.ts';
import { withMark } from '../../../lib/files/save-csv.ts';
import { saveFile } from '../../../lib/files/save-file.ts';
import { formatQuantity } from '../../../lib/values/quantity.ts';
import { fetchInvoiceUsage, invoiceQueries } from '../../../shared/invoices/invoice-queries.ts';
import { formatMoney } from '../../../text/format.ts';
import { Grid } from '../../../ui/data/grid/grid.tsx';
import type { GridColumn, GridState } from '../../../ui/data/grid/grid-types.ts';
import { useGridUrlState } from '../../../ui/data/grid/use-grid-url-state.ts';
import { EmptyState } from '../../../ui/layout/section-state.tsx';
import styles from '../invoices.module.css';
import { t } from '../messages.ts';

const paging = { mode: 'client', size: 25 } as const;

const paper = { where: t('usage.rest') };

/** The first column, ascending (specification, portal §2). */
export const initialUsageSort: Pick<GridState, 'sort'> = {
  sort: { column: 'serviceItem', direction: 'asc' },
};

/** Name of the exported file (specification, portal §9). */
export const usageFileName = (number: string): string => safeFileName(`${number}_usage.csv`);

export const usageColumns = (currency: string): readonly GridColumn<InvoiceUsage>[] => {
  const money = (id: 'amount' | 'tax' | 'total', value: (row: InvoiceUsage) => number) =>
    ({
      id,
      label: t(`usage.${id}`),
      type: 'money',
      value,
      cell: (row: InvoiceUsage) => formatMoney(value(row), { currency }),
      width: '9rem',
      card: id === 'total' ? 'figure' : 'rest',
      cardLabel: t(`usage.${id}`),
    }) as const;
  return [
    {
      id: 'serviceItem',
      label: t('usage.serviceItem'),
      type: 'text',
      value: (row) => row.serviceItem,
      card: 'lead',
    },
    { id: 'service', label: t('usage.service'), type: 'text', value: (row) => row.service, card: 'rest' },
    {
      id: 'recordType',
      label: t('usage.recordType'),
      type: 'text',
      value: (row) => row.recordType,
      muted: true,
      card: 'when',
    },
    {
      id: 'quantity',
      label: t('usage.quantity'),
      type: 'number',
      value: (row) => row.quantity,
      cell: (row) => formatQuantity(row.quantity, row.unit),
      width: '8rem',
      card: 'state',
    },
    money('amount', (row) => row.invoiceAmount),
    money('tax', (row) => row.invoiceTax),
    money('total', (row) => row.invoiceTotal),
  ];
};

/** Usage by service item and record type, and its file. */
export function UsageTab({ invoice }: { readonly invoice: InvoiceDetail }) {
  const [state, setState] = useGridUrlState({ initial: initialUsageSort, prefix: 'usage' });
  const columns = useMemo(() => usageColumns(invoice.currency), [invoice.currency]);
  const isLater = invoice.linesLeftOut === true;
  const later = useQuery({ ...invoiceQueries.usage(invoice.id), enabled: isLater });
  const rows = isLater ? later.data : invoice.usage;
  const items = useMemo(() => new Set(rows?.map((row) => row.serviceItem)).size, [rows]);
  const summary =
    invoice.periodLabel === null
      ? t('usage.items', { count: items })
      : t('usage.itemsIn', { count: items, period: invoice.periodLabel });
  return (
    <>
      <div className={styles.usageHead}>
        <p className={styles.muted}>{rows ? summary : '…'}</p>
        {rows?.length !== 0 && <DownloadUsage invoice={invoice} />}
      </div>
      <Grid
        label={t('usage.label', { number: invoice.number })}
        columns={columns}
        rows={rows}
        error={
          later.isError
            ? { requestId: requestIdOf(later.error), retry: () => void later.refetch() }
            : undefined
        }
        rowId={(row) => `${row.serviceItem}\n${row.service}\n${row.recordType}\n${row.unit}`}
        state={state}
        onState={setState}
        paging={paging}
        paper={paper}
        empty={
          <EmptyState level={2} title={t('usage.empty')} icon="chart">
            {t('usage.emptyWhy')}
          </EmptyState>
        }
      />
    </>
  );
}

function DownloadUsage({ invoice }: { readonly invoice: InvoiceDetail }) {
  const [busy, setBusy] = useState(false);
  const running = useRef(false);
  const download = async (byteOrderMark: boolean): Promise<void> => {
    if (running.current) return;
    running.current = true;
    setBusy(true);
    try {
      const file = await fetchInvoiceUsage(invoice.id);
      saveFile(withMark(file, byteOrderMark), usageFileName(invoice.number));
    } catch (error) {
      reportFailure(error);
    } finally {
      running.current = false;
      setBusy(false);
    }
  };
  return (
    <CsvButton busy={busy} busyLabel={t('usage.downloading')} onDownload={(mark) => void download(mark)}>
      {t('usage.download')}
    </CsvButton>
  );
}
