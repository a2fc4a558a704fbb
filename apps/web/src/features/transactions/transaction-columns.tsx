import type { BrandSettings } from '@counterfoil/contract/brand.ts';
import {
  type ExtraFieldLabel,
  ExtraFieldType,
  type Transaction,
  type TransactionSums,
} from '@counterfoil/contract/transactions.ts';
import type { CsvValue } from '@counterfoil/domain/text/csv.ts';
import { Link } from '@tanstack/react-router';
import { csvMoney } from '../../lib/csv/csv-money.ts';
import { formatQuantity } from '../../lib/values/quantity.ts';
import { formatMoney } from '../../text/format.ts';
import type { GridColumn } from '../../ui/data/grid/grid-types.ts';
import { t } from './messages.ts';

type Extra = 1 | 2 | 3 | 4 | 5;
const extras: readonly Extra[] = [1, 2, 3, 4, 5];

/** An extra column the brand shows, with its header. */
export interface ExtraColumn {
  readonly number: Extra;
  readonly label: string;
}

/** The extra columns the brand has switched on, with the labels of type 3 (specification, portal §3). */
export const extraColumns = (
  brand: Pick<BrandSettings, `endPortalTransactionsExtraTab${Extra}`>,
  labels: readonly ExtraFieldLabel[],
): readonly ExtraColumn[] =>
  extras
    .filter((number) => brand[`endPortalTransactionsExtraTab${number}`])
    .map((number) => {
      const own = labels.find((one) => one.type === ExtraFieldType.TRANSACTION && one.number === number);
      return { number, label: own?.label ?? `Extra ${number}` };
    });

/** On a card only where there is something. */
const filled = (value: (row: Transaction) => string) => (row: Transaction) =>
  value(row) === '' ? 'none' : 'rest';

const text = (id: 'productLabel' | 'serviceName' | 'serviceItem' | 'siteLabel'): GridColumn<Transaction> => ({
  id,
  label: t(`column.${id}`),
  type: 'text',
  value: (row) => row[id],
  width: '6rem',
  ...(id === 'siteLabel' && { shortens: true }),
  card: id === 'serviceItem' ? 'when' : filled((row) => row[id]),
  ...(id !== 'serviceItem' && { cardLabel: t(`column.${id}`) }),
});

/**
 * The columns in the specification's order.
 * @param sums say which columns are empty in all charges: they are left out, but for those everybody looks for
 */
export const transactionColumns = (
  extra: readonly ExtraColumn[],
  sums: Pick<TransactionSums, 'hasProductLabels' | 'hasSiteLabels'> | undefined,
): readonly GridColumn<Transaction>[] => {
  return [
    ...(sums?.hasProductLabels ? [text('productLabel')] : []),
    {
      id: 'productName',
      label: t('column.productName'),
      type: 'text',
      value: (row) => row.productName,
      shortens: true,
      card: 'lead',
    },
    text('serviceName'),
    text('serviceItem'),
    ...(sums?.hasSiteLabels ? [text('siteLabel')] : []),
    {
      id: 'invoiceNumber',
      label: t('column.invoiceNumber'),
      type: 'text',
      value: (row) => row.invoiceNumber,
      cell: (row) =>
        row.invoiceId === null ? (
          t('notInvoiced')
        ) : (
          <Link to={`/invoices/${row.invoiceId}`}>{row.invoiceNumber}</Link>
        ),
      cellState: 'none',
      muted: (row) => row.invoiceId === null,
      width: '7rem',
      shortens: 26,
      card: 'state',
    },
    {
      id: 'dateFrom',
      label: t('column.dateFrom'),
      type: 'date',
      value: (row) => row.dateFrom,
      width: '6.75rem',
      card: 'rest',
      cardLabel: t('card.from'),
    },
    {
      id: 'dateTo',
      label: t('column.dateTo'),
      type: 'date',
      value: (row) => row.dateTo,
      width: '6.75rem',
      card: 'rest',
      cardLabel: t('card.to'),
    },
    {
      id: 'quantity',
      label: t('column.quantity'),
      type: 'number',
      value: (row) => row.quantity,
      cell: (row) => formatQuantity(row.quantity, row.quantityUnit ?? row.unit),
      width: '5.5rem',
      card: 'rest',
      cardLabel: t('column.quantity'),
    },
    {
      id: 'price',
      label: t('column.price'),
      type: 'money',
      value: (row) => row.price,
      cell: (row) => formatMoney(row.price, { currency: row.currency }),
      width: '7.25rem',
      strong: true,
      card: 'figure',
    },
    ...extra.map(
      ({ number, label }): GridColumn<Transaction> => ({
        id: `extraField${number}`,
        label,
        type: 'text',
        value: (row) => row[`extraField${number}`],
        width: '6rem',
        gap: number === extra[0]?.number,
        card: filled((row) => row[`extraField${number}`]),
        cardLabel: label,
      }),
    ),
  ];
};

/** The same as a file, every field of it: headers and rows. */
export function transactionsCsv(
  rows: readonly Transaction[],
  extra: readonly ExtraColumn[],
): { readonly head: readonly string[]; readonly rows: readonly (readonly CsvValue[])[] } {
  const fields = [
    ...(['productLabel', 'productName', 'serviceName', 'serviceItem', 'siteLabel', 'invoiceNumber'] as const),
    ...(['dateFrom', 'dateTo', 'quantity', 'price', 'currency'] as const),
  ];
  return {
    // The unit last, so that whoever reads by position finds everything where it was.
    head: [
      ...fields.map((field) => t(`column.${field}`)),
      ...extra.map(({ label }) => label),
      t('column.unit'),
    ],
    rows: rows.map((row) => [
      ...fields.map((field) => (field === 'price' ? csvMoney(row.price, row.currency) : row[field])),
      ...extra.map(({ number }) => row[`extraField${number}`]),
      row.quantityUnit ?? row.unit,
    ]),
  };
}
