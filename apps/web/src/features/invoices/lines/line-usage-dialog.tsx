import type { InvoiceLine } from '@counterfoil/contract/invoices.ts';
import type { UsageRecord } from '@counterfoil/contract/usage.ts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo, useState } from 'react';
import { requestIdOf } from '../../../lib/api/api-error.ts';
import { isPhoneNumber } from '../../../lib/values/phone-number.ts';
import { formatQuantity } from '../../../lib/values/quantity.ts';
import { RecordTime } from '../../../lib/values/record-time.tsx';
import { invoiceQueries } from '../../../shared/invoices/invoice-queries.ts';
import { t as common } from '../../../text/common.ts';
import { formatPrice } from '../../../text/format.ts';
import { Grid } from '../../../ui/data/grid/grid.tsx';
import type { GridColumn, GridState } from '../../../ui/data/grid/grid-types.ts';
import { Button } from '../../../ui/fields/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import styles from '../invoices.module.css';
import { t } from '../messages.ts';

const PAGE_SIZE = 25;

interface Row extends UsageRecord {
  /** Place in the line, from 1: a two records may be alike in all they show. */
  readonly place: number;
}

const recordColumns = (currency: string, calledLabel: string): readonly GridColumn<Row>[] => [
  {
    id: 'date',
    label: t('records.when'),
    type: 'date',
    value: (row) => row.date,
    cell: (row) => <RecordTime date={row.date} muted={styles.muted} />,
    cellState: 'none',
    width: '12rem',
    sortable: false,
    card: 'when',
  },
  {
    id: 'item',
    label: t('records.item'),
    type: 'text',
    value: (row) => row.serviceItemName,
    sortable: false,
    card: 'lead',
  },
  {
    id: 'called',
    label: calledLabel,
    type: 'text',
    value: (row) => row.serviceItem2,
    sortable: false,
    card: (row) => (row.serviceItem2 === '' ? 'none' : 'rest'),
    cardLabel: calledLabel,
  },
  {
    id: 'type',
    label: t('records.type'),
    type: 'text',
    value: (row) => row.recordType,
    sortable: false,
    card: 'rest',
  },
  {
    id: 'units',
    label: t('records.units'),
    type: 'number',
    value: (row) => row.units,
    cell: (row) => formatQuantity(row.units, row.unit),
    width: '7rem',
    sortable: false,
    card: 'state',
  },
  {
    id: 'price',
    label: t('records.price'),
    type: 'money',
    value: (row) => row.price,
    // A record without a price says so; it is not free.
    cell: (row) => (row.price === null ? '–' : formatPrice(row.price, currency)),
    width: '8rem',
    sortable: false,
    card: 'figure',
  },
];

interface LineUsageDialogProps {
  readonly line: InvoiceLine;
  readonly currency: string;
  /** Beside the button that closes. */
  readonly more?: ReactNode;
  readonly onClose: () => void;
}

/** The single records that one line billed, in the order they were measured. */
export function LineUsageDialog({ line, currency, more, onClose }: LineUsageDialogProps) {
  const [state, setState] = useState<GridState>({ sort: null, page: 1 });
  const records = useQuery({
    ...invoiceQueries.lineUsage(line.id, state.page, PAGE_SIZE),
    placeholderData: keepPreviousData,
  });
  const { data } = records;
  const isCalled = data?.endUsageDetails.some(({ serviceItem2 }) => isPhoneNumber(serviceItem2)) ?? true;
  const columns = useMemo(
    () => recordColumns(currency, t(isCalled ? 'records.called' : 'records.to')),
    [currency, isCalled],
  );
  const rows = useMemo(
    () =>
      data?.endUsageDetails.map((record, index) => ({
        ...record,
        place: (state.page - 1) * PAGE_SIZE + index + 1,
      })),
    [data, state.page],
  );
  return (
    <Dialog
      title={t('records.title', { product: line.product })}
      open
      wide
      onClose={onClose}
      actions={
        <>
          {more}
          <Button onClick={onClose}>{common('action.close')}</Button>
        </>
      }
    >
      <p className={styles.muted}>{t('records.utc')}</p>
      <Grid
        label={t('records.label', { product: line.product })}
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.place)}
        state={state}
        onState={setState}
        paging={{ mode: 'server', size: PAGE_SIZE, total: data?.totalCount ?? 0 }}
        error={
          records.isError
            ? { requestId: requestIdOf(records.error), retry: () => void records.refetch() }
            : undefined
        }
      />
    </Dialog>
  );
}
