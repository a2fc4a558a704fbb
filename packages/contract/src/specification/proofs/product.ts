import type { Proof, Proofs } from '../row.ts';

const proof = (file: string, title: string): Proof => ({ file, title });
const pdf = [
  proof('e2e/invoices.spec.ts', 'View PDF opens the invoice: text, sums and pay link, and no script'),
];
const by = (file: string, ...titles: string[]): readonly Proof[] => titles.map((title) => ({ file, title }));
const people = 'apps/api/src/cli/commands-people.test.ts';
const commands = 'apps/api/src/cli/commands.test.ts';
const wholeWay = 'takes a provider from an empty database to a paid invoice by commands alone';

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
const serviceItemsPage: Proof = {
  file: 'e2e/cost-centres.spec.ts',
  title: 'service items: the brand’s word and service, sorted, searched, edited; failures are told',
};
const reportSaved: Proof = {
  file: 'e2e/reports.spec.ts',
  title: 'Invoice Details stands first; the modal stays while it is generated and the CSV is saved',
};
const reportLater: Proof = {
  file: 'e2e/reports.spec.ts',
  title: 'what continues in the background stands in the list and is downloaded there, also after a reload',
};

/** Tests that prove rows of product: row id to file and title. */
export const proofs: Proofs = {
  'portal.product.manage-methods': by(
    'e2e/payment-methods.spec.ts',
    'a card is added from the Settings menu, shown, edited, made default and removed',
  ),
  'portal.product.audience': [
    proof('e2e/brand.spec.ts', 'after sign-in the brand is that of the customer, whatever the host'),
    proof('e2e/import.spec.ts', 'from nothing to a paid invoice by the documented commands'),
  ],
  'portal.product.view-invoices': [
    proof('e2e/invoices.spec.ts', 'the list has the specified columns, newest first, 25 rows a page'),
    proof('e2e/invoices.spec.ts', 'an invoice shows its facts, its sum and its lines'),
  ],
  'portal.product.open-invoice-pdf': pdf,
  'portal.product.download-invoice-pdf': pdf,
  'portal.product.pay-invoices': [
    proof('e2e/invoices.spec.ts', 'what can be paid has Pay, which leads to bulk pay with that invoice'),
    proof('e2e/public-pay.spec.ts', 'a card pays an invoice: one charge, the words of success, one receipt'),
  ],
  'portal.product.change-password': by(
    'e2e/account.spec.ts',
    'the password is changed from the Settings menu; this session stays, others end',
  ),
  'decisions.0.silent-adr': by(
    'tools/decision-records.test.ts',
    'decisions are recorded: numbered without a gap, each complete and listed',
  ),
  'decisions.0.whole-portal': by('e2e/auth.spec.ts', 'a good sign-in leads into the portal of the reseller'),
  'decisions.0.whole-import': [
    ...by('e2e/import.spec.ts', 'from nothing to a paid invoice by the documented commands'),
    ...by('apps/api/src/cli/commands/import.test.ts', 'prints one JSON document'),
  ],
  'decisions.0.whole-branding': by(
    commands,
    'are made once, and changed by set',
    'keep hosts and images apart',
  ),
  'decisions.0.whole-users': [
    ...by(people, 'refuse what does not belong together'),
    ...by('apps/api/src/cli/user-invite.test.ts', 'queues one registration mail for a user'),
  ],
  'decisions.0.whole-keys': [
    ...by(people, 'stores keys encrypted and shows none'),
    ...by('apps/api/src/cli/first-provider.test.ts', wholeWay),
  ],
  'portal.product.view-transactions': [transactionsPage],
  'portal.product.view-usage': [usagePage],
  'portal.product.allocate': [costCentresPage],
  'portal.product.service-items': [serviceItemsPage],
  'portal.product.generate-reports': [reportSaved],
  'portal.product.download-reports': [reportLater],
};
