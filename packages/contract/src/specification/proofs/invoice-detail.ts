import { inBrowser, type Proof, type Proofs } from '../row.ts';

const proof = (file: string, title: string): readonly Proof[] => [{ file, title }];
const web = (title: string) => proof('apps/web/src/features/invoices/invoice-details.test.tsx', title);
const api = (title: string) => proof('apps/api/src/features/invoices/routes.test.ts', title);

const page = proof(
  'apps/web/src/features/invoices/invoice-page.test.tsx',
  'opens with its details: tabs Details and Usage, number, sums, lines, View PDF',
);
const usageTab = [
  ...proof(
    'apps/web/src/features/invoices/invoice-page.test.tsx',
    'has the usage grid and Download Usage under its tab Usage',
  ),
  ...proof(
    'e2e/invoices.spec.ts',
    'the usage tab sorts by its first column; its download holds the same sums',
  ),
];
const lines = proof(
  'apps/api/src/features/invoices/fields.test.ts',
  'has every specified field; records of one item and type are one line, and the lines add up',
);
const facts = web('show number, customer, dates');
const cards = web('three cards, each with 2 decimals: Subtotal + Tax = Invoice Amount');
const usage = web('is sorted by its first column at first, ascending, and paged');
const below = web('rounding, prepaid, payments and credits stand below');
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const billed = by(
  'apps/api/src/features/invoices/figures.test.ts',
  'stands in the invoice by service item and record type, its single records behind the line',
);
const split = 'apps/api/src/features/invoices/usage-split.test.ts';

/** Tests that prove rows of invoice-detail: row id to file and title. */
export const proofs: Proofs = {
  'portal.invoice-detail.screen.page': [
    ...page,
    ...proof('e2e/invoices.spec.ts', 'an invoice shows its facts, its sum and its lines'),
  ],
  'portal.invoice-detail.control.tab.details': [
    ...page,
    inBrowser('specified-screens', 'invoice: the breadcrumb, the tab Details'),
  ],
  'portal.invoice-detail.control.tab.usage': usageTab,
  'portal.invoice-detail.control.view-pdf': proof(
    'e2e/invoices.spec.ts',
    'View PDF opens the invoice: text, sums and pay link, and no script',
  ),
  'portal.invoice-detail.screen.usage': usageTab,
  'portal.invoice-detail.control.download-usage': usageTab,
  'portal.invoice-detail.field.usage.serviceItem': lines,
  'portal.invoice-detail.field.usage.service': lines,
  'portal.invoice-detail.field.usage.recordType': lines,
  'portal.invoice-detail.field.usage.quantity': lines,
  'portal.invoice-detail.field.usage.invoiceAmount': lines,
  'portal.invoice-detail.field.usage.invoiceTax': lines,
  'portal.invoice-detail.field.usage.invoiceTotal': lines,
  'portal.invoice-detail.control.back': [
    ...web('the breadcrumb reads Invoices / {number}'),
    inBrowser('invoices', 'the breadcrumb leads back to the list'),
  ],
  'portal.invoice-detail.text.breadcrumb': [
    ...web('the breadcrumb reads Invoices / {number}'),
    inBrowser('specified-screens', 'invoice: the breadcrumb, the tab Details'),
  ],
  'portal.invoice-detail.field.number': facts,
  'portal.invoice-detail.field.customer': facts,
  'portal.invoice-detail.field.date': facts,
  'portal.invoice-detail.field.due-date': facts,
  'portal.invoice-detail.text.due-date-missing': [
    ...web("a missing due date is '-'"),
    inBrowser('specified-screens', 'invoice: the breadcrumb, the tab Details'),
  ],
  'portal.invoice-detail.field.card.subtotal': cards,
  'portal.invoice-detail.field.card.tax': cards,
  'portal.invoice-detail.field.card.amount': cards,
  'portal.invoice-detail.usage-sortable': usage,
  'portal.invoice-detail.usage-paged': usage,
  'portal.invoice-detail.usage-initial-sort': usage,
  'portal.invoice-detail.loaded-once': web('asks for an invoice only if it is not already held'),
  'portal.invoice-detail.call.invoice': api('answers lines, and 404 for another customer’s invoice'),
  'decisions.field.3.invoice.lines': api('answers lines, and 404 for another customer’s invoice'),
  'decisions.1.rounding-line': below,
  'decisions.1.prepaid-line': below,
  'decisions.1.amount-due-line': below,
  'decisions.field.3.invoice.usage': billed,
  'decisions.3.usage-aggregated': [
    ...billed,
    ...by(split, 'is summed by service item and record type, over all lines'),
  ],
  'decisions.3.usage-tax-split': by(
    split,
    'splits tax by largest remainder, so that the rows add up to the line',
  ),
  'decisions.3.single-records': billed,
  'decisions.call.2.line-records': billed,
};
