import { isId } from '@counterfoil/domain/text/ids.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import { readSnapshot } from '../../db/cursor.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import { exportArchive } from './archive.ts';
import { keptFrom } from './erase.ts';
import type { ErasureOf } from './erasure-rules.ts';
import type { Subject } from './held.ts';
import type { ExportHead } from './index-page.ts';

export { ExportTooLarge } from './archive.ts';
export { type EraseDeps, erase, foreseeErasure } from './erase.ts';
export { applyRetention, foreseeRetention, RETENTION_EVERY_MS } from './retention.ts';

export interface ExportDeps {
  readonly db: Database;
  /** Where long reads go. */
  readonly exports: Database;
  readonly files: FileStore;
  readonly clock: Clock;
}

/** Whose data is asked for: a user by address or id, or a customer. */
export type Asked =
  | { readonly kind: 'user'; readonly email: string }
  | { readonly kind: 'customer'; readonly id: string };

/** Whom an erasure is about. @returns undefined where there is no such user or customer of the reseller */
export async function findErasable(
  db: Db,
  asked: Asked,
  resellerId: number | undefined,
  now: Date,
): Promise<ErasureOf | undefined> {
  const found = await find(db, asked, resellerId);
  if (found === undefined) return undefined;
  const { subject, resellerId: of } = found;
  return { subject, resellerId: of, keepFrom: await keptFrom(db, of, now), now };
}

interface Found extends Omit<ExportHead, 'madeAt' | 'madeBy'> {
  readonly resellerId: number;
}

/**
 * Finds whose data is asked for and puts it on record that it is handed out.
 * @param resellerId whose it has to be; undefined: any reseller's
 * @returns undefined where there is no such user or customer
 */
export async function beginExport(
  tx: Tx,
  asked: Asked,
  resellerId: number | undefined,
  by: Partial<ActedBy>,
  now: Date,
): Promise<ExportHead | undefined> {
  const found = await find(tx, asked, resellerId);
  if (found === undefined) return undefined;
  const { subject, name, reseller, resellerId: of } = found;
  const whose =
    subject.kind === 'user' ? { userId: subject.id, userEmail: subject.email } : { customerId: subject.id };
  await recordAudit(tx, { action: 'privacy.exported', at: now, resellerId: of, ...by, ...whose });
  return { subject, name, reseller, madeAt: now, madeBy: by.actor ?? name };
}

async function find(tx: Db, asked: Asked, resellerId: number | undefined): Promise<Found | undefined> {
  const ofReseller = sql`(${resellerId ?? null}::int is null or x.reseller_id = ${resellerId ?? null})`;
  const row = await tx.maybeOne<{
    id: string;
    email: string;
    name: string;
    reseller: string;
    reseller_id: number;
  }>(
    asked.kind === 'user'
      ? sql`select x.id, x.email, x.display_name as name, r.name as reseller, r.id as reseller_id
              from app_user x join reseller r on r.id = x.reseller_id
             where ${isId(asked.email) ? sql`x.id = ${asked.email}` : sql`x.email = ${asked.email.trim().toLowerCase()}`}
               and ${ofReseller}`
      : sql`select x.customer_id as id, '' as email, x.label as name, r.name as reseller, r.id as reseller_id
              from customer x join reseller r on r.id = x.reseller_id
             where x.customer_id = ${asked.id} and ${ofReseller}`,
  );
  if (row === undefined) return undefined;
  const { id, email, name, reseller } = row;
  const subject: Subject = asked.kind === 'user' ? { kind: 'user', id, email } : { kind: 'customer', id };
  return { subject, name, reseller, resellerId: row.reseller_id };
}

/**
 * Writes all that is held about somebody, piece by piece, no faster than it is taken.
 * @throws {ExportTooLarge}
 */
export const writeExport = (
  { exports, files }: Pick<ExportDeps, 'exports' | 'files'>,
  head: ExportHead,
  write: (piece: Uint8Array) => Promise<void>,
): Promise<void> =>
  readSnapshot(exports, async (snapshot) => {
    for await (const piece of exportArchive(snapshot, files, head)) await write(piece);
  });

/** The name of the file, such as `data-of-mia-harbour-2026-03-01.zip`. */
export function exportFileName({ name, madeAt }: ExportHead): string {
  const words = name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `data-of-${words || 'somebody'}-${madeAt.toISOString().slice(0, 10)}.zip`;
}
