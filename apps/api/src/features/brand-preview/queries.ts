import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { BrandRow } from '../brand/queries.ts';

export interface NewPreview {
  readonly hash: Buffer;
  readonly brandId: number;
  readonly draft: object;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Keeps a draft, and forgets those that are over. */
export async function insertPreview(
  tx: Tx,
  { hash, brandId, draft, now, expiresAt }: NewPreview,
): Promise<void> {
  await tx.execute(sql`delete from brand_preview where expires_at <= ${now}`);
  await tx.execute(sql`
    insert into brand_preview (hash, brand_id, draft, created_at, expires_at)
    values (${hash}, ${brandId}, ${JSON.stringify(draft)}, ${now}, ${expiresAt})`);
}

/** A brand as its draft has it, with the kinds of its own pictures. */
export interface PreviewRow extends BrandRow {
  images: string[];
}

export const findPreview = (db: Db, hash: Buffer, now: Date) =>
  db.maybeOne<PreviewRow>(sql`
    select b.id, b.reseller_id, p.draft->>'name' as name, p.draft->>'company_name' as company_name,
           array(select jsonb_array_elements_text(p.draft->'colours')) as colours, p.draft->'settings' as settings,
           p.draft->>'time_zone' as time_zone, p.draft->>'currency' as currency,
           coalesce(r.settings, '{}') as reseller_settings, p.draft->'hosts'->>0 as main_host,
           array(select i.kind from brand_image i where i.brand_id = b.id) as images
      from brand_preview p join brand b on b.id = p.brand_id left join reseller r on r.id = b.reseller_id
     where p.hash = ${hash} and p.expires_at > ${now}`);
