import type { Db } from '../../db/database.ts';
import { sql, sqlOnce } from '../../db/sql.ts';

export interface BrandRow {
  id: number;
  reseller_id: number | null;
  name: string;
  company_name: string;
  colours: string[];
  settings: unknown;
  reseller_settings: unknown;
  time_zone: string;
  currency: string;
  main_host: string | null;
}

const brandColumns = sql`
  b.id, b.reseller_id, b.name, b.company_name, b.colours, b.settings, b.time_zone, b.currency,
  coalesce(r.settings, '{}') as reseller_settings,
  (select h.host from brand_host h where h.brand_id = b.id and h.is_main) as main_host`;
const resellerJoin = sql`left join reseller r on r.id = b.reseller_id`;
const brandSelect = sql`select ${brandColumns} from brand b ${resellerJoin}`;

/** The first brand of each reseller: that of customers without one of their own. Joined, because Citus refuses it as a correlated subquery. */
export const firstBrands = sql`(select reseller_id, min(id) as id from brand group by reseller_id)`;

export const findBrand = (db: Db, id: number) =>
  db.maybeOne<BrandRow>(sqlOnce`${brandSelect} where b.id = ${id}`);

export const findBrandByHost = (db: Db, host: string) =>
  db.maybeOne<BrandRow>(
    sql`${brandSelect} where b.id = (select brand_id from brand_host where host = ${host})`,
  );

/**
 * The brand of one customer: their own, else the reseller's first, else brand 0. Beginning with the customer, so that Citus asks
 * the customer's machine alone, and the others may be away.
 */
export const findCustomerBrand = (db: Db, customerId: string, resellerId: number) =>
  db.one<BrandRow>(sqlOnce`
    select ${brandColumns}
      from customer c
      join brand b on b.id = coalesce(
             c.brand_id, (select id from brand where reseller_id = ${resellerId} order by id limit 1), 0)
      ${resellerJoin}
     where c.customer_id = ${customerId}`);

/** The hosts of customers' brands, by the customers' ids; null where a brand has none. */
export async function findMainHosts(
  db: Db,
  customerIds: readonly string[],
  resellerId: number,
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db.many<{ customer_id: string; main_host: string | null }>(sql`
    select c.customer_id, h.host as main_host
      from customer c
      left join brand_host h on h.is_main and h.brand_id = coalesce(
             c.brand_id, (select id from brand where reseller_id = ${resellerId} order by id limit 1), 0)
     where c.customer_id = any(${[...customerIds]}::uuid[])`);
  return new Map(rows.map((row) => [row.customer_id, row.main_host]));
}

/** The zone of the reseller's first brand, in which its day begins; UTC where it has none. */
export async function findResellerZone(db: Db, resellerId: number): Promise<string> {
  const row = await db.maybeOne<{ zone: string }>(sql`
    select time_zone as zone from brand where reseller_id = ${resellerId} order by id limit 1`);
  return row?.zone ?? 'UTC';
}

/** Whether an address is the one that a customer's mails go to. */
export const isCustomersAddress = async (db: Db, customerId: string, email: string): Promise<boolean> =>
  (await db.maybeOne(sqlOnce`
    select 1 from customer where customer_id = ${customerId} and lower(email) = lower(${email})`)) !==
  undefined;

export interface BrandImageRow {
  content_type: string;
  content: Buffer;
}

export const findBrandImage = (db: Db, brandId: number, kind: 'logo' | 'banner') =>
  db.maybeOne<BrandImageRow>(sql`
    select content_type, content from brand_image where brand_id = ${brandId} and kind = ${kind}`);
