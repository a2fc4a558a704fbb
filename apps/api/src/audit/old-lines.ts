import type { Database, Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Lines that are deleted in one transaction, with their seals. */
const LINES = 10_000;

/** Seals below the first that has a newer line; the newest seal stays, so that the chain has an end. */
const isOld = (before: Date) => sql`
  n < coalesce((select min(seal) from audit_event where seal is not null and at >= ${before}),
               (select max(n) from audit_seal))`;

/**
 * How many lines of the audit trail may be forgotten: those of the oldest seals, as far as all their lines are older, so that
 * the rest is a chain still.
 */
export const oldLines = async (db: Db, before: Date): Promise<number> =>
  (
    await db.one<{ lines: number }>(sql`
      select coalesce(sum(lines), 0)::int as lines from audit_seal where ${isOld(before)}`)
  ).lines;

/** Forgets some of them, the oldest first, with their seals. @returns lines; 0: there are none */
export const forgetOldLines = (db: Database, before: Date): Promise<number> =>
  db.transaction(async (tx) => {
    const seals = await tx.many<{ n: bigint }>(sql`
      select n from (select n, lines, sum(lines) over (order by n) as so_far from audit_seal where ${isOld(before)}) s
       where so_far <= ${LINES} order by n`);
    if (seals.length === 0) return 0;
    const numbers = seals.map(({ n }) => `${n}`);
    const lines = await tx.execute(sql`delete from audit_event where seal = any(${numbers}::bigint[])`);
    await tx.execute(sql`delete from audit_seal where n = any(${numbers}::bigint[])`);
    return lines;
  });
