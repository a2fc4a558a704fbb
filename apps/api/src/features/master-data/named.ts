import { isId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** A member that names nothing that is known. */
export const notKnown = (path: string): AppError =>
  new AppError('reference.unknown', { fields: [{ path, message: 'is not known' }] });

/** A member whose value cannot be. */
export const invalid = (path: string, message: string): AppError =>
  new AppError('request.invalid', { fields: [{ path, message }] });

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

export interface NamedService {
  readonly id: string;
  readonly code: string;
}

/** Services of a reseller by their codes. */
export async function servicesNamed(
  db: Db,
  resellerId: number,
  codes: readonly string[],
): Promise<ReadonlyMap<string, NamedService>> {
  const rows = await db.many<NamedService>(sql`
    select id, code from service where reseller_id = ${resellerId} and code = any(${distinct(codes)}::text[])`);
  return new Map(rows.map((row) => [row.code, row]));
}

/** A name that is looked for among the things of a customer. */
export interface NameOfCustomer {
  readonly customerId: string;
  readonly name: string;
}

const keyOf = ({ customerId, name }: NameOfCustomer): string => `${customerId} ${name}`;

/** What was found by names within customers. */
export class NamedOfCustomers<Found> {
  readonly #found: ReadonlyMap<string, Found>;

  constructor(rows: readonly (NameOfCustomer & { readonly found: Found })[]) {
    this.#found = new Map(rows.map((row) => [keyOf(row), row.found]));
  }

  get(name: NameOfCustomer): Found | undefined {
    return this.#found.get(keyOf(name));
  }
}

/** Of what is told again: the provider's own reference, else our id. */
export interface NamedThing {
  readonly id: string;
  readonly reference: string;
}

/** How an id is written. */
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';

const wantedNames = (names: readonly NameOfCustomer[]) => sql`
  (select distinct n.customer, n.name, case when n.name ~* ${UUID} then n.name::uuid end as id
     from unnest(${names.map(({ customerId }) => customerId)}::uuid[], ${names.map(({ name }) => name)}::text[])
            as n(customer, name)) n`;

/** Agreements by the provider's references or our ids. */
export async function agreementsNamed(
  db: Db,
  names: readonly NameOfCustomer[],
): Promise<NamedOfCustomers<NamedThing>> {
  if (names.length === 0) return new NamedOfCustomers<NamedThing>([]);
  const rows = await db.many<{ customer: string; name: string; id: string; reference: string }>(sql`
    select n.customer, n.name, a.id, coalesce(a.external_ref, a.id::text) as reference
      from ${wantedNames(names)}
      join agreement a on a.customer_id = n.customer and (a.external_ref = n.name or a.id = n.id)`);
  return new NamedOfCustomers(
    rows.map(({ customer, name, ...found }) => ({ customerId: customer, name, found })),
  );
}

/** A service item that was found by one of its names. */
export interface NamedItem extends NamedThing {
  readonly serviceId: string;
  readonly serviceCode: string;
}

/** Service items by the provider's references, their names, their numbers or our ids; the first of these counts. */
export async function serviceItemsNamed(
  db: Db,
  resellerId: number,
  names: readonly NameOfCustomer[],
): Promise<NamedOfCustomers<NamedItem>> {
  const found = new Map<string, NameOfCustomer & { readonly found: NamedItem }>();
  let missing = [...new Map(names.map((name) => [keyOf(name), name])).values()];
  // A way after the other, each by an index of its own: most are found by the first, and a customer may have a hundred thousand.
  for (const way of waysToItems) {
    if (missing.length === 0) break;
    const asked = await way.ask(db, resellerId, missing);
    if (asked.length === 0) continue;
    const rows = await db.many<NamedItem & { customer: string; name: string }>(sql`
      select n.customer, n.name, t.id, coalesce(t.external_ref, t.id::text) as reference,
             t.service_id as "serviceId", s.code as "serviceCode"
        from unnest(${asked.map(({ customerId }) => customerId)}::uuid[], ${asked.map(({ name }) => name)}::text[],
                    ${asked.map(({ id }) => id ?? null)}::uuid[]) as n(customer, name, id)
        join service_item t on t.customer_id = n.customer and ${way.on}
        join service s on s.id = t.service_id and s.reseller_id = ${resellerId}
       order by t.id desc`);
    // Of several the one that was made first is the last of these.
    for (const { customer, name, ...item } of rows)
      found.set(keyOf({ customerId: customer, name }), { customerId: customer, name, found: item });
    missing = missing.filter((name) => !found.has(keyOf(name)));
  }
  return new NamedOfCustomers([...found.values()]);
}

/** How a name `n` leads to service items, by an index that has the customer. */
interface WayToItems {
  /** What is known of the names before the items are asked for. */
  readonly ask: (
    db: Db,
    resellerId: number,
    names: readonly NameOfCustomer[],
  ) => Promise<readonly (NameOfCustomer & { readonly id?: string })[]>;
  readonly on: Sql;
}

const byName: WayToItems['ask'] = (_db, _resellerId, names) => Promise.resolve(names);
const byId = sql`t.id = n.id`;

const waysToItems: readonly WayToItems[] = [
  { ask: byName, on: sql`t.external_ref = n.name` },
  { ask: byName, on: sql`t.name = n.name` },
  { ask: numbersNamed, on: byId },
  {
    ask: (_db, _resellerId, names) =>
      Promise.resolve(
        names.flatMap((name) => (isId(name.name) ? [{ ...name, id: name.name.toLowerCase() }] : [])),
      ),
    on: byId,
  },
];

/** Names that are numbers of items, which are looked up apart from what is spread by customers. */
async function numbersNamed(db: Db, resellerId: number, names: readonly NameOfCustomer[]) {
  const rows = await db.many<{ customer: string; name: string; id: string }>(sql`
    select n.customer, n.name, m.service_item_id as id
      from unnest(${names.map(({ customerId }) => customerId)}::uuid[], ${names.map(({ name }) => name)}::text[])
             as n(customer, name)
      join service_item_number m on m.reseller_id = ${resellerId} and m.number = n.name and m.customer_id = n.customer`);
  return rows.map(({ customer, name, id }) => ({ customerId: customer, name, id }));
}
