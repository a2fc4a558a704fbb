import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

/** Enough to see that something is wrong; counting more would cost more than it tells. */
const AT_MOST = 50_000;

/** How many rows of imported files lie in quarantine. */
export async function countQuarantined(db: Db): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from (select from import_quarantine limit ${AT_MOST}) as q`,
  );
  return count;
}
