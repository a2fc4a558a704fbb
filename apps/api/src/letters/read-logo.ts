import type { Db } from '../db/database.ts';
import { findBrandImage } from '../features/brand/queries.ts';
import type { Logo } from '../pdf/letter/letter.ts';

const TYPES: Readonly<Record<string, Logo['type']>> = {
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/svg+xml': 'svg',
};

/** The brand's logo for a document; undefined where there is none or it is of another type. */
export async function readLogo(db: Db, brandId: number): Promise<Logo | undefined> {
  const image = await findBrandImage(db, brandId, 'logo');
  const type = image === undefined ? undefined : TYPES[image.content_type];
  return image === undefined || type === undefined ? undefined : { type, data: image.content };
}
