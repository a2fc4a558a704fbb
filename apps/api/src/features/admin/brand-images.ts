import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { lockBrand } from './brand-hosts.ts';
import { AdminRefused } from './refused.ts';

export type ImageKind = 'logo' | 'banner';

const LARGEST: Readonly<Record<ImageKind, number>> = { logo: 200_000, banner: 2_000_000 };
/** What a picture has no use for, and a page must not be given. */
const active = /<script|<foreignobject|javascript:|\son[a-z]+\s*=|<!entity|<!doctype[^>]*\[/i;

/**
 * Stores a brand's logo or banner (SVG, PNG, JPEG or WebP, told by its content).
 * @returns the content type
 * @throws {AdminRefused} for an unknown brand, another kind of file, one too large, or an SVG with scripts
 */
export async function setBrandImage(
  tx: Tx,
  brandId: number,
  kind: ImageKind,
  content: Uint8Array,
): Promise<string> {
  await lockBrand(tx, brandId);
  if (content.length > LARGEST[kind]) {
    throw new AdminRefused(`the ${kind} has ${content.length} bytes; ${LARGEST[kind]} is the most`);
  }
  const contentType = contentTypeOf(content);
  if (contentType === null) throw new AdminRefused(`the ${kind} is neither SVG, PNG, JPEG nor WebP`);
  if (contentType === 'image/svg+xml' && active.test(Buffer.from(content).toString('utf8'))) {
    throw new AdminRefused(`the ${kind} contains scripts or entities; save it as a plain SVG`);
  }
  await tx.execute(sql`
    insert into brand_image (brand_id, kind, content_type, content)
    values (${brandId}, ${kind}, ${contentType}, ${Buffer.from(content)})
    on conflict (brand_id, kind) do update set content_type = excluded.content_type, content = excluded.content`);
  return contentType;
}

/** Takes the image away, so that the default one is shown. @throws {AdminRefused} for an unknown brand */
export async function removeBrandImage(tx: Tx, brandId: number, kind: ImageKind): Promise<void> {
  await lockBrand(tx, brandId);
  await tx.execute(sql`delete from brand_image where brand_id = ${brandId} and kind = ${kind}`);
}

function contentTypeOf(content: Uint8Array): string | null {
  const bytes = Buffer.from(content);
  if (bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP')
    return 'image/webp';
  const head = bytes
    .toString('utf8', 0, 2000)
    .replace(/^\uFEFF/, '')
    .trimStart();
  return /^(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/i.test(head) ? 'image/svg+xml' : null;
}
