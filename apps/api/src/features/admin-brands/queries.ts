import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** A brand with its hosts, the main one first, and the kinds of its pictures. */
export interface AdminBrandRow {
  id: number;
  reseller_id: number;
  reference: string | null;
  name: string;
  company_name: string;
  colours: string[];
  currency: string;
  time_zone: string;
  settings: Record<string, unknown>;
  hosts: string[];
  images: string[];
}

const select = sql`
  select b.id, b.reseller_id, b.reference, b.name, b.company_name, b.colours, b.currency, b.time_zone, b.settings,
         array(select h.host from brand_host h where h.brand_id = b.id order by h.is_main desc, h.host) as hosts,
         array(select i.kind from brand_image i where i.brand_id = b.id order by i.kind) as images
    from brand b`;

const of = (resellerId: number, which: Sql) => sql<AdminBrandRow>`
  ${select} where b.reseller_id = ${resellerId} and ${which}`;

/** A reseller's brands by their numbers. @param after the number after which the page begins */
export const listAdminBrands = (db: Db, resellerId: number, after: number, limit: number) =>
  db.many(sql<AdminBrandRow>`${of(resellerId, sql`b.id > ${after}`)} order by b.id limit ${limit}`);

export const findAdminBrand = (db: Db, resellerId: number, id: number) =>
  db.maybeOne(of(resellerId, sql`b.id = ${id}`));

export const findBrandByReference = (db: Db, resellerId: number, reference: string) =>
  db.maybeOne(of(resellerId, sql`b.reference = ${reference}`));

/** The same, locked until the transaction ends. */
export const lockBrandByReference = (tx: Tx, resellerId: number, reference: string) =>
  tx.maybeOne(sql<AdminBrandRow>`${of(resellerId, sql`b.reference = ${reference}`)} for no key update of b`);

export const lockAdminBrand = (tx: Tx, resellerId: number, id: number) =>
  tx.maybeOne(sql<AdminBrandRow>`${of(resellerId, sql`b.id = ${id}`)} for no key update of b`);

export interface ResellerRow {
  id: number;
  reference: string | null;
  name: string;
  settings: Record<string, unknown>;
}

export const findReseller = (db: Db, id: number) =>
  db.one<ResellerRow>(sql`select id, reference, name, settings from reseller where id = ${id}`);

export const lockReseller = (tx: Tx, id: number) =>
  tx.one<ResellerRow>(
    sql`select id, reference, name, settings from reseller where id = ${id} for no key update`,
  );

export const findResellerByReference = (db: Db, reference: string) =>
  db.maybeOne<ResellerRow>(sql`
    select id, reference, name, settings from reseller where reference = ${reference}`);

/** By their numbers. @param isDemo whether those of the demo world are among them */
export const listResellerPage = (
  db: Db,
  { after, limit, isDemo }: { readonly after: number; readonly limit: number; readonly isDemo: boolean },
) =>
  db.many<ResellerRow>(sql`
    select id, reference, name, settings from reseller
     where id > ${after} and (${isDemo} or not is_demo) order by id limit ${limit}`);
