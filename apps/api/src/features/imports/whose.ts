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
 * The customer an invoice is for: by the buyer's electronic address, else its legal id, else its name.
 * @returns undefined when nobody of the reseller is known by any of them
 */
export async function findBuyer(
  db: Db,
  resellerId: number,
  buyer: ImportedParty,
): Promise<string | undefined> {
  const names = labelsOf(buyer);
  return (
    (await findByIdentity(db, resellerId, 'endpoint', spellings(buyer.endpoint))) ??
    (await findByIdentity(db, resellerId, 'legalId', spellings(buyer.legalId))) ??
    (await findByIdentity(db, resellerId, 'name', names)) ??
    (await findByLabel(db, resellerId, names))
  );
}

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

async function findByIdentity(
  db: Db,
  resellerId: number,
  kind: 'endpoint' | 'legalId' | 'name',
  values: readonly string[],
): Promise<string | undefined> {
  for (const value of values) {
    const row = await db.maybeOne<{ customer_id: string }>(sql`
      select customer_id from customer_identity
       where reseller_id = ${resellerId} and kind = ${kind} and value = ${value}`);
    if (row !== undefined) return row.customer_id;
  }
  return undefined;
}

async function findByLabel(
  db: Db,
  resellerId: number,
  names: readonly string[],
): Promise<string | undefined> {
  const rows = await db.many<{ customer_id: string }>(sql`
    select customer_id from reseller_customer
     where reseller_id = ${resellerId} and label = any(${[...names]}::text[]) limit 2`);
  // Two customers of one name: a name does not tell whose it is.
  return rows.length === 1 ? rows[0]?.customer_id : undefined;
}

/** How a message names a buyer nobody knows. */
export function describeParty(party: ImportedParty): string {
  const numbers = [party.endpoint, party.legalId].flatMap((identifier) =>
    identifier === null ? [] : spellings(identifier)[0],
  );
  return numbers.length === 0 ? `'${party.name}'` : `'${party.name}' (${[...new Set(numbers)].join(', ')})`;
}
