import type {
  CustomerValues,
  PostalAddress,
} from '@counterfoil/contract/operator/customers/admin-customers.ts';
import type { StoredAddress } from '../../letters/sender.ts';
import type { CustomerRow } from './queries.ts';

const addressOf = (stored: StoredAddress): PostalAddress => ({
  lines: [...(stored.lines ?? [])],
  city: stored.city ?? null,
  postalCode: stored.postalCode ?? null,
  region: stored.region ?? null,
});

/** What a row says, in the form in which it is given. */
export const valuesOf = (row: CustomerRow): CustomerValues => ({
  label: row.label,
  email: row.email,
  country: row.country,
  address: addressOf(row.address),
  brandId: row.brand_id,
});

/** An address as it is stored: what there is not is left out. */
export const storedAddress = (address: PostalAddress): string =>
  JSON.stringify({
    lines: address.lines,
    city: address.city ?? undefined,
    postalCode: address.postalCode ?? undefined,
    region: address.region ?? undefined,
  });

/**
 * What a change changes, member by member, for the audit trail: `before.email`, `after.email`.
 * @returns undefined when it changes nothing
 */
export function changesBetween(
  before: CustomerValues,
  after: CustomerValues,
): Readonly<Record<string, string | number | null>> | undefined {
  const pairs = (Object.keys(after) as (keyof CustomerValues)[])
    .map((member) => ({ member, was: inWords(before[member]), is: inWords(after[member]) }))
    .filter(({ was, is }) => was !== is)
    .flatMap(({ member, was, is }) => [[`before.${member}`, was] as const, [`after.${member}`, is] as const]);
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

const inWords = (value: CustomerValues[keyof CustomerValues]): string | number | null =>
  typeof value === 'object' && value !== null
    ? [...value.lines, value.postalCode, value.city, value.region].map((part) => part ?? '').join('\n')
    : value;
