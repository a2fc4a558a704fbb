import type { Ageing, Statement, StatementEntry } from '@counterfoil/contract/statement.ts';
import type { CsvValue } from '@counterfoil/domain/text/csv.ts';
import { Link } from '@tanstack/react-router';
import { csvMoney } from '../../lib/csv/csv-money.ts';
import { ReceiptButton } from '../../paying/outcome/receipt-button.tsx';
import { formatMoney } from '../../text/format.ts';
import type { GridColumn } from '../../ui/data/grid/grid-types.ts';
import { t } from './messages.ts';
import styles from './statement.module.css';

/** An entry with its place in the account: an entry has no id, and two may be alike. */
export interface EntryRow extends StatementEntry {
  readonly place: number;
}

export const rowsOf = (statement: Pick<Statement, 'entries'>): readonly EntryRow[] =>
  statement.entries.map((entry, at) => ({ ...entry, place: at + 1 }));

/** @param invoiceLabel the brand's word for an invoice */
export const kindText = (kind: StatementEntry['kind'], invoiceLabel: string): string =>
  kind === 'invoice' ? invoiceLabel : t(`kind.${kind}`);

/** Date, what it is, its reference (an invoice opens), what it changed and what is owed after it. */
export const entryColumns = (currency: string, invoiceLabel: string): readonly GridColumn<EntryRow>[] => [
  {
    id: 'date',
    label: t('column.date'),
    type: 'date',
    value: (row) => row.date,
    width: '7.5rem',
    card: 'when',
  },
  {
    id: 'kind',
    label: t('column.kind'),
    type: 'text',
    value: (row) => kindText(row.kind, invoiceLabel),
    width: '10rem',
    card: 'lead',
  },
  {
    id: 'reference',
    label: t('column.reference'),
    type: 'text',
    value: (row) => row.reference,
    cell: (row) =>
      row.invoiceId !== null ? (
        <Link to={`/invoices/${row.invoiceId}`}>{row.reference}</Link>
      ) : row.receiptOf !== null ? (
        <span className={styles.receipt}>
          {row.reference}
          <ReceiptButton variant="quiet" size="small" payment={row.receiptOf} reference={row.reference} />
        </span>
      ) : (
        row.reference || '–'
      ),
    cellState: 'kept',
    muted: (row) => row.reference === '',
    card: 'rest',
  },
  {
    id: 'amount',
    label: t('column.amount'),
    type: 'money',
    value: (row) => row.amount,
    cell: (row) => formatMoney(row.amount, { currency }),
    width: '8rem',
    card: 'figure',
  },
  {
    id: 'balance',
    label: t('column.balance'),
    type: 'money',
    value: (row) => row.balance,
    cell: (row) => formatMoney(row.balance, { currency }),
    width: '8.5rem',
    strong: true,
    card: 'state',
    cardLabel: t('column.balance'),
  },
];

/** The account as a file: opening balance, every entry, closing balance. */
export function statementCsv(
  statement: Statement,
  invoiceLabel: string,
): {
  readonly name: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly CsvValue[])[];
} {
  const { dateFrom, dateTo, currency, opening, closing } = statement;
  return {
    name: `Statement_${dateFrom}_${dateTo}.csv`,
    head: (['date', 'kind', 'reference', 'amount', 'balance', 'currency'] as const).map((id) =>
      t(`column.${id}`),
    ),
    rows: [
      [dateFrom, t('opening'), '', '', csvMoney(opening, currency), currency],
      ...statement.entries.map((entry) => [
        entry.date,
        kindText(entry.kind, invoiceLabel),
        entry.reference,
        csvMoney(entry.amount, currency),
        csvMoney(entry.balance, currency),
        currency,
      ]),
      [dateTo, t('closing'), '', '', csvMoney(closing, currency), currency],
    ],
  };
}

const buckets = ['notDue', 'days1To30', 'days31To60', 'days61To90', 'over90'] as const;

/** One span of age: what is open in it, and its bar in hundredths of the longest. */
export interface AgeBucket {
  readonly id: (typeof buckets)[number];
  readonly amount: number;
  readonly share: number;
}

export function ageBuckets(ageing: Ageing): readonly AgeBucket[] {
  const most = Math.max(...buckets.map((id) => ageing[id]));
  return buckets.map((id) => {
    const amount = ageing[id];
    // What is open is never drawn as nothing.
    const share = amount > 0 ? Math.max(1, Math.round((amount / most) * 100)) : 0;
    return { id, amount, share };
  });
}
