import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import type { Identifier, ImportedParty } from './invoices/imported-invoice.ts';

/** Under `DEMO=1` files without an owner belong to this user's reseller and customer: the demo world's first. */
const demoUser = 'stripe@demo.example';

/** For whom files are taken in. */
export interface Target {
  readonly resellerId: number;
  /** Takes what nothing in a file gives to somebody else; null: such things are quarantined. */
  readonly defaultCustomerId: string | null;
}

/** What the caller asked for. */
export interface Wanted {
  readonly resellerId?: number | undefined;
  /** Id, or the provider's own reference. */
  readonly customer?: string | undefined;
  readonly isDemo: boolean;
}

/**
 * Settles reseller and default customer.
 * @returns the target, or a sentence that says what is missing or wrong
 */
export async function resolveTarget(db: Db, wanted: Wanted): Promise<Target | string> {
  const demo = wanted.isDemo ? await findDemoOwner(db) : undefined;
  if (wanted.customer !== undefined) {
    const found = await findCustomerNamed(db, wanted.customer, wanted.resellerId);
    if (typeof found === 'string') return found;
    return { resellerId: found.resellerId, defaultCustomerId: found.customerId };
  }
  const resellerId = wanted.resellerId ?? demo?.reseller_id ?? (await onlyReseller(db));
  if (resellerId === null) return 'there is no reseller yet';
  if (resellerId === undefined) return 'which reseller is this for? Give --reseller <id>';
  const known = await db.maybeOne(sql`select 1 from reseller where id = ${resellerId}`);
  if (known === undefined) return `there is no reseller ${resellerId}`;
  return { resellerId, defaultCustomerId: demo?.reseller_id === resellerId ? demo.customer_id : null };
}

const findDemoOwner = (db: Db) =>
  db.maybeOne<{ reseller_id: number; customer_id: string }>(sql`
    select u.reseller_id, m.customer_id
      from app_user u join reseller r on r.id = u.reseller_id and r.is_demo
      join membership m on m.user_id = u.id
      join reseller_customer c on c.reseller_id = u.reseller_id and c.customer_id = m.customer_id
     where u.email = ${demoUser} order by c.label, c.customer_id limit 1`);

/** The only reseller there is; null for none, undefined for several. */
async function onlyReseller(db: Db): Promise<number | null | undefined> {
  const rows = await db.many<{ id: number }>(sql`select id from reseller order by id limit 2`);
  if (rows.length > 1) return undefined;
  return rows[0]?.id ?? null;
}

/**
 * The customers that invoices are for: by the buyer's electronic address, else its legal id, else its name. As many statements
 * for a hundred as for one.
 * @returns in their order; undefined where nobody of the reseller is known by any of them
 */
export async function findBuyers(
  db: Db,
  resellerId: number,
  buyers: readonly ImportedParty[],
): Promise<readonly (string | undefined)[]> {
  if (buyers.length === 0) return [];
  const wanted = buyers.map(identitiesOf);
  const known = await findByIdentities(db, resellerId, wanted.flat());
  const found = wanted.map((identities) =>
    identities.map((one) => known.get(keyOf(one))).find((one) => one !== undefined),
  );
  const nameless = buyers.filter((_, at) => found[at] === undefined);
  const labels = await findByLabels(db, resellerId, nameless.flatMap(labelsOf));
  return buyers.map(
    (buyer, at) => found[at] ?? oneOf(labelsOf(buyer).flatMap((name) => labels.get(name) ?? [])),
  );
}

/** What a customer is known by. */
interface Identity {
  readonly kind: 'endpoint' | 'legalId' | 'name';
  readonly value: string;
}

const keyOf = ({ kind, value }: Identity): string => `${kind} ${value}`;

/** All that tells who a buyer is, in the order in which it counts. */
function identitiesOf(buyer: ImportedParty): readonly Identity[] {
  const of = (kind: Identity['kind'], values: readonly string[]) => values.map((value) => ({ kind, value }));
  return [
    ...of('endpoint', spellings(buyer.endpoint)),
    ...of('legalId', spellings(buyer.legalId)),
    ...of('name', labelsOf(buyer)),
  ];
}

/** Two customers of one name: a name does not tell whose it is. */
const oneOf = (customers: readonly string[]): string | undefined => {
  const different = new Set(customers);
  return different.size === 1 ? customers[0] : undefined;
};

const labelsOf = (party: ImportedParty): readonly string[] => [
  party.name,
  ...(party.legalName === null ? [] : [party.legalName]),
];

/** All by which a party may be known. */
export const namesOf = (party: ImportedParty): readonly string[] => [
  ...new Set([...spellings(party.endpoint), ...spellings(party.legalId), ...labelsOf(party)]),
];

/** '0088:123', and the bare number as people type it. */
const spellings = (identifier: Identifier | null): readonly string[] =>
  identifier === null ? [] : [`${identifier.scheme}:${identifier.id}`, identifier.id];

async function findByIdentities(
  db: Db,
  resellerId: number,
  identities: readonly Identity[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.many<Identity & { customer_id: string }>(sql`
    select i.kind, i.value, i.customer_id
      from (select distinct * from unnest(${identities.map(({ kind }) => kind)}::text[],
                                          ${identities.map(({ value }) => value)}::text[])) as w(kind, value)
      join customer_identity i on i.reseller_id = ${resellerId} and i.kind = w.kind and i.value = w.value`);
  return new Map(rows.map((row) => [keyOf(row), row.customer_id]));
}

/** Customers by the names that people read, of each name two at most. */
async function findByLabels(
  db: Db,
  resellerId: number,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (names.length === 0) return new Map();
  const rows = await db.many<{ name: string; customers: readonly string[] }>(sql`
    select w.name, array(select c.customer_id from reseller_customer c
                          where c.reseller_id = ${resellerId} and c.label = w.name limit 2) as customers
      from (select distinct * from unnest(${[...names]}::text[])) as w(name)`);
  return new Map(rows.map(({ name, customers }) => [name, customers]));
}

/** How a message names a buyer nobody knows. */
export function describeParty(party: ImportedParty): string {
  const numbers = [party.endpoint, party.legalId].flatMap((identifier) =>
    identifier === null ? [] : spellings(identifier)[0],
  );
  return numbers.length === 0 ? `'${party.name}'` : `'${party.name}' (${[...new Set(numbers)].join(', ')})`;
}
