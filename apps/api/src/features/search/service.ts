import type { SearchResults } from '@counterfoil/contract/operator/customers/search.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { invoiceStateOf } from '@counterfoil/domain/paying/invoice.ts';
import type { Db } from '../../db/database.ts';
import { type FoundCustomer, findAll, type Search } from './queries.ts';

/** Most words that count: the rest of a long sentence would only cost. */
const MOST_WORDS = 8;

/**
 * Finds all of a provider's that begins as was typed: customers, users, invoices and service items. Each index is read only as
 * far as is shown.
 */
export async function search(db: Db, wanted: Search): Promise<SearchResults> {
  const words = (wanted.text.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, MOST_WORDS);
  const found = await findAll(db, wanted, words);
  const { byLabel, byIdentity, byEmail, byWords, usersByEmail, usersByName, invoices, items } = found;
  const customers = firstOf([...byLabel, ...byIdentity, ...byEmail, ...byWords], (one) => one.customer_id);
  const users = firstOf([...usersByEmail, ...usersByName], (one) => one.id);
  return {
    customers: customers.slice(0, wanted.limit).map(presentCustomer),
    users: users.slice(0, wanted.limit).map((one) => ({
      id: one.id,
      email: one.email,
      displayName: one.display_name,
      isActive: one.is_active,
      customerIds: one.customer_ids,
    })),
    invoices: invoices.map((one) => ({
      id: one.id,
      number: one.number,
      kind: one.kind,
      status: invoiceStateOf(one.status),
      customerId: one.customer_id,
      customer: one.customer,
      issuedOn: one.issued_on,
      payable: formatDecimal(money(BigInt(one.payable_minor), one.currency)),
      currency: one.currency,
    })),
    serviceItems: items.map((one) => ({
      id: one.id,
      number: one.number,
      name: one.name,
      customerId: one.customer_id,
      customer: one.customer,
    })),
  };
}

const presentCustomer = (row: FoundCustomer): SearchResults['customers'][number] => ({
  id: row.customer_id,
  reference: row.external_ref,
  label: row.label,
  email: row.email,
  status: row.disabled_at === null ? 'active' : 'disabled',
  matched: row.matched,
});

/** Each once, by its id, where it comes first. */
function firstOf<T>(rows: readonly T[], idOf: (row: T) => string): readonly T[] {
  const seen = new Map<string, T>();
  for (const row of rows) if (!seen.has(idOf(row))) seen.set(idOf(row), row);
  return [...seen.values()];
}
