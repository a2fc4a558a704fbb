import { call, constant, control, error, field, type Row, rule, section, text } from '../../row.ts';

const selector = section({ prefix: 'portal.customers', source: 'portal §2 Header and shell' }, [
  control('selector', 'The header has a searchable drop-down of customers.'),
  rule('shown-when-several', 'The selector is shown only when the user has more than one customer.'),
  text('placeholder', 'The placeholder of the selector.', 'Select customer...'),
  rule('sorted', 'The options are sorted by label.'),
  constant('height', 'The selector is 54 px high.'),
  constant('width', 'The selector is 250 px wide.'),
  constant('menu-height', 'The menu of the selector is at most 450 px high.'),
]);

const model = section({ prefix: 'portal.customers', source: 'portal §3' }, [
  field('customerId', 'A customer of the signed-in user has customerId.'),
  field('label', 'A customer of the signed-in user has label.'),
  field('selected', 'A customer of the signed-in user has selected.'),
]);

const rules = section({ prefix: 'portal.customers', source: 'portal §4' }, [
  rule('several', 'A user may belong to several customers and can switch between them.', {
    source: 'portal §1, §6',
  }),
  rule('switch-stores', 'Switching customer stores the choice.'),
  rule('switch-reloads', 'Switching customer reloads the page.'),
  rule('sent-always', 'The chosen customer id is sent on every request.'),
  call('me', 'GET /v1/ec/me answers data.customers.', { source: 'portal §7 Settings and brand' }),
]);

const decided = section({ prefix: 'decisions', source: 'decisions §2' }, [
  field('2.X-Customer-Id', 'The header X-Customer-Id names the current customer.'),
  rule('2.customer-absent', "Without X-Customer-Id the user's first customer by label is taken."),
  error(
    '2.customer-not-yours',
    "A customer that is not the user's is answered 403 with a code.",
    'customer.notYours',
  ),
  rule('2.customer-forgotten', 'On customer.notYours the portal forgets the id and reloads once.'),
  rule('2.me-ignores-header', '/v1/ec/me ignores X-Customer-Id.'),
  field('3.me.brandId', 'A customer in the answer of /v1/ec/me has brandId.', { source: 'decisions §3' }),
]);

/** Customers of a user and the selector. */
export const rows: readonly Row[] = [...selector, ...model, ...rules, ...decided];
