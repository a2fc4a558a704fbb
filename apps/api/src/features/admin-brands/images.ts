import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { removeBrandImage, setBrandImage } from '../admin/service.ts';
import { type AdminBrandRow, findAdminBrand } from './queries.ts';
import { asAppError } from './service.ts';

export interface ImageAt {
  readonly resellerId: number;
  readonly id: number;
  readonly kind: 'logo' | 'banner';
}

/**
 * Stores a picture of a brand, or takes it away.
 * @param content null: takes it away
 * @throws {AppError} brand.notFound, brand.refused
 */
export async function setImage(
  tx: Tx,
  { resellerId, id, kind }: ImageAt,
  content: Uint8Array | null,
  by: ActedBy,
  now: Date,
): Promise<AdminBrandRow> {
  const before = await findAdminBrand(tx, resellerId, id);
  if (before === undefined) throw new AppError('brand.notFound');
  const had = before.images.includes(kind);
  if (content === null && !had) return before;
  const type = await change(tx, id, kind, content);
  const detail = {
    brand: id,
    [`before.${kind}`]: had ? 'own' : null,
    [`after.${kind}`]: type === null ? null : `${type}, ${content?.length ?? 0} bytes`,
  };
  await recordAudit(tx, { action: 'brand.changed', at: now, resellerId, ...by, detail });
  const after = await findAdminBrand(tx, resellerId, id);
  if (after === undefined) throw new Error(`brand ${id} is gone`);
  return after;
}

async function change(
  tx: Tx,
  id: number,
  kind: ImageAt['kind'],
  content: Uint8Array | null,
): Promise<string | null> {
  try {
    if (content !== null) return await setBrandImage(tx, id, kind, content);
    await removeBrandImage(tx, id, kind);
    return null;
  } catch (error) {
    throw asAppError(error);
  }
}
