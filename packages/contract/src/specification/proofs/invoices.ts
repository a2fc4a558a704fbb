import { inBrowser, type Proof, type Proofs } from '../row.ts';

const proof = (file: string, title: string): readonly Proof[] => [{ file, title }];
const web = (title: string) => proof('apps/web/src/lib/invoices/invoice-state.test.ts', title);
const grid = (title: string) => proof('apps/web/src/features/invoices/invoice-columns.test.ts', title);
const api = (title: string) => proof('apps/api/src/features/invoices/routes.test.ts', title);

const columns = grid('has the columns of the specification in its order');
const listed = api('lists newest first with amount, amount due, state and pay token');
const paged = api('pages with the total beside the data');
const payable = web('not when %s');
const listPage = (title: string) => proof('apps/web/src/features/invoices/invoices-page.test.tsx', title);
const choosing = proof('apps/web/src/features/invoices/selection.test.ts', 'toggles selected on each one');
const bar = listPage('has a bar with the sum of the selection, Deselect all and Pay');
const fields = proof(
  'apps/api/src/features/invoices/fields.test.ts',
  'has every specified field, in the list and by itself',
);
const settled = proof(
  'apps/api/src/features/invoices/fields.test.ts',
  'says by its fields that it is paid, and what is left of one paid in part',
);
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const domain = 'packages/domain/src/invoice.test.ts';
const numbers = by(domain, 'keeps the numbers of the contract');
const conditions = by(domain, 'needs all five conditions');
const labels = by(domain, 'is labelled %s');
const amounts = by(
  'apps/api/src/features/invoices/figures.test.ts',
  'subtotal, tax and total; rounding and prepaid apart; amount is the total',
);
const leftOver = by(
  'apps/api/src/features/imports/credits.test.ts',
  'part credits add up, and what is left over stays the customer’s',
);

/** Tests that prove rows of invoices: row id to file and title. */
export const proofs: Proofs = {
  'portal.invoices.screen.page': [
    ...columns,
    inBrowser('invoices', 'the list has the specified columns, newest first'),
  ],
  'portal.invoices.field.column.number': columns,
  'portal.invoices.field.column.amount': columns,
  'portal.invoices.field.column.amount-due': columns,
  'portal.invoices.field.column.date': columns,
  'portal.invoices.field.column.due': columns,
  'portal.invoices.field.column.status': columns,
  'portal.invoices.control.column.checkbox': [
    ...listPage('has a checkbox column only when bulk pay is enabled; rows that cannot be paid have none'),
    inBrowser('invoice-selection', 'without bulk pay there are no boxes'),
  ],
  'portal.invoices.control.pay-selection': [
    ...bar,
    ...proof(
      'e2e/bulk-pay.spec.ts',
      'by keyboard alone: three invoices are chosen and paid with a saved card, once',
    ),
  ],
  'portal.invoices.control.deselect-all': [
    ...bar,
    ...proof(
      'e2e/invoice-selection.spec.ts',
      'a selection outlives sorting, paging and coming back, and holds one currency',
    ),
  ],
  'portal.invoices.field.invoice.selected': choosing,
  'portal.invoices.selecting': choosing,
  'decisions.6.row-pay-bulk': [
    ...listPage('Pay of a row leads to bulk pay with bulk enabled, else to its pay page'),
    ...proof(
      'e2e/invoices.spec.ts',
      'what can be paid has Pay, which leads to bulk pay with that invoice; what is paid says so',
    ),
  ],
  'portal.invoices.control.pay': [
    ...web("has a 'Pay' that leads to its pay page"),
    inBrowser('invoices', 'what can be paid has Pay, which leads to bulk pay'),
  ],
  'portal.invoices.text.paid': [
    ...web("says 'Paid' for what is paid"),
    inBrowser('invoices', 'what can be paid has Pay, which leads to bulk pay'),
  ],
  'portal.invoices.sorting': grid('sorts by every column'),
  'portal.invoices.field.invoice.id': fields,
  'portal.invoices.field.invoice.number': fields,
  'portal.invoices.field.invoice.amount': fields,
  'portal.invoices.field.invoice.amountDue': [...fields, ...settled],
  'portal.invoices.field.invoice.tax': fields,
  'portal.invoices.field.invoice.total': fields,
  'portal.invoices.field.invoice.dateInvoice': fields,
  'portal.invoices.field.invoice.dateDue': fields,
  'portal.invoices.field.invoice.dateGenerated': fields,
  'portal.invoices.field.invoice.status': [...fields, ...settled],
  'portal.invoices.field.invoice.paid': [...fields, ...settled],
  'portal.invoices.field.invoice.canPay': [...fields, ...settled],
  'portal.invoices.field.invoice.payToken': fields,
  'portal.invoices.field.invoice.customer.name': fields,
  'portal.invoices.field.invoice.subtotal': fields,
  'portal.invoices.payable': payable,
  'portal.invoices.constant.status-paid': payable,
  'portal.invoices.call.list': listed,
  'portal.invoices.call.pdf': api('gives the PDF under its specified name'),
  'decisions.3.invoices-newest-first': listed,
  'decisions.3.field.invoices.pageNumber': paged,
  'decisions.3.field.invoices.pageSize': paged,
  'decisions.3.field.invoices.totalCount': paged,
  'decisions.5.credits-minus': [
    ...web('of credit notes stand with a minus, however they are stored'),
    ...api('shows a credit note with a minus and no Pay'),
  ],
  'decisions.5.credits-no-pay': payable,
  'decisions.5.status-overdue': proof(
    'packages/domain/src/invoice.test.ts',
    'is overdue from the day after the due date',
  ),
  'decisions.5.amount-due': proof(
    'packages/domain/src/invoice.test.ts',
    'due is payable − payments − credits + reversals',
  ),
  'decisions.6.row-pay-link': web("has a 'Pay' that leads to its pay page"),
  'decisions.5.amount-subtotal': amounts,
  'decisions.5.amount-tax': amounts,
  'decisions.5.amount-total': amounts,
  'decisions.5.amount-rounding': amounts,
  'decisions.5.amount-prepaid': amounts,
  'decisions.5.amount-is-total': amounts,
  'decisions.5.constant.status-open': numbers,
  'decisions.5.constant.status-credited': numbers,
  'decisions.5.constant.status-void': numbers,
  'decisions.5.constant.status-disputed': numbers,
  'decisions.5.status-part-paid': labels,
  'decisions.5.status-being-confirmed': labels,
  'decisions.5.can-pay-enabled': conditions,
  'decisions.5.can-pay-gateway': conditions,
  'decisions.5.can-pay-status': conditions,
  'decisions.5.can-pay-due': conditions,
  'decisions.5.can-pay-no-attempt': conditions,
  'decisions.5.credits-same-table': [
    ...api('shows a credit note with a minus and no Pay'),
    ...by('apps/api/src/features/imports/take-invoice.test.ts', 'tells apart what shares only a number'),
  ],
  'decisions.5.credited-by-credit': leftOver,
  'decisions.5.credit-left-over': leftOver,
  'payments.invoices.error.load-failure': [
    ...by(
      'apps/web/src/lib/query-client.test.ts',
      'that does not come is logged, shows the banner, and is no longer loading',
    ),
    ...by('e2e/invoices.spec.ts', 'a list that fails shows the banner and a way to try again, which works'),
  ],
};
