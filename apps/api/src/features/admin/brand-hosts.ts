import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { normaliseHost } from '../brand/service.ts';
import { checkedHost } from './checks.ts';
import { AdminRefused } from './refused.ts';
import type { Added } from './resellers.ts';

/**
 * Points a host name at a brand. The first host of a brand is its main one, whose address links carry.
 * @param isMain makes it the main one
 * @throws {AdminRefused} for an unknown brand, a bad name, or a host that belongs to another brand
 */
export async function addBrandHost(
  tx: Tx,
  brandId: number,
  name: string,
  isMain: boolean,
): Promise<{ host: string; added: Added }> {
  const host = checkedHost(normaliseHost(name));
  await lockBrand(tx, brandId);
  const known = await tx.maybeOne<{ brand_id: number; is_main: boolean }>(
    sql`select brand_id, is_main from brand_host where host = ${host}`,
  );
  if (known !== undefined && known.brand_id !== brandId) {
    throw new AdminRefused(`${host} belongs to brand ${known.brand_id}; remove it there first`);
  }
  if (known !== undefined && (known.is_main || !isMain)) return { host, added: 'unchanged' };
  const first = await tx.maybeOne(sql`select 1 from brand_host where brand_id = ${brandId} limit 1`);
  const becomesMain = isMain || first === undefined;
  if (becomesMain) {
    await tx.execute(sql`update brand_host set is_main = false where brand_id = ${brandId} and is_main`);
  }
  await tx.execute(sql`
    insert into brand_host (host, brand_id, is_main) values (${host}, ${brandId}, ${becomesMain})
    on conflict (host) do update set is_main = excluded.is_main`);
  return { host, added: 'created' };
}

/** Takes a host name away from a brand; where it was the main one, the first of the others becomes it. */
export async function removeBrandHost(tx: Tx, brandId: number, name: string): Promise<string> {
  const host = normaliseHost(name);
  await lockBrand(tx, brandId);
  const gone = await tx.execute(sql`delete from brand_host where host = ${host} and brand_id = ${brandId}`);
  if (gone === 0) throw new AdminRefused(`brand ${brandId} has no host ${host}`);
  await tx.execute(sql`
    update brand_host set is_main = true
     where host = (select min(host) from brand_host where brand_id = ${brandId})
       and not exists (select 1 from brand_host where brand_id = ${brandId} and is_main)`);
  return host;
}

/** One change of a brand at a time. @throws {AdminRefused} when there is no such brand */
export async function lockBrand(tx: Tx, brandId: number): Promise<void> {
  const row = await tx.maybeOne(
    sql`select 1 from brand where id = ${brandId} and reseller_id is not null for no key update`,
  );
  if (row === undefined) throw new AdminRefused(`there is no brand ${brandId}`);
}
