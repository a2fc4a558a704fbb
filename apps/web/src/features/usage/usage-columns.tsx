import type { UsageRecord } from '@counterfoil/contract/usage.ts';
import { Link } from '@tanstack/react-router';
import { isPhoneNumber } from '../../lib/values/phone-number.ts';
import { formatQuantity } from '../../lib/values/quantity.ts';
import { RecordTime } from '../../lib/values/record-time.tsx';
import { formatNumber, formatPrice } from '../../text/format.ts';
import type { GridColumn } from '../../ui/data/grid/grid-types.ts';
import { Icon } from '../../ui/icon.tsx';
import type { UsageLabels } from './labels.ts';
import { t } from './messages.ts';
import styles from './usage.module.css';

/** A record, and its place among all of the filter, from 1. */
export interface UsageRow extends UsageRecord {
  readonly place: number;
}

export interface ColumnOptions {
  readonly labels: UsageLabels;
  /** The brand shows cost centres beside usage. */
  readonly hasCostCentre: boolean;
  /** The provider's word for an invoice. */
  readonly invoiceLabel: string;
  /** The brand shows invoices: records lead to theirs. */
  readonly hasInvoices: boolean;
}

/** On a card only where there is something. */
const filled = (value: (row: UsageRow) => string | null) => (row: UsageRow) =>
  (value(row) ?? '') === '' ? ('none' as const) : ('rest' as const);

/** The columns in the specification's order (portal §2, §3). */
export const usageColumns = (options: ColumnOptions): readonly GridColumn<UsageRow>[] => {
  const { labels, hasCostCentre } = options;
  return [
    {
      id: 'row',
      label: t('column.row'),
      type: 'number',
      sortable: false,
      muted: true,
      value: (row) => row.place,
      width: '4rem',
      card: 'none',
    },
    {
      id: 'date',
      label: t('column.date'),
      type: 'date',
      width: '8.75rem',
      card: 'rest',
      value: (row) => row.date,
      cell: ({ date }) => <RecordTime date={date} muted={styles.muted} />,
      cellState: 'none',
    },
    {
      id: 'serviceItemName',
      label: labels.serviceItem,
      type: 'text',
      width: '7.5rem',
      card: 'lead',
      value: (row) => row.serviceItemName,
    },
    {
      id: 'serviceItemDescription',
      label: t('column.description'),
      type: 'text',
      shortens: true,
      value: (row) => row.serviceItemDescription,
      cell: ({ serviceItemDescription }) => said(serviceItemDescription),
      card: filled((row) => row.serviceItemDescription),
    },
    {
      id: 'serviceItem2',
      label: labels.serviceItem2,
      type: 'text',
      width: '7.75rem',
      value: (row) => row.serviceItem2,
      cell: ({ serviceItem2 }) => (
        <>
          <span className={styles.onCard}>
            {isPhoneNumber(serviceItem2) ? t('card.to') : labels.serviceItem2}{' '}
          </span>
          {said(serviceItem2)}
        </>
      ),
      card: (row) => (row.serviceItem2 === '' ? 'none' : 'when'),
    },
    {
      id: 'serviceItem3',
      label: labels.serviceItem3,
      type: 'text',
      width: '5.75rem',
      value: (row) => row.serviceItem3,
      cell: ({ serviceItem3 }) => said(serviceItem3),
      card: filled((row) => row.serviceItem3),
      cardLabel: labels.serviceItem3,
    },
    {
      id: 'siteName',
      label: t('column.site'),
      type: 'text',
      width: '6.25rem',
      shortens: true,
      value: (row) => row.siteName,
      cell: ({ siteName }) => said(siteName),
      card: filled((row) => row.siteName),
      cardLabel: t('column.site'),
    },
    {
      id: 'units',
      label: labels.units,
      type: 'number',
      width: '5.5rem',
      card: 'amount',
      value: (row) => row.units,
      cell: ({ units, unit }) =>
        unit === null ? (
          <>
            {formatNumber(units)}
            <span className={styles.onCard}> {unitWord(labels, units)}</span>
          </>
        ) : (
          formatQuantity(units, unit)
        ),
    },
    {
      id: 'price',
      label: t('column.price'),
      type: 'money',
      width: '5.25rem',
      card: 'figure',
      value: (row) => row.price,
      cell: ({ price }) => priceText(price),
    },
    {
      id: 'recordType',
      label: labels.recordType,
      type: 'text',
      width: '7.25rem',
      card: 'kind',
      value: (row) => row.recordType,
      cell: ({ recordType }) => said(recordType),
      gap: true,
    },
    ...(hasCostCentre ? [costCentre] : []),
    invoiceColumn(options),
  ];
};

const costCentre: GridColumn<UsageRow> = {
  id: 'costCentre',
  label: t('column.costCentre'),
  type: 'text',
  width: '5.75rem',
  value: (row) => row.costCentre,
  cell: ({ costCentre: name }) => said(name),
  card: filled((row) => row.costCentre),
  cardLabel: t('column.costCentre'),
};

/** The invoice that billed the record, opened with the records of that line. */
const invoiceColumn = ({ invoiceLabel, hasInvoices }: ColumnOptions): GridColumn<UsageRow> => ({
  id: 'invoice',
  label: invoiceLabel,
  type: 'text',
  width: '3.75rem',
  sortable: false,
  screenOnly: hasInvoices,
  value: (row) => row.billedBy?.invoiceNumber,
  cell: ({ billedBy }) => {
    if (billedBy === null) return null;
    const words = t('invoice', { label: invoiceLabel, number: billedBy.invoiceNumber });
    if (!hasInvoices) return words;
    return (
      <Link
        to={`/invoices/${billedBy.invoiceId}`}
        search={{ records: billedBy.invoiceLineId } as never}
        className={styles.bill}
        title={words}
      >
        <Icon name="file" />
        <span>{words}</span>
      </Link>
    );
  },
  card: (row) => (row.billedBy === null ? 'none' : 'full'),
});

/** Only our own word has a singular. */
const unitWord = ({ units: label }: UsageLabels, units: number): string =>
  label === t('label.units') ? t('card.units', { count: units }) : label.toLocaleLowerCase();

/** A record without a price says so; it is not free. */
export const priceText = (price: number | null): string => (price === null ? '–' : formatPrice(price));

const said = (text: string | null) =>
  text === null || text === '' ? <span className={styles.muted}>-</span> : text;
