import type { SearchResults } from '@counterfoil/contract/operator/customers/search.ts';
import { expect, it } from 'vitest';
import { countOf, groupsOf, markedParts } from './search-model.ts';

const customer = (label: string, reference: string | null = null) => ({
  id: label,
  reference,
  label,
  email: null,
  status: 'active' as const,
  matched: label,
});
const invoice = (number: string) => ({
  id: number,
  number,
  kind: 'invoice' as const,
  status: 'open' as const,
  customerId: 'c',
  customer: 'Harbour',
  issuedOn: '2026-01-01',
  payable: '1.00',
  currency: 'NZD',
});
const found = (over: Partial<SearchResults>): SearchResults => ({
  customers: [],
  users: [],
  invoices: [],
  serviceItems: [],
  ...over,
});

it('what matches as a whole stands first, in its kind and among the kinds', () => {
  const results = found({
    customers: [customer('INV Holding'), customer('Inventory', 'inv-1')],
    invoices: [invoice('INV-10'), invoice('INV-1')],
  });
  const titles = (typed: string) =>
    groupsOf(results, typed).map(({ hits }) => hits.map(({ title }) => title));
  expect(titles('inv')).toEqual([
    ['INV Holding', 'Inventory'],
    ['INV-10', 'INV-1'],
  ]);
  expect(titles(' INV-10 ')).toEqual([
    ['INV-10', 'INV-1'],
    ['INV Holding', 'Inventory'],
  ]);
  expect(titles('inv-1')[0]).toEqual(['Inventory', 'INV Holding']);
});

it('a user leads to the first customer they see, and nowhere without one', () => {
  const user = (id: string, customerIds: string[]) => ({
    id,
    email: `${id}@x.example`,
    displayName: id,
    isActive: true,
    customerIds,
  });
  const [group] = groupsOf(found({ users: [user('mia', ['c1', 'c2']), user('ada', [])] }), 'x');
  expect(group?.hits.map(({ path }) => path)).toEqual(['/admin/customers/c1', null]);
});

it.each([
  ['Harbour Office', 'harb', ['', 'Harb', 'our Office']],
  ['Old Harbour', 'HARB', ['Old ', 'Harb', 'our']],
  ['Harbour', 'quay', ['Harbour', '', '']],
  ['Harbour', ' ', ['Harbour', '', '']],
])('of %s, %j is marked', (text, typed, parts) => {
  expect(markedParts(text, typed)).toEqual(parts);
});

it('counts each kind as far as it was looked for', () => {
  const found = {
    customers: [customer('A'), customer('B')],
    users: [],
    invoices: [invoice('1')],
    serviceItems: [],
  };
  expect([
    countOf(found, 'customers', 3),
    countOf(found, 'customers', 2),
    countOf(found, 'invoices', 2),
    countOf(found, 'users', 2),
  ]).toEqual(['2', '1+', '1', '0']);
});
