import type { Proof, Proofs } from '../row.ts';

const customersFile = 'e2e/customers.spec.ts';
const choose: Proof = {
  file: customersFile,
  title: 'a user of several customers chooses one; the page loads again and every call carries it',
};
const foreign: Proof = {
  file: customersFile,
  title: 'a stored customer that is not the user’s is forgotten',
};
const me: Proof = { file: customersFile, title: 'me names the customers whatever the header says' };
const search: Proof = { file: customersFile, title: 'the list is searched and chosen from by keyboard' };
const single: Proof = { file: customersFile, title: 'a user of one customer has no selector' };
const size: Proof = {
  file: customersFile,
  title: 'it has the specified size, and a name of 200 characters stays inside',
};

/** Tests that prove rows of customers: row id to file and title. */
export const proofs: Proofs = {
  'portal.customers.control.selector': [search],
  'portal.customers.shown-when-several': [choose, single],
  'portal.customers.text.placeholder': [search],
  'portal.customers.sorted': [choose],
  'portal.customers.constant.height': [size],
  'portal.customers.constant.width': [size],
  'portal.customers.constant.menu-height': [size],
  'portal.customers.field.customerId': [me],
  'portal.customers.field.label': [me],
  'portal.customers.field.selected': [me],
  'portal.customers.several': [choose],
  'portal.customers.switch-stores': [choose],
  'portal.customers.switch-reloads': [choose],
  'portal.customers.sent-always': [choose],
  'portal.customers.call.me': [me],
  'decisions.field.2.X-Customer-Id': [me],
  'decisions.2.customer-absent': [me],
  'decisions.error.2.customer-not-yours': [me],
  'decisions.2.customer-forgotten': [foreign],
  'decisions.2.me-ignores-header': [me],
  'decisions.field.3.me.brandId': [me],
};
