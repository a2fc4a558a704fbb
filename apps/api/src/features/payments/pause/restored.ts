import type { Database, Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { pausePayments } from './pause.ts';

/**
 * Which database of which cluster this is: one that was filled from a dump is another. A copy of the cluster's files is not told
 * from the original.
 * @returns undefined where the server does not say
 */
export const readPlace = async (db: Db): Promise<string | undefined> =>
  db
    .one<{ place: string }>(sql`
      select (select system_identifier from pg_control_system()) || '/' || oid as place
        from pg_database where datname = current_database()`)
    .then(
      ({ place }) => place,
      () => undefined,
    );

/**
 * Pauses payments where the database was filled from a dump since a process last worked in it: what was paid after the dump is
 * not known. By hand it is done with `payments pause`. Of several processes that start at once, one does it.
 * @returns for how many gateway accounts, from which time; undefined where nothing was restored
 */
export async function noticeRestored(
  db: Database,
  now: Date,
): Promise<{ readonly accounts: number; readonly since: Date } | undefined> {
  const place = await readPlace(db);
  const known = await db.maybeOne<{ place: string | null; madeAt: Date }>(sql`
    select place, made_at as "madeAt" from key_check`);
  if (place === undefined || known === undefined || known.place === place) return undefined;
  return db.transaction(async (tx) => {
    const moved = await tx.execute(sql`
      update key_check set place = ${place} where place is not distinct from ${known.place}`);
    if (moved === 0 || known.place === null) return undefined;
    // The dump was made no earlier than what it knows last.
    const { last } = await tx.one<{ last: Date | null }>(sql`select max(at) as last from transition`);
    const since = last ?? known.madeAt;
    const accounts = await pausePayments(tx, { since, note: 'the database was filled from a dump', now });
    return { accounts, since };
  });
}
