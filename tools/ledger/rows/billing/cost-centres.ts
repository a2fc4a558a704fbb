import { control, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'portal.cost-centres', source: 'portal §2 Cost Centre Allocation' }, [
  screen('page', '/cost-centre allocates service items to cost centres.', {
    source: 'portal §1, §2 Cost Centre Allocation',
  }),
  text('title', 'The title of the page.', 'Cost Centre Allocation'),
  control('service', 'The page has a service selector.'),
  control('search.service-item', 'A text box searches by service item.'),
  control('search.description', 'A text box searches by description.', 'Description'),
  control('search.cost-centre', 'A text box searches by cost centre.', 'Cost Centre'),
  rule('contains', 'Each search is a case-insensitive contains filter.'),
  screen('grid', 'The page has a grid.'),
  control('download', 'A button downloads the CSV.', 'Download CSV'),
  screen('modal', 'A row is edited in a modal.'),
  text('modal-title', 'The title of the modal.', 'Edit Cost Centre'),
  field('modal.description', 'The modal has a Description field.', 'Description'),
  field('modal.costCentre', 'The modal has a Cost Centre field.', 'Cost Centre'),
  control('discard', 'The modal has a Discard button.', 'Discard'),
  control('save', 'The modal has a Save button.', 'Save'),
  rule('opens-with-row', 'The modal opens with the row.', { source: 'portal §4' }),
  rule('save-closes', 'Save closes the modal.', { source: 'portal §2 Cost Centre Allocation, §4' }),
  rule('empty-description', 'An empty description is saved as null.', { source: 'portal §5' }),
  rule('empty-cost-centre', 'An empty cost centre is saved as null.', { source: 'portal §5' }),
]);

const decided = section({ prefix: 'decisions.5', source: 'decisions §5' }, [
  rule('cost-centre-current', 'The current allocation applies everywhere.'),
  rule('cost-centre-history', 'The history of allocations is kept for undo and audit.'),
  rule('cost-centre-date', 'Summaries give the date of the allocation.'),
]);

/** Cost centre allocation. */
export const rows: readonly Row[] = [...page, ...decided];
