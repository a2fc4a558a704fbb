import type { Proof, Proofs } from '../row.ts';

const proof = (file: string, title: string): readonly Proof[] => [{ file, title }];
const shown = (title: string) => proof('apps/web/src/lib/format.test.ts', title);
const language = (title: string) => proof('apps/web/src/lib/browser-language.test.ts', title);
const saved = proof(
  'apps/web/src/features/invoices/invoice-details.test.tsx',
  'is saved as {number}_usage.csv',
);
const sent = (title: string) => proof('apps/api/src/features/invoices/routes.test.ts', title);
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const figures = 'apps/api/src/features/invoices/figures.test.ts';
const schema = 'apps/api/test/schema.test.ts';
const rate = 'packages/domain/src/rate.test.ts';
const moneyFile = 'packages/domain/src/money.test.ts';
const exactColumns = [
  ...by(schema, 'prices and quantities are numeric(18,6)'),
  ...by(rate, 'knows what fits a column'),
];

const usagePage: Proof = {
  file: 'e2e/usage.spec.ts',
  title:
    'usage: filters, labels of the service, totals, resets, pages and their numbers, sorting, the address',
};
const transactionsPage: Proof = {
  file: 'e2e/transactions.spec.ts',
  title: 'transactions: the first agreement by itself, periods by search, extra columns, sorting, the file',
};
const costCentresPage: Proof = {
  file: 'e2e/cost-centres.spec.ts',
  title: 'cost centres: filters, the file of what is filtered, and a row edited by keyboard',
};

const dates = 'packages/domain/src/dates.test.ts';
const periodText: Proof = {
  file: dates,
  title: 'writes a full month as month and year, anything else as both dates',
};
const periodFile: Proof = { file: dates, title: 'names the transactions file' };

const reportSaved: Proof = {
  file: 'e2e/reports.spec.ts',
  title: 'Invoice Details stands first; the modal stays while it is generated and the CSV is saved',
};
const reportName: Proof = {
  file: 'apps/web/src/features/reports/report-form.test.ts',
  title: 'the file is named Report {name}.{ext}: csv, pdf, and a real spreadsheet for the rest',
};

