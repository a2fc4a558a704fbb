import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface PreferenceRow {
  key: string;
  value: unknown;
}

export const listPreferences = (db: Db, userId: string) =>
  db.many<PreferenceRow>(sql`select key, value from user_preference where user_id = ${userId} order by key`);

/** @param value as JSON text */
export const putPreference = (tx: Tx, userId: string, key: string, value: string) =>
  tx.execute(sql`
    insert into user_preference (user_id, key, value) values (${userId}, ${key}, ${value}::jsonb)
    on conflict (user_id, key) do update set value = excluded.value`);

export const removePreference = (tx: Tx, userId: string, key: string) =>
  tx.execute(sql`delete from user_preference where user_id = ${userId} and key = ${key}`);

/** How many others the user has. */
export const countOthers = (tx: Tx, userId: string, key: string) =>
  tx.one<{ count: number }>(sql`
    select count(*)::int as count from user_preference where user_id = ${userId} and key <> ${key}`);
