import type { Db } from '../../db/database.ts';
import { findBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import type { WholeMailRow } from './queries.ts';

/** The brand in whose name a mail went out; where that is gone, the built-in one. */
export async function brandOfMail(db: Db, mail: Pick<WholeMailRow, 'brand_id'>): Promise<Brand> {
  const row = (await findBrand(db, mail.brand_id)) ?? (await findBrand(db, 0));
  if (row === undefined) throw new Error('the built-in brand is missing');
  return brandFromRow(row);
}
