import { inBrowser, type Proof, type Proofs } from '../row.ts';

const compareFile = 'packages/domain/src/compare.test.ts';
const invoicesFile = 'e2e/invoices.spec.ts';
const pagesFile = 'apps/web/src/ui/pagination-model.test.ts';
const allrows: Proof = { file: invoicesFile, title: 'all rows are reached over the pages, each once' };
const booleans: Proof = { file: compareFile, title: 'sorts false before true' };
const columns: Proof = {
  file: invoicesFile,
  title: 'the list has the specified columns, newest first, 25 rows a page',
};
const dates: Proof = { file: compareFile, title: 'sorts dates and days, what is none counting as missing' };
const numbers: Proof = { file: compareFile, title: 'sorts numbers of either kind' };
const offered: Proof = {
  file: pagesFile,
  title: 'always holds first, last and current, rises, and never hides a single page',
};
const sorting: Proof = {
  file: invoicesFile,
  title: 'sorting goes up and down, returns to the first page and stays in the address',
};
const text: Proof = { file: compareFile, title: 'sorts text by language and value of its digits' };

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
const reportsAPage: Proof = {
  file: 'apps/web/src/features/reports/reports-page.test.tsx',
  title: 'shows 25 reports a page',
};

/** Tests that prove rows of grid: row id to file and title. */
export const proofs: Proofs = {
  'portal.grid.sort-to-first-page': [sorting],
  'portal.grid.compare-text': [text],
  'portal.grid.compare-number': [numbers],
  'portal.grid.compare-date': [dates],
  'portal.grid.compare-boolean': [booleans],
  'portal.grid.null-text': [text],
  'portal.grid.control.page-first': [offered, allrows],
  'portal.grid.control.page-last': [offered, allrows],
  'portal.grid.control.page-near': [
    offered,
    inBrowser('specified-screens', 'pages: the current one and two on either side'),
  ],
  'portal.grid.control.page-ellipsis': [
    offered,
    inBrowser('specified-screens', 'pages: the current one and two on either side'),
  ],
  'portal.grid.control.page-arrows': [sorting],
  'portal.grid.page-size.constant.invoices': [columns],
  'portal.grid.page-size.constant.transactions': [transactionsPage],
  'portal.grid.page-size.constant.cost-centre': [costCentresPage],
  'portal.grid.page-size.constant.service-items': [serviceItemsPage],
  'portal.grid.page-size.constant.reports': [reportsAPage],
};
