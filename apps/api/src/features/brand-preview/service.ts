import type { BrandPreview, BrandValues } from '@counterfoil/contract/operator/running/admin-brands.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sha256 } from '../../secrets.ts';
import { findAdminBrand } from '../admin-brands/queries.ts';
import { checkedValues } from '../admin-brands/service.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import { findPreview, insertPreview } from './queries.ts';

const TOKEN_BYTES = 16;
/** A draft is looked at for so long; each change of it is a preview of its own. */
const PREVIEW_MS = 60 * 60_000;

/**
 * Keeps a draft of a brand, so that its screens can be drawn with it. Nothing that is published changes.
 * @throws {AppError} brand.notFound, brand.refused
 */
export async function makePreview(
  tx: Tx,
  { resellerId, id }: { readonly resellerId: number; readonly id: number },
  values: BrandValues,
  now: Date,
): Promise<BrandPreview> {
  if ((await findAdminBrand(tx, resellerId, id)) === undefined) throw new AppError('brand.notFound');
  const token = newToken(TOKEN_BYTES);
  const expiresAt = new Date(now.getTime() + PREVIEW_MS);
  await insertPreview(tx, { hash: sha256(token), brandId: id, draft: checkedValues(values), now, expiresAt });
  return { url: `/brand-preview/${token}`, expiresAt: expiresAt.toISOString() };
}

/** A draft as it is drawn. */
export interface PreviewedBrand {
  readonly brand: Brand;
  /** Which pictures it has of its own; else the built-in ones are shown. */
  readonly images: { readonly logo: boolean; readonly banner: boolean };
}

/** @returns undefined for an unknown address and for one that is over */
export async function previewOf(db: Db, token: string, now: Date): Promise<PreviewedBrand | undefined> {
  const row = await findPreview(db, sha256(token), now);
  if (row === undefined) return undefined;
  const has = (kind: string) => row.images.includes(kind);
  return { brand: brandFromRow(row), images: { logo: has('logo'), banner: has('banner') } };
}
