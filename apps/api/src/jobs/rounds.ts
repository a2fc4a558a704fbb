import { rounds } from '../counts.ts';
import type { Database } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Between two times that a process says how its background rounds fare, and looks whether one is wanted. */
export const SAVE_ROUNDS_MS = 10_000;
const MOST_CHARACTERS = 500;

const moment = (ms: number | undefined): Date | null => (ms === undefined ? null : new Date(ms));

/** Says how the background rounds of this process fare, and begins those that a person wants now. */
export async function saveRounds(db: Database): Promise<void> {
  const all = [...rounds];
  const names = all.map(([name]) => name);
  const wanted = await db.transaction(async (tx) => {
    // In the order of the key: two processes do not stand in each other's way.
    await tx.execute(sql`
      insert into background_round as r (name, every_ms, ok_at, failed_at, problem)
      select * from unnest(${names}::text[], ${all.map(([, { everyMs }]) => everyMs)}::int[],
                           ${all.map(([, { okAt }]) => moment(okAt))}::timestamptz[],
                           ${all.map(([, { failedAt }]) => moment(failedAt))}::timestamptz[],
                           ${all.map(([, { problem }]) => problem?.slice(0, MOST_CHARACTERS) ?? null)}::text[]) as n
       order by 1
      on conflict (name) do update
         set every_ms = excluded.every_ms, ok_at = greatest(r.ok_at, excluded.ok_at),
             problem = case when excluded.failed_at > coalesce(r.failed_at, '-infinity') then excluded.problem
                            else r.problem end,
             failed_at = greatest(r.failed_at, excluded.failed_at)`);
    return tx.many<{ name: string }>(sql`
      update background_round set wanted_at = null where wanted_at is not null and name = any(${names}::text[])
      returning name`);
  });
  for (const { name } of wanted) rounds.get(name)?.wake();
}
