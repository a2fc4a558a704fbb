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
  /** Rows as {@link EntityRow}; `t` is its table, `c` the customer. @param where and what follows */
  readonly select: (where: Sql) => Sql<EntityRow<Kept>>;
  /**
   * Finds what the values name.
   * @returns in their order; `reference.unknown` or `request.invalid` in the place of what cannot be
   */
  readonly understand: (
    tx: Tx,
    resellerId: number,
    asked: readonly Asked<Values, Kept>[],
  ) => Promise<readonly (Wanted<Kept> | AppError)[]>;
  /**
   * Things that are the wanted ones already, made by imports or commands without a reference.
   * @returns their ids in the order of the wanted
   */
  readonly adopt?: (
    tx: Tx,
    wanted: readonly (Wanted<Kept> & { readonly reference: string })[],
  ) => Promise<readonly (string | undefined)[]>;
  /** Writes new things and changed ones alike. @throws {AppError} for one that stands in the way of another */
  readonly write: (tx: Tx, resellerId: number, changes: readonly Change<Kept>[], now: Date) => Promise<void>;
  /** Deletes things. @throws {AppError} reference.inUse */
  readonly remove: (tx: Tx, resellerId: number, rows: readonly EntityRow<Kept>[], now: Date) => Promise<void>;
}

/** The row of what a reference names; joined to an entity's table `t`. */
export const referenceJoin = sql`
  join customer c on c.customer_id = t.customer_id
  left join provider_reference p on p.customer_id = t.customer_id and p.id = t.id`;

/** What every entity tells of a row. */
export const ownedColumns = sql`t.id, t.customer_id, c.external_ref as customer, p.reference`;

/** The state of a thing that a caller has read, for `If-Match`: what it says, so that every way of changing it counts. */
export const etagOf = (kept: unknown): string =>
  `"${sha256(JSON.stringify(kept)).toString('hex').slice(0, 32)}"`;

/** A thing by the provider's own reference. */
export const findByReference = <Values, Kept>(
  db: Db,
  entity: Entity<Values, Kept>,
  resellerId: number,
  reference: string,
): Promise<EntityRow<Kept> | undefined> =>
  db.maybeOne(
    entity.select(sql`
      where (t.customer_id, t.id) = (
        select r.customer_id, r.id from provider_reference r
         where r.reseller_id = ${resellerId} and r.kind = ${entity.kind} and r.reference = ${reference})`),
  );

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
export const listEntities = <Values, Kept>(
  db: Db,
  entity: Entity<Values, Kept>,
  { resellerId, customerId, after, limit, where }: ListOf,
): Promise<EntityRow<Kept>[]> =>
  db.many(
    entity.select(sql`
      where c.reseller_id = ${resellerId}
        and ${customerId === undefined ? sql`t.customer_id in (select r.customer_id from reseller_customer r where r.reseller_id = ${resellerId})` : sql`t.customer_id = ${customerId}`}
        and ${after === undefined ? sql`true` : sql`(t.customer_id, t.id) > (${after[0]}::uuid, ${after[1]}::uuid)`}
        and ${where}
      order by t.customer_id, t.id limit ${limit}`),
  );
