import type { StoredResellerSettings } from '@counterfoil/contract/brand.ts';
import type { JournalFormat } from '@counterfoil/contract/operator/billing/journal.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { type CsvValue, csvDecimal, csvRow } from '@counterfoil/domain/text/csv.ts';
import type { Db } from '../../db/database.ts';
import { accountCode, accountWords } from './accounts.ts';
import {
  type CostCentreRow,
  type DayRow,
  type EntryRow,
  type JournalOf,
  listCostCentres,
  listDays,
  listEntries,
} from './queries.ts';

/** Entries that are in memory at a time. */
const PAGE = 1_000;

const amount = (minor: bigint, currency: string) => csvDecimal(formatDecimal(money(minor, currency)));

/** How a file for one accounting system is written. */
interface Layout {
  readonly head: readonly string[];
  /** A page of them at a time. */
  readonly lines: (db: Db, of: JournalOf, settings: StoredResellerSettings) => AsyncIterable<CsvValue[][]>;
}

/** Of the sums of a day: each side of an account that has something is a line. */
const dayLayout = (
  head: readonly string[],
  line: (
    row: DayRow,
    side: { readonly isDebit: boolean; readonly minor: bigint },
    settings: StoredResellerSettings,
  ) => CsvValue[],
): Layout => ({
  head,
  async *lines(db, of, settings) {
    const days = await listDays(db, of);
    yield days.flatMap((row) =>
      [
        { isDebit: true, minor: row.debit_minor },
        { isDebit: false, minor: row.credit_minor },
      ].flatMap((side) => (side.minor > 0n ? [line(row, side, settings)] : [])),
    );
  },
});

/** Of one day and currency, since a journal has one of each. */
const journalNo = ({ day, currency }: DayRow): string => `CF-${day.replaceAll('-', '')}-${currency}`;

const generic: Layout = {
  head: [
    'Date',
    'Entry',
    'Account',
    'Account name',
    'Debit',
    'Credit',
    'Currency',
    'Customer',
    'Customer reference',
    'Invoice',
    'Payment',
    'Source',
  ],
  async *lines(db, of, settings) {
    for (let after: EntryRow | undefined; ; ) {
      const page = await listEntries(db, of, { after, limit: PAGE });
      yield page.flatMap((row) => {
        const minor = amount(row.amount_minor, row.currency);
        return [
          sideOf(row, row.debit, [minor, null], settings),
          sideOf(row, row.credit, [null, minor], settings),
        ];
      });
      after = page.at(-1);
      if (page.length < PAGE) return;
    }
  },
};

const sideOf = (
  row: EntryRow,
  account: string,
  [debit, credit]: readonly [CsvValue, CsvValue],
  settings: StoredResellerSettings,
): CsvValue[] => [
  row.day,
  row.id,
  accountCode(account, settings),
  accountWords(account),
  debit,
  credit,
  row.currency,
  row.customer,
  row.customer_ref,
  row.invoice,
  row.payment,
  row.source,
];

/** Manual journals of Xero: debits are positive, credits negative; the template's columns, without tracking. */
const xero = dayLayout(
  ['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
  (row, { isDebit, minor }, settings) => [
    journalNo(row),
    row.day.split('-').toReversed().join('/'),
    accountWords(row.account),
    accountCode(row.account, settings),
    settings.journalTaxRate,
    amount(isDebit ? minor : -minor, row.currency),
  ],
);

/** Journal entries of QuickBooks Online: the template's columns. */
const quickbooks = dayLayout(
  ['*JournalNo', '*JournalDate', '*AccountName', '*Debits', '*Credits', 'Description', 'Name', 'Currency'],
  (row, { isDebit, minor }, settings) => [
    journalNo(row),
    row.day,
    accountCode(row.account, settings),
    isDebit ? amount(minor, row.currency) : null,
    isDebit ? null : amount(minor, row.currency),
    accountWords(row.account),
    null,
    row.currency,
  ],
);

/** Invoices that are read at a time. */
const INVOICES = 500;

/** What invoices come to by cost centre: each invoice's rows come to its total. */
const costCentres: Layout = {
  head: [
    'Date',
    'Invoice',
    'Kind',
    'Customer',
    'Customer reference',
    'Cost centre',
    'Currency',
    'Amount',
    'Tax',
    'Total',
  ],
  async *lines(db, of) {
    for (let after: CostCentreRow | undefined; ; ) {
      const page = await listCostCentres(db, of, { after, limit: INVOICES });
      // Of an invoice whose lines all have one, nothing is left for none.
      yield page
        .filter((row) => row.cost_centre !== null || row.amount_minor !== 0n || row.tax_minor !== 0n)
        .map((row) => [
          row.issued_on,
          row.number,
          row.kind,
          row.customer,
          row.customer_ref,
          row.cost_centre,
          row.currency,
          amount(row.amount_minor, row.currency),
          amount(row.tax_minor, row.currency),
          amount(row.amount_minor + row.tax_minor, row.currency),
        ]);
      after = page.at(-1);
      if (new Set(page.map(({ id }) => id)).size < INVOICES) return;
    }
  },
};

const layouts: Readonly<Record<JournalFormat, Layout>> = {
  generic,
  xero,
  quickbooks,
  costCentres,
};

/**
 * The ledger of some days as CSV, a page at a time. Days that are over are whole; what is booked meanwhile is of a day that is
 * not.
 */
export async function* journalCsv(
  db: Db,
  of: JournalOf,
  how: {
    readonly format: JournalFormat;
    readonly settings: StoredResellerSettings;
    readonly byteOrderMark?: boolean;
  },
): AsyncGenerator<string> {
  const { head, lines } = layouts[how.format];
  yield (how.byteOrderMark === true ? '\ufeff' : '') + csvRow([...head]);
  for await (const page of lines(db, of, how.settings)) yield page.map((line) => csvRow(line)).join('');
}