/** Tests that prove rows of format: row id to file and title. */
export const proofs: Proofs = {
  'decisions.5.zone-auto-pay': by('apps/api/src/features/auto-pay/judge.test.ts', '%s at %s'),
  'portal.format.constant.money-decimals': shown('has two decimals and the brand’s symbol'),
  'portal.format.constant.date': shown('shows days as MM.DD.YYYY whatever the locale'),
  'portal.format.language-month-names': language('%s names the months: %s'),
  'portal.format.language-week-start': [
    ...language('%s sets the start of the week: day %i'),
    ...by('e2e/reports.spec.ts', 'last week begins on the day of a browser in'),
  ],
  'portal.format.language-numbers': language('%s sets the number format: %s, %s'),
  'portal.format.constant.csv-invoice-usage': [
    ...saved,
    ...sent('gives the usage as CSV under its specified name'),
  ],
  'portal.format.constant.invoice-pdf': [...saved, ...sent('gives the PDF under its specified name')],
  'decisions.5.currency-per-invoice': by(figures, 'subtotal, tax and total; rounding and prepaid apart'),
  'decisions.5.currency-shown': [
    ...shown('has two decimals and the brand’s symbol'),
    ...shown('carries its code in another currency'),
  ],
  'decisions.5.digits-stored': by(figures, 'keeps its stored digits in the answer and in the CSV'),
  'decisions.5.rounding': [
    ...by(rate, '%s at %i decimals is %s', '%s %s is %i minor units'),
    ...by('packages/domain/src/invoice-sums.test.ts', 'rounds once, not at each step'),
    ...shown('rounds half away from zero'),
  ],
  'decisions.5.zone-due-dates': [
    ...by(figures, 'is overdue by the day of the brand’s time zone'),
    ...by('apps/web/src/features/public-pay/screens.test.tsx', 'is a day past in the brand’s time zone'),
    ...by(
      'apps/web/src/features/invoices/invoice-details.test.tsx',
      'is told in days from today in the brand’s time zone',
    ),
  ],
  'decisions.5.zone-records': by(
    'apps/api/src/features/imports/take-usage.test.ts',
    'reads wall-clock times in the brand’s zone, or in the one given',
  ),
  'decisions.5.file-names': by(
    'packages/domain/src/file-name.test.ts',
    'is safe for any text and leaves a safe name alone',
  ),
  'decisions.5.file-names-header': by(
    'packages/domain/src/file-name.test.ts',
    'gives a plain and an exact name',
    'cannot be broken out of, and the exact name decodes to the safe one',
  ),
  'decisions.10.minor-units': [
    ...by(schema, 'money is whole minor units, in a table that names the currency'),
    ...by(moneyFile, 'never mixes currencies'),
    ...by('apps/api/src/db/database.test.ts', 'keeps money as bigint, quantities and days as text'),
  ],
  'decisions.10.rates': exactColumns,
  'decisions.10.quantities': exactColumns,
  'decisions.10.exact-sums': [
    ...by(moneyFile, 'adds and subtracts exactly'),
    ...by(rate, 'adds what floats cannot', 'is exact'),
  ],
  'decisions.10.json-decimals': [
    ...by(
      moneyFile,
      'survives JSON unchanged wherever it answers',
      'gives the nearest number beyond, and says what is exact',
    ),
    ...by(rate, 'gives numbers for JSON'),
  ],
  'decisions.5.digits-screen': [
    { file: 'apps/web/src/lib/format.test.ts', title: 'keeps the digits a quantity has' },
  ],
  'portal.format.constant.csv-transactions': [transactionsPage],
  'decisions.5.zone-usage-filters': [
    usagePage,
    {
      file: 'e2e/usage-links.spec.ts',
      title: 'usage: the timeframes are those of UTC, wherever the reader is',
    },
  ],
  'portal.format.constant.csv-usage': [
    {
      file: 'e2e/usage-links.spec.ts',
      title: 'usage: the file has the filter and the order of the screen, and the name of the service',
    },
  ],
  'portal.format.constant.usage-price-decimals': [
    usagePage,
    {
      file: 'apps/web/src/features/usage/usage-columns.test.tsx',
      title: 'show every field of a record: UTC to the second, four decimals, rounded half away from zero',
    },
  ],
  'portal.format.constant.csv-cost-centre': [costCentresPage],
  'decisions.5.period-month': [periodText, transactionsPage],
  'decisions.5.constant.period-month-file': [periodFile, transactionsPage],
  'decisions.5.period-dates': [periodText, transactionsPage],
  'decisions.5.constant.period-dates-file': [periodFile, transactionsPage],
  'portal.format.constant.report-file': [reportName, reportSaved],
  'portal.format.constant.transaction-price-decimals': by(
    'apps/web/src/features/transactions/transaction-columns.test.ts',
    'prices are rounded to 2 decimals, half away from zero',
  ),
  'decisions.5.currency-not-mixed-balances': by(
    'apps/api/src/features/statement/routes.test.ts',
    'never mixes currencies: the brand’s by default, another by choice',
  ),
  'decisions.5.currency-not-mixed-bulk': by(
    'apps/api/src/features/bulk-pay/intents.test.ts',
    'refuses %s beside a good one',
  ),
  'decisions.5.currency-not-mixed-charts': by(
    'apps/web/src/features/dashboard/dashboard-page.test.tsx',
    'has the last 5 of the brand’s currency, oldest first',
  ),
  'decisions.5.zone-periods': by(
    'apps/api/src/features/statement/routes.test.ts',
    'counts months and days in the brand’s zone',
  ),
  'portal.format.constant.bytes': by('packages/domain/src/bytes.test.ts', '%s bytes are %s'),
};
