import type { Db } from '../../db/database.ts';
import { findBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import { firstBrand, type UserRow } from './queries.ts';

/** The brand in whose name a user is written to: that of the first customer, else the reseller's first, else 0. */
export async function brandOfUser(db: Db, user: Pick<UserRow, 'id' | 'reseller_id'>): Promise<Brand> {
  const { brand_id } = await firstBrand(db, user.id, user.reseller_id);
  const row = (await findBrand(db, brand_id)) ?? (await findBrand(db, 0));
  if (row === undefined) throw new Error('the built-in brand is missing');
  return brandFromRow(row);
}
