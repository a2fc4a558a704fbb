import { constant, control, type Row, rule, section } from '../../row.ts';

const grid = section({ prefix: 'portal.grid', source: 'portal §4' }, [
  rule('sort-to-first-page', 'In any grid sorting resets to the first page.'),
  rule('compare-text', 'A comparator exists for text.'),
  rule('compare-number', 'A comparator exists for numbers.'),
  rule('compare-date', 'A comparator exists for dates.'),
  rule('compare-boolean', 'A comparator exists for booleans.'),
  rule('null-text', 'A null text sorts to the end or start depending on the direction.'),
  control('page-first', 'Pagination has a button for the first page.'),
  control('page-last', 'Pagination has a button for the last page.'),
  control('page-near', 'Pagination has numbered buttons for the current page plus or minus 2.'),
  control('page-ellipsis', 'Pagination shows ellipses for what it leaves out.'),
  control('page-arrows', 'Pagination has arrows.'),
]);

const sizes = section({ prefix: 'portal.grid.page-size', source: 'portal §9' }, [
  constant('invoices', 'The invoices grid has 25 rows a page.', {
    source: 'portal §2 Invoices, §9',
  }),
  constant('transactions', 'The transactions grid has 25 rows a page.', {
    source: 'portal §2 Transactions, §9',
  }),
  constant('reports', 'The reports grid has 25 rows a page.'),
  constant('cost-centre', 'The cost-centre grid has 25 rows a page.'),
  constant('service-items', 'The service-items grid has 25 rows a page.'),
]);

/** The shared grid. */
export const rows: readonly Row[] = [...grid, ...sizes];
