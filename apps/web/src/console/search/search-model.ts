import type { SearchResults } from '@counterfoil/contract/operator/customers/search.ts';

export type HitKind = keyof SearchResults;

/** Something that was found, as a line of the list. */
export interface Hit {
  readonly kind: HitKind;
  /** Unique in the list. */
  readonly key: string;
  readonly title: string;
  /** Where it leads; null where there is no page about it. */
  readonly path: string | null;
  /** What was typed is all of one of its names. */
  readonly isExact: boolean;
}

export interface CustomerHit extends Hit {
  readonly kind: 'customers';
  readonly customer: SearchResults['customers'][number];
}
export interface UserHit extends Hit {
  readonly kind: 'users';
  readonly user: SearchResults['users'][number];
}
export interface InvoiceHit extends Hit {
  readonly kind: 'invoices';
  readonly invoice: SearchResults['invoices'][number];
}
export interface ItemHit extends Hit {
  readonly kind: 'serviceItems';
  readonly item: SearchResults['serviceItems'][number];
}
export type AnyHit = CustomerHit | UserHit | InvoiceHit | ItemHit;

export interface HitGroup {
  readonly kind: HitKind;
  readonly hits: readonly AnyHit[];
}

/** What is listed: everything, or one kind alone. */
export type Shown = 'everything' | HitKind;

/** The kinds in the order in which they are offered. */
export const kindsShown: readonly Shown[] = ['everything', 'customers', 'invoices', 'serviceItems', 'users'];

/** How many of a kind there are, in words: counted as far as that is cheap. @param most where counting ends */
export const countOf = (results: SearchResults, kind: HitKind, most: number): string =>
  results[kind].length < most ? String(results[kind].length) : `${most - 1}+`;

const pathOf = (customerId: string | undefined): string | null =>
  customerId === undefined ? null : `/admin/customers/${customerId}`;

/**
 * What was found, by kind, as it is listed: a kind with something that matches as a whole stands before the others, and what so
 * matches before the rest of its kind.
 */
export function groupsOf(results: SearchResults, typed: string): readonly HitGroup[] {
  const wanted = typed.trim().toLowerCase();
  const isExact = (...names: readonly (string | null)[]) =>
    names.some((name) => name?.toLowerCase() === wanted);
  const groups: readonly HitGroup[] = [
    {
      kind: 'customers',
      hits: results.customers.map((customer) => ({
        kind: 'customers',
        key: `customer-${customer.id}`,
        title: customer.label,
        path: pathOf(customer.id),
        isExact: isExact(customer.label, customer.reference, customer.email, customer.matched),
        customer,
      })),
    },
    {
      kind: 'invoices',
      hits: results.invoices.map((invoice) => ({
        kind: 'invoices',
        key: `invoice-${invoice.id}`,
        title: invoice.number,
        path: `/admin/invoices/${invoice.id}`,
        isExact: isExact(invoice.number),
        invoice,
      })),
    },
    {
      kind: 'serviceItems',
      hits: results.serviceItems.map((item) => ({
        kind: 'serviceItems',
        key: `item-${item.id}-${item.number}`,
        title: item.number,
        path: pathOf(item.customerId),
        isExact: isExact(item.number),
        item,
      })),
    },
    {
      kind: 'users',
      hits: results.users.map((user) => ({
        kind: 'users',
        key: `user-${user.id}`,
        title: user.displayName,
        path: pathOf(user.customerIds[0]),
        isExact: isExact(user.email, user.displayName),
        user,
      })),
    },
  ];
  const exactFirst = <T>(rows: readonly T[], exact: (row: T) => boolean): readonly T[] =>
    rows.toSorted((a, b) => Number(exact(b)) - Number(exact(a)));
  return exactFirst(
    groups
      .filter(({ hits }) => hits.length > 0)
      .map(({ kind, hits }) => ({ kind, hits: exactFirst(hits, (hit) => hit.isExact) })),
    ({ hits }) => hits[0]?.isExact === true,
  );
}

/** The text in parts, those first that are what was typed, to be marked. */
export function markedParts(
  text: string,
  typed: string,
): readonly [before: string, marked: string, after: string] {
  const wanted = typed.trim();
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted.toLowerCase());
  if (at < 0) return [text, '', ''];
  return [text.slice(0, at), text.slice(at, at + wanted.length), text.slice(at + wanted.length)];
}
