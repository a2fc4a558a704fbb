import { constant, type Row, rule, section } from '../../row.ts';

const portal = section({ prefix: 'portal.format', source: 'portal §1' }, [
  constant('money-decimals', 'Money is shown with 2 decimals.', { source: 'portal §1, §9' }),
  constant('usage-price-decimals', 'Usage prices are shown with 4 decimals.', {
    source: 'portal §1, §9',
  }),
  constant('transaction-price-decimals', 'Transaction prices are rounded to 2 decimals.', {
    source: 'portal §9',
  }),
  constant('date', 'A date that stands alone is shown as MM.DD.YYYY.', { source: 'portal §1; decisions §1' }),
  rule('language-month-names', 'The browser language sets month names.', {
    source: 'portal §1; payments §9; decisions §1',
  }),
  rule('language-week-start', 'The browser language sets the start of the week.', {
    source: 'portal §1; payments §9; decisions §1',
  }),
  rule('language-numbers', 'The browser language sets the number format.', { source: 'decisions §1' }),
  constant('bytes', 'A byte size formatter uses units B to TB.', {
    source: 'portal §9',
  }),
  constant('csv-transactions', 'The transactions CSV is named {month}_{year}_Transactions.csv.', {
    text: '{month}_{year}_Transactions.csv',
    source: 'portal §9',
  }),
  constant('csv-usage', 'The usage CSV is named {service}_Usage.csv.', {
    text: '{service}_Usage.csv',
    source: 'portal §9',
  }),
  constant('csv-invoice-usage', 'The invoice usage CSV is named {invoiceNumber}_usage.csv.', {
    text: '{invoiceNumber}_usage.csv',
    source: 'portal §9',
  }),
  constant('csv-cost-centre', 'The cost-centre CSV is named Cost_Centre_{service}.csv.', {
    text: 'Cost_Centre_{service}.csv',
    source: 'portal §9',
  }),
  constant('invoice-pdf', 'A saved invoice PDF is named invoice_{number}.pdf.', {
    text: 'invoice_{number}.pdf',
    source: 'portal §7 Reports',
  }),
  constant('report-file', 'A saved report is named Report {name}.{ext}.', {
    text: 'Report {name}.{ext}',
    source: 'portal §7 Reports',
  }),
]);

const decided = section({ prefix: 'decisions.5', source: 'decisions §5' }, [
  rule('currency-per-invoice', 'Each invoice carries its ISO currency.'),
  rule('currency-shown', "The brand's symbol is shown where the currency is equal, else the code."),
  rule('currency-not-mixed-bulk', 'A bulk payment never mixes currencies.'),
  rule('currency-not-mixed-balances', 'Balances never mix currencies.'),
  rule('currency-not-mixed-charts', 'Charts never mix currencies.'),
  rule('digits-stored', 'API and CSV carry the stored digits of usage.'),
  rule('digits-screen', 'Screens show four digits of usage.'),
  rule('rounding', 'Rounding is half away from zero, once, at the line that is shown.'),
  rule('zone-periods', "The brand's timeZone counts for periods."),
  rule('zone-due-dates', "The brand's timeZone counts for due dates."),
  rule('zone-auto-pay', "The brand's timeZone counts for auto-pay."),
  rule('zone-records', "The brand's timeZone counts for zone-less call records."),
  rule('zone-usage-filters', 'Usage filters are UTC, and the screen says so.'),
  rule('period-month', "A full calendar month is written like 'March 2026'.", {
    text: 'March 2026',
  }),
  constant('period-month-file', 'The file of a full month is named like 03_2026_Transactions.csv.', {
    text: '03_2026_Transactions.csv',
  }),
  rule('period-dates', 'Any other period is written as both dates.'),
  constant('period-dates-file', 'The file of any other period is YYYY-MM-DD_YYYY-MM-DD_Transactions.csv.'),
  rule('file-names', 'Characters a file system refuses become _ in file names.'),
  rule('file-names-header', 'File names are sent as RFC 6266 filename*.'),
]);

const money = section({ prefix: 'decisions.10', source: 'decisions §10' }, [
  rule('minor-units', 'Money is integer minor units with a currency in code.'),
  rule('rates', 'Usage prices are numeric(18,6).'),
  rule('quantities', 'Quantities are numeric(18,6).'),
  rule('exact-sums', 'Sums are exact.'),
  rule('json-decimals', 'JSON numbers carry at most the specified decimals for money.'),
  rule(
    'money-digits',
    'A currency whose digits are not two is shown with two, or with its own where the brand says so.',
  ),
  rule(
    'money-digits-everywhere',
    'What the brand says of digits holds for its every screen, file, mail and PDF.',
  ),
]);

const times = section({ prefix: 'decisions.11', source: 'decisions §11' }, [
  rule('payment-times-zone', "Times of payments are shown in the brand's time zone."),
  rule('payment-times-named', 'The time zone of payments is named once on the page.'),
]);

/** Dates, money, quantities and file names as they are written. */
export const rows: readonly Row[] = [...portal, ...decided, ...money, ...times];
