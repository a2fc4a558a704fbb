import { call, control, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'portal.invoice-detail', source: 'portal §2 Invoice detail' }, [
  screen('page', '/invoices/{id} shows one invoice.'),
  control('back', 'The page has a back button.'),
  text('breadcrumb', 'The page has a breadcrumb.', 'Invoices / {number}'),
  control('tab.details', 'The page has a tab Details.', 'Details'),
  control('tab.usage', 'The page has a tab Usage.', 'Usage'),
  field('number', 'Details show the invoice number.'),
  field('customer', 'Details show the customer name.'),
  field('date', 'Details show the invoice date.'),
  field('due-date', 'Details show the due date.'),
  text('due-date-missing', 'What stands for a missing due date.', '-'),
  control('view-pdf', 'A button opens the PDF.', 'View PDF'),
  field('card.subtotal', 'A card shows the subtotal with 2 decimals.', 'Subtotal'),
  field('card.tax', 'A card shows the tax with 2 decimals.', 'Tax'),
  field('card.amount', 'A card shows subtotal plus tax with 2 decimals.', {
    text: 'Invoice Amount',
    source: 'portal §2 Invoice detail; decisions §1',
  }),
  screen('usage', 'The Usage tab has a usage grid.'),
  rule('usage-sortable', 'The usage grid is sortable.'),
  rule('usage-paged', 'The usage grid is paged.'),
  rule('usage-initial-sort', 'The first column is the initial sort, ascending.'),
  control('download-usage', 'A button exports the invoice usage to a file.', 'Download Usage'),
  rule('loaded-once', 'The invoice is loaded only if it is not already held.', {
    source: 'portal §2 Invoice detail; payments §7',
  }),
]);

const model = section({ prefix: 'portal.invoice-detail', source: 'portal §3' }, [
  field('usage.serviceItem', 'An invoice usage line has serviceItem.'),
  field('usage.service', 'An invoice usage line has service.'),
  field('usage.recordType', 'An invoice usage line has recordType.'),
  field('usage.quantity', 'An invoice usage line has quantity.'),
  field('usage.invoiceAmount', 'An invoice usage line has invoiceAmount.'),
  field('usage.invoiceTax', 'An invoice usage line has invoiceTax.'),
  field('usage.invoiceTotal', 'An invoice usage line has invoiceTotal.'),
  call('invoice', 'GET /v1/ec/invoice/{id} answers the invoice as data.data.', {
    source: 'portal §7 Billing data; payments §7',
  }),
]);

const decided = section({ prefix: 'decisions', source: 'decisions §3' }, [
  field('3.invoice.lines', 'The answer of GET /v1/ec/invoice/{id} has lines.'),
  field('3.invoice.usage', 'The answer of GET /v1/ec/invoice/{id} has usage.'),
  rule('3.usage-aggregated', 'The usage of an invoice is aggregated by service item and record type.'),
  rule('3.usage-tax-split', 'Tax is split over usage lines by largest remainder.'),
  rule('3.single-records', 'Single records are read by the usage call.'),
  call('2.line-records', 'GET /v1/ec/usage?invoiceLine=… answers the records of one invoice line.', {
    source: 'decisions §2',
  }),
  rule('1.rounding-line', 'Rounding stands below the cards as a line of its own.', {
    source: 'decisions §1',
  }),
  rule('1.prepaid-line', 'The prepaid amount stands below the cards as a line of its own.', {
    source: 'decisions §1',
  }),
  rule('1.amount-due-line', 'The amount due stands below the cards as a line of its own.', {
    source: 'decisions §1',
  }),
]);

/** Invoice detail. */
export const rows: readonly Row[] = [...page, ...model, ...decided];
