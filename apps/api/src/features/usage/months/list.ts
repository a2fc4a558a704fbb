import { hasCitus } from '../../../db/catalogue.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { MonthArchive } from './archive-files.ts';
import { type MonthState, monthOf } from './months.ts';
import { nameOf } from './refused.ts';

/** A month as the operator sees it. */
export interface ListedMonth {
  /** 'YYYY-MM' */
  readonly month: string;
  readonly state: MonthState;
  /** Made before its first day. */
  readonly isAhead: boolean;
  /** By the rollups, which stay when the records are archived. */
  readonly records: number;
  /** Of the table with its indexes; 0 when archived. */
  readonly bytes: number;
  /** Of the archive's files; null unless archived. */
  readonly archiveBytes: number | null;
  readonly closedAt: string | null;
  readonly archivedAt: string | null;
  /** What was begun and not ended: the command that carries it on. */
  readonly unfinished: 'close' | 'archive' | null;
}

/** All months, oldest first. */
export async function listMonths(db: Db, now: Date): Promise<readonly ListedMonth[]> {
  const size = (await hasCitus(db))
    ? sql`citus_total_relation_size(c.oid)`
    : sql`pg_total_relation_size(c.oid)`;
  const rows = await db.many<{
    month: string;
    state: MonthState;
    records: bigint;
    bytes: bigint | null;
    archive: MonthArchive | null;
    closed_at: Date | null;
    archived_at: Date | null;
    is_guarded: boolean;
  }>(sql`
    select m.month, m.state, coalesce(d.n, 0)::bigint as records, ${size} as bytes, m.archive, m.closed_at,
           m.archived_at,
           exists (select from pg_constraint k where k.conrelid = c.oid and k.conname = 'month_closed') as is_guarded
      from usage_month m
      left join (select date_trunc('month', day)::date as month, sum(n) as n from usage_day group by 1) d
        on d.month = m.month
      left join pg_class c on c.oid = to_regclass('usage_record_' || to_char(m.month, 'YYYY_MM'))
     order by m.month`);
  return rows.map((row) => ({
    month: nameOf(row.month),
    state: row.state,
    isAhead: row.month > monthOf(now),
    records: Number(row.records),
    bytes: Number(row.bytes ?? 0),
    archiveBytes:
      row.archive === null ? null : row.archive.records.compressedBytes + row.archive.billed.compressedBytes,
    closedAt: row.closed_at?.toISOString() ?? null,
    archivedAt: row.archived_at?.toISOString() ?? null,
    unfinished: unfinishedOf(row),
  }));
}

function unfinishedOf(row: {
  readonly state: MonthState;
  readonly bytes: bigint | null;
  readonly is_guarded: boolean;
}): 'close' | 'archive' | null {
  if (row.state === 'archived') return row.bytes === null ? null : 'archive';
  return row.state === 'closed' && !row.is_guarded ? 'close' : null;
}
