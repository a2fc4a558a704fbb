import type { AppError } from '../../app-error.ts';
import type { EntityKind } from '../../audit/record.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { sha256 } from '../../secrets.ts';

/** A thing of a customer as it is stored: whose it is, what the provider calls it, and what is kept of it. */
export interface EntityRow<Kept> {
  readonly id: string;
  readonly customer_id: string;
  /** The provider's own reference of the customer. */
  readonly customer: string | null;
  readonly reference: string | null;
  readonly kept: Kept;
}

/** A thing as it is to be. */
export interface Wanted<Kept> {
  readonly customerId: string;
  /** In the form in which it is told again, so that two of them compare. */
  readonly kept: Kept;
  /** Id of the agreement that `kept` names. */
  readonly agreementId?: string | null;
  /** Ids of the service items that `kept` names, in its order. */
  readonly itemIds?: readonly (string | null)[];
}

/** What is to be written of a thing. */
export interface Change<Kept> extends Wanted<Kept> {
  readonly id: string;
  readonly reference: string;
}

/** What is asked for, with what is there. */
export interface Asked<Values, Kept> {
  readonly reference: string;
  readonly values: Values;
  readonly before: EntityRow<Kept> | undefined;
}

/** One kind of thing that a provider's programs keep: how it is read, understood and written. As many statements for a thousand as for one. */
export interface Entity<Values, Kept> {
  readonly kind: EntityKind;
  /** What programs are told, where that is not just what is kept. */
  readonly present?: (kept: Kept) => object;
  /** Rows as {@link StoredRow}; `t` is its table, `c` the customer. @param where and what follows */
  readonly select: (where: Sql) => Sql<StoredRow<Kept>>;
  /** What is kept of things elsewhere than beside their customers' rows. @returns the rows, in their order, with it */
  readonly complete?: (db: Db, rows: readonly EntityRow<Kept>[]) => Promise<EntityRow<Kept>[]>;
  /**
   * Finds what the values name.
   * @returns in their order; `reference.unknown` or `request.invalid` in the place of what cannot be
   */
  readonly understand: (
    tx: Tx,
    resellerId: number,
    asked: readonly Asked<Values, Kept>[],
  ) => Promise<readonly (Wanted<Kept> | AppError)[]>;
  /** Things that are the wanted ones already, made by imports or commands; those that have a reference count for nothing. */
  readonly adopt?: (
    tx: Tx,
    wanted: readonly (Wanted<Kept> & { readonly reference: string })[],
  ) => Promise<readonly Adoptable[]>;
  /** Writes new things and changed ones alike. @throws {AppError} for one that stands in the way of another */
  readonly write: (tx: Tx, resellerId: number, changes: readonly Change<Kept>[], now: Date) => Promise<void>;
  /** Deletes things. @throws {AppError} reference.inUse */
  readonly remove: (tx: Tx, resellerId: number, rows: readonly EntityRow<Kept>[], now: Date) => Promise<void>;
}

/** A row without its reference: that is looked up by its own key, apart from what is spread by customers. */
export type StoredRow<Kept> = Omit<EntityRow<Kept>, 'reference'>;

/** A thing that may be a wanted one. */
export interface Adoptable {
  /** Place of the wanted one, from 1. */
  readonly at: number;
  readonly customer_id: string;
  readonly id: string;
}

/** The customer of an entity's table `t`. */
export const customerJoin = sql`join customer c on c.customer_id = t.customer_id`;

/** What every entity tells of a row. */
export const ownedColumns = sql`t.id, t.customer_id, c.external_ref as customer`;

/** Rows as a caller sees them, in their order. @param references by id */
export const toldRows = <Values, Kept>(
  db: Db,
  entity: Entity<Values, Kept>,
  rows: readonly StoredRow<Kept>[],
  references: ReadonlyMap<string, string>,
): Promise<EntityRow<Kept>[]> => {
  const told = rows.map((row) => ({ ...row, reference: references.get(keyOfThing(row)) ?? null }));
  return told.length === 0 ? Promise.resolve(told) : (entity.complete?.(db, told) ?? Promise.resolve(told));
};

/** One text for a thing of a customer. */
export const keyOfThing = (row: Pick<EntityRow<unknown>, 'customer_id' | 'id'>): string =>
  `${row.customer_id} ${row.id}`;

/** Things as a table `g` of customer and id. */
export const thingsOf = (rows: readonly Pick<EntityRow<unknown>, 'customer_id' | 'id'>[]) => sql`
  unnest(${rows.map((row) => row.customer_id)}::uuid[], ${rows.map(({ id }) => id)}::uuid[]) as g(customer, id)`;

/** The provider's own references of things, where they have one, by {@link keyOfThing}. */
export async function referencesOfThings(
  db: Db,
  rows: readonly Pick<EntityRow<unknown>, 'customer_id' | 'id'>[],
): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map();
  const found = await db.many<{ customer_id: string; id: string; reference: string }>(sql`
    select p.customer_id, p.id, p.reference
      from ${thingsOf(rows)} join provider_reference p on p.customer_id = g.customer and p.id = g.id`);
  return new Map(found.map((row) => [keyOfThing(row), row.reference]));
}

/** The state of a thing that a caller has read, for `If-Match`: what it says, so that every way of changing it counts. */
export const etagOf = (kept: unknown): string =>
  `"${sha256(JSON.stringify(kept)).toString('hex').slice(0, 32)}"`;

/** A thing by the provider's own reference. */
export async function findByReference<Values, Kept>(
  db: Db,
  entity: Entity<Values, Kept>,
  resellerId: number,
  reference: string,
): Promise<EntityRow<Kept> | undefined> {
  const named = await db.maybeOne<{ customer_id: string; id: string }>(sql`
    select customer_id, id from provider_reference
     where reseller_id = ${resellerId} and kind = ${entity.kind} and reference = ${reference}`);
  if (named === undefined) return undefined;
  const rows = await db.many(
    entity.select(sql`where t.customer_id = ${named.customer_id} and t.id = ${named.id}`),
  );
  return (await toldRows(db, entity, rows, new Map([[keyOfThing(named), reference]])))[0];
}

/** Which things a list has: all of a reseller's, or those of a customer, from a place on. */
export interface ListOf {
  readonly resellerId: number;
  readonly customerId: string | undefined;
  /** Customer and thing that end the page before. */
  readonly after: readonly [customerId: string, id: string] | undefined;
  readonly limit: number;
  /** Further conditions. */
  readonly where: Sql;
}

/** Things in the order of their customers and ids. */
export async function listEntities<Values, Kept>(
  db: Db,
  entity: Entity<Values, Kept>,
  { resellerId, customerId, after, limit, where }: ListOf,
): Promise<EntityRow<Kept>[]> {
  const rows = await db.many(
    entity.select(sql`
      where c.reseller_id = ${resellerId}
        and ${customerId === undefined ? sql`t.customer_id in (select r.customer_id from reseller_customer r where r.reseller_id = ${resellerId})` : sql`t.customer_id = ${customerId}`}
        and ${after === undefined ? sql`true` : sql`(t.customer_id, t.id) > (${after[0]}::uuid, ${after[1]}::uuid)`}
        and ${where}
      order by t.customer_id, t.id limit ${limit}`),
  );
  return toldRows(db, entity, rows, await referencesOfThings(db, rows));
}
