import { call, control, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'portal.transactions', source: 'portal §2 Transactions' }, [
  screen('page', '/transactions shows transactions per billing period.', {
    source: 'portal §1, §2 Transactions',
  }),
  text('title', 'The title of the page.', 'Transactions'),
  control('agreement', 'The page has an agreement selector.'),
  control('period', 'The page has a searchable period selector.', 'Period:'),
  rule('period-text', 'The text of a period is month plus year, or the start and end dates.'),
  control('download', 'A button downloads the CSV.', 'Download Transactions'),
  rule('sortable', 'The grid is sortable.'),
  rule('extra-1', 'Extra column 1 is shown when the brand enables endPortalTransactionsExtraTab1.'),
  rule('extra-2', 'Extra column 2 is shown when the brand enables endPortalTransactionsExtraTab2.'),
  rule('extra-3', 'Extra column 3 is shown when the brand enables endPortalTransactionsExtraTab3.'),
  rule('extra-4', 'Extra column 4 is shown when the brand enables endPortalTransactionsExtraTab4.'),
  rule('extra-5', 'Extra column 5 is shown when the brand enables endPortalTransactionsExtraTab5.'),
  rule('extra-headers', 'The headers of the extra columns are custom labels.'),
  rule('first-agreement', 'When no agreement is chosen, the first agreement is selected automatically.'),
  rule('first-agreement-periods', 'The periods of the agreement selected automatically are loaded.'),
]);

const model = section({ prefix: 'portal.transactions', source: 'portal §3' }, [
  field('transaction.productLabel', 'A transaction has productLabel.'),
  field('transaction.productName', 'A transaction has productName.'),
  field('transaction.serviceName', 'A transaction has serviceName.'),
  field('transaction.serviceItem', 'A transaction has serviceItem.'),
  field('transaction.siteLabel', 'A transaction has siteLabel.'),
  field('transaction.invoiceNumber', 'A transaction has invoiceNumber.'),
  field('transaction.dateFrom', 'A transaction has dateFrom.'),
  field('transaction.dateTo', 'A transaction has dateTo.'),
  field('transaction.price', 'A transaction has price.'),
  field('transaction.quantity', 'A transaction has quantity.'),
  field('transaction.extraField1', 'A transaction has extraField1.'),
  field('transaction.extraField2', 'A transaction has extraField2.'),
  field('transaction.extraField3', 'A transaction has extraField3.'),
  field('transaction.extraField4', 'A transaction has extraField4.'),
  field('transaction.extraField5', 'A transaction has extraField5.'),
  rule('extra-labels-type-3', 'Extra headers come from extra-field labels of type 3.'),
  field('agreement.id', 'An agreement has id.'),
  field('agreement.agreementName', 'An agreement has agreementName.'),
  field('period.id', 'A billing period has id.'),
  field('period.month', 'A billing period has month.'),
  field('period.year', 'A billing period has year.'),
  field('period.periodStart', 'A billing period has periodStart.'),
  field('period.periodEnd', 'A billing period has periodEnd.'),
]);

const calls = section({ prefix: 'portal.transactions', source: 'portal §7 Billing data' }, [
  call('list', 'GET /v1/ec/transactions?period={period} answers the transactions of a period.'),
  field('list.period', 'The transactions call takes period.'),
  call('agreements', 'GET /v1/ec/agreements answers the agreements.'),
  call('billing-periods', 'GET /v1/ec/billing-periods/{id} answers the periods of an agreement.'),
  call('extra-fields', 'GET /v1/ec/extra-fields/labels answers the labels of extra fields.'),
]);

const decided = section({ prefix: 'decisions.5', source: 'decisions §5' }, [
  rule('transaction-is-line', 'A transaction is an invoice line seen by period.'),
  rule('transaction-not-invoiced', 'A transaction not yet invoiced has an empty invoice number.'),
  rule('transaction-one-table', 'Invoiced and not yet invoiced transactions stand in one table.'),
]);

/** Transactions, agreements and billing periods. */
export const rows: readonly Row[] = [...page, ...model, ...calls, ...decided];
