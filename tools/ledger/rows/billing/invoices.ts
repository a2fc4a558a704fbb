import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'portal.invoices', source: 'portal §2 Invoices' }, [
  screen('page', '/invoices is a grid of invoices.'),
  control('column.checkbox', 'The grid has a checkbox column only when bulk pay is enabled.'),
  field('column.number', 'The grid has a number column, a link to the invoice.'),
  field('column.amount', 'The grid has an Amount column.', 'Amount'),
  field('column.amount-due', 'The grid has an Amount Due column.', 'Amount Due'),
  field('column.date', 'The grid has an invoice date column.'),
  field('column.due', 'The grid has a Due column.', 'Due'),
  field('column.status', 'The grid has a Status column.', 'Status'),
  control('pay', "Status shows a 'Pay' button for a payable invoice.", 'Pay'),
  text('paid', "Status shows 'Paid' for a paid invoice.", { text: 'Paid', source: 'portal §2 Invoices, §4' }),
  control('pay-selection', "A 'Pay' button acts on the selection.", { text: 'Pay' }),
  control('deselect-all', 'A deselect-all action exists.'),
  rule('sorting', 'Sorting is by column.'),
]);

const model = section({ prefix: 'portal.invoices', source: 'portal §3' }, [
  field('invoice.id', 'An invoice has id.'),
  field('invoice.number', 'An invoice has number.'),
  field('invoice.amount', 'An invoice has amount.'),
  field('invoice.amountDue', 'An invoice has amountDue.'),
  field('invoice.tax', 'An invoice has tax.'),
  field('invoice.total', 'An invoice has total.'),
  field('invoice.dateInvoice', 'An invoice has dateInvoice.'),
  field('invoice.dateDue', 'An invoice has dateDue.'),
  field('invoice.dateGenerated', 'An invoice has dateGenerated.'),
  field('invoice.status', 'An invoice has status.'),
  field('invoice.paid', 'An invoice has paid.'),
  field('invoice.canPay', 'An invoice has canPay.'),
  field('invoice.payToken', 'An invoice has payToken.'),
  field('invoice.selected', 'An invoice has selected, on the client side only.'),
  field('invoice.customer.name', 'An invoice has customer.name.'),
  field('invoice.subtotal', 'An invoice has subtotal.'),
]);

const rules = section({ prefix: 'portal.invoices', source: 'portal §4' }, [
  rule('payable', 'An invoice is payable only if canPay is set and it is not paid.'),
  constant('status-paid', 'Status 11 means paid.', {
    source: 'portal §3, §4, §9; payments §9; decisions §5',
  }),
  rule('selecting', 'Selecting invoices toggles selected on each one.'),
]);

const calls = section({ prefix: 'portal.invoices', source: 'portal §7 Billing data' }, [
  call('list', 'GET /v1/ec/invoices answers the invoices.'),
  call('pdf', 'GET /v1/ec/invoices/{id} answers a PDF blob.'),
]);

const envelope = section({ prefix: 'decisions.3', source: 'decisions §3' }, [
  rule('invoices-newest-first', 'GET /v1/ec/invoices answers the invoices newest first.'),
  field('invoices.pageNumber', 'GET /v1/ec/invoices takes pageNumber.'),
  field('invoices.pageSize', 'GET /v1/ec/invoices takes pageSize.'),
  field('invoices.totalCount', 'With pageNumber and pageSize totalCount stands beside data.'),
]);

const decided = section({ prefix: 'decisions.5', source: 'decisions §5' }, [
  rule('amount-subtotal', 'subtotal is tax-exclusive.'),
  rule('amount-tax', 'tax stands for itself.'),
  rule('amount-total', 'total is tax-inclusive.'),
  rule('amount-rounding', 'Rounding is kept apart.'),
  rule('amount-prepaid', 'The prepaid amount is kept apart.'),
  rule('amount-is-total', 'amount equals total.'),
  rule('amount-due', 'amountDue is payable less payments and credits.'),
  constant('status-open', 'Status 10 is open.'),
  constant('status-credited', 'Status 12 is credited.'),
  constant('status-void', 'Status 13 is void.'),
  constant('status-disputed', 'Status 14 is disputed.'),
  rule('status-overdue', 'Overdue is derived, not stored.'),
  rule('status-part-paid', 'Part-paid is derived, not stored.'),
  rule('status-being-confirmed', 'Being-confirmed is derived, not stored.'),
  rule('can-pay-enabled', 'canPay needs payments enabled.'),
  rule('can-pay-gateway', 'canPay needs a configured gateway.'),
  rule('can-pay-status', 'canPay needs status 10.'),
  rule('can-pay-due', 'canPay needs amountDue above 0.'),
  rule('can-pay-no-attempt', 'canPay needs that no attempt is open.'),
  rule('credits-same-table', 'Credit notes stand in the same table, told apart by kind.'),
  rule('credits-minus', 'Credit notes and negative invoices are listed with a minus.'),
  rule('credits-no-pay', 'Credit notes and negative invoices have no Pay.'),
  rule('credited-by-credit', 'An invoice becomes 12 when its due reaches 0 by credit.'),
  rule('credit-left-over', "What is left over of a credit is the customer's credit."),
]);

const pay = section({ prefix: 'decisions.6', source: 'decisions §6' }, [
  rule('row-pay-bulk', 'With bulk enabled the Pay of a row leads to bulk pay with that invoice.'),
  rule('row-pay-link', 'Without bulk the Pay of a row leads to /pay/{payToken}.'),
]);

const errors = section({ prefix: 'payments.invoices', source: 'payments §8' }, [
  error('load-failure', 'A failed invoice load is logged and the loader is cleared.'),
]);

/** Invoices: grid, entity, status, credits. */
export const rows: readonly Row[] = [
  ...page,
  ...model,
  ...rules,
  ...calls,
  ...envelope,
  ...decided,
  ...pay,
  ...errors,
];
