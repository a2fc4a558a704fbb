import type { Proof, Proofs } from '../row.ts';

const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const routes = 'apps/api/src/features/transactions/routes.test.ts';
const columns = 'apps/web/src/features/transactions/transaction-columns.test.ts';
const page = by(
  'e2e/transactions.spec.ts',
  'transactions: the first agreement by itself, periods by search, extra columns, sorting, the file',
);
const listed = by(routes, 'answers the lines of a period with every field, invoiced or not');
const agreements = by(routes, 'lists agreements, the oldest first, and the periods of one, newest first');
const labels = by(routes, 'answers the brand’s headers with type 3, and numbers for those it leaves out');
const extra = by(columns, 'is shown when the brand enables it, with its custom label');

/** Tests that prove rows of transactions: row id to file and title. */
export const proofs: Proofs = {
  'portal.transactions.screen.page': page,
  'portal.transactions.text.title': page,
  'portal.transactions.control.agreement': page,
  'portal.transactions.control.period': page,
  'portal.transactions.period-text': page,
  'portal.transactions.control.download': page,
  'portal.transactions.sortable': page,
  'portal.transactions.extra-1': extra,
  'portal.transactions.extra-2': extra,
  'portal.transactions.extra-3': extra,
  'portal.transactions.extra-4': extra,
  'portal.transactions.extra-5': extra,
  'portal.transactions.extra-headers': [...extra, ...page],
  'portal.transactions.first-agreement': page,
  'portal.transactions.first-agreement-periods': page,
  'portal.transactions.field.transaction.productLabel': listed,
  'portal.transactions.field.transaction.productName': listed,
  'portal.transactions.field.transaction.serviceName': listed,
  'portal.transactions.field.transaction.serviceItem': listed,
  'portal.transactions.field.transaction.siteLabel': listed,
  'portal.transactions.field.transaction.invoiceNumber': listed,
  'portal.transactions.field.transaction.dateFrom': listed,
  'portal.transactions.field.transaction.dateTo': listed,
  'portal.transactions.field.transaction.price': listed,
  'portal.transactions.field.transaction.quantity': listed,
  'portal.transactions.field.transaction.extraField1': listed,
  'portal.transactions.field.transaction.extraField2': listed,
  'portal.transactions.field.transaction.extraField3': listed,
  'portal.transactions.field.transaction.extraField4': listed,
  'portal.transactions.field.transaction.extraField5': listed,
  'portal.transactions.extra-labels-type-3': [...labels, ...extra],
  'portal.transactions.field.agreement.id': agreements,
  'portal.transactions.field.agreement.agreementName': agreements,
  'portal.transactions.field.period.id': agreements,
  'portal.transactions.field.period.month': agreements,
  'portal.transactions.field.period.year': agreements,
  'portal.transactions.field.period.periodStart': agreements,
  'portal.transactions.field.period.periodEnd': agreements,
  'portal.transactions.call.list': listed,
  'portal.transactions.field.list.period': [
    ...listed,
    ...by(
      routes,
      'refuses a missing or malformed period, and answers another customer’s like an unknown one',
    ),
  ],
  'portal.transactions.call.agreements': agreements,
  'portal.transactions.call.billing-periods': agreements,
  'portal.transactions.call.extra-fields': labels,
  'decisions.5.transaction-is-line': listed,
  'decisions.5.transaction-one-table': listed,
  'decisions.5.transaction-not-invoiced': listed,
};
