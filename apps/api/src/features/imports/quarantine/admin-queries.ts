import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Cause } from '../report/causes.ts';
import type { RetrySlice } from './queries.ts';

/** Something that waits, as it stood in its file. */
export interface QuarantineRow {
  id: string;
  reseller_id: number;
  file_id: string;
  file: string;
  format: string | null;
  kind: 'usage' | 'invoice' | 'file' | 'row';
  line: number | null;
  cause: Cause;
  reason: string;
  missing: string[];
  record: Buffer | null;
  source: RetrySlice['source'] | null;
  first_seen_at: Date;
  tries: number;
  tried_at: Date | null;
  /** Where it stands among the others: what a page begins after. */
  cursor: string;
}

/** In a file by line, else the newest first; both as a number of twelve digits, with the beginning of the id. */
const rankOf = (inFile: boolean): Sql => sql`
  (lpad(to_hex(${
    inFile
      ? sql`coalesce(q.line, 0)::bigint`
      : sql`9999999999999 - (extract(epoch from q.first_seen_at) * 1000)::bigint`
  }), 12, '0') || left(replace(q.id::text, '-', ''), 20))`;

const select = (inFile: boolean): Sql => sql`
  select q.id, q.reseller_id, q.file_id, f.name as file, f.format, q.kind, q.line, q.cause, q.reason, q.missing, q.record, f.source,
         q.first_seen_at, q.tries, q.tried_at, ${rankOf(inFile)} as cursor
    from quarantine_entry q join import_file f on f.id = q.file_id`;

export interface QuarantineFilter {
  readonly resellerId: number;
  /** Of one import only. */
  readonly fileId?: string | undefined;
  readonly cause?: Cause | undefined;
  readonly after?: string | undefined;
  readonly limit: number;
}

const filtered = ({ resellerId, fileId, cause }: Omit<QuarantineFilter, 'after' | 'limit'>): Sql => sql`
  q.reseller_id = ${resellerId} and (${fileId ?? null}::uuid is null or q.file_id = ${fileId ?? null})
  and (${cause ?? null}::text is null or q.cause = ${cause ?? null})`;

/** What waits: of one import in the order of its file, else the newest first. */
export function listQuarantined(db: Db, of: QuarantineFilter): Promise<QuarantineRow[]> {
  const inFile = of.fileId !== undefined;
  return db.many<QuarantineRow>(sql`
    ${select(inFile)} where ${filtered(of)}
       and (${of.after ?? null}::text is null or ${rankOf(inFile)} collate "C" > ${of.after ?? null})
     order by ${rankOf(inFile)} collate "C" limit ${of.limit}`);
}

export const findQuarantined = (db: Db, resellerId: number, id: string) =>
  db.maybeOne<QuarantineRow>(sql`
    ${select(true)} where q.reseller_id = ${resellerId} and q.id = ${id}`);

/** Whether an import is the reseller's. */
export const isImportOf = async (db: Db, resellerId: number, fileId: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from import_file where id = ${fileId} and reseller_id = ${resellerId}`)) !==
  undefined;

/** How many of those that are kept would be tried. */
export const countRetriable = async (
  db: Db,
  of: Omit<QuarantineFilter, 'after' | 'limit'>,
): Promise<number> =>
  (
    await db.one<{ n: number }>(sql`
      select count(*)::int as n from quarantine_entry q where ${filtered(of)} and q.record is not null`)
  ).n;

/** Puts another content in the place of a row's, which was never tried so. */
export const keepRecord = (db: Db, id: string, record: Buffer) =>
  db.maybeOne<{ id: string }>(sql`
    update quarantine_entry set record = ${record}, tries = 0, tried_at = null
     where id = ${id} and kind = 'usage' returning id`);
