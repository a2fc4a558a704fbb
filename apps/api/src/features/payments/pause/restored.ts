import type { Database, Db, Tx } from '../../../db/database.ts';
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

const FROM_BACKUP = 'backup ';

/** Notes in a database that is being filled that it comes from a backup, and of when: whoever works in it first notices. */
export const markRestored = (tx: Tx, takenAt: string): Promise<number> =>
  tx.execute(sql`update key_check set place = ${`${FROM_BACKUP}${takenAt}`}`);

/** Of when the backup is that a database was filled from, where nobody has worked in it since; ISO 8601. */
export const readRestored = async (db: Db): Promise<string | undefined> => {
  const row = await db.maybeOne<{ place: string | null }>(sql`select place from key_check`);
  return row?.place?.startsWith(FROM_BACKUP) === true ? row.place.slice(FROM_BACKUP.length) : undefined;
};

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
  if (known === undefined || known.place === place) return undefined;
  const isBackup = known.place?.startsWith(FROM_BACKUP) === true;
  if (place === undefined && !isBackup) return undefined;
  return db.transaction(async (tx) => {
    const moved = await tx.execute(sql`
      update key_check set place = ${place ?? null} where place is not distinct from ${known.place}`);
    if (moved === 0 || known.place === null) return undefined;
    // A dump was made no earlier than what it knows last.
    const { last } = await tx.one<{ last: Date | null }>(sql`select max(at) as last from transition`);
    const since = isBackup ? new Date(known.place.slice(FROM_BACKUP.length)) : (last ?? known.madeAt);
    const note = isBackup ? 'a backup was restored' : 'the database was filled from a dump';
    const accounts = await pausePayments(tx, { since, note, now });
    return { accounts, since };
  });
}
