import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** @param expiresAt when one that a command made runs out; null for one that somebody chose */
export const setPasswordHash = (tx: Tx, userId: string, passwordHash: string, expiresAt: Date | null) =>
  tx.execute(sql`
    update app_user set password_hash = ${passwordHash}, password_expires_at = ${expiresAt} where id = ${userId}`);

/** The same, only while the hash is still the one that was checked. @returns 1, or 0 when it changed meanwhile */
export const replacePasswordHash = (tx: Tx, userId: string, before: string, after: string) =>
  tx.execute(sql`
    update app_user set password_hash = ${after}, password_expires_at = null
     where id = ${userId} and password_hash = ${before}`);

/** Ends a user's sessions because the password changed, but for one. @returns how many */
export const endSessionsButOne = (tx: Tx, userId: string, kept: string | null, now: Date) =>
  tx.execute(sql`
    update user_session set ended_at = ${now}, end_reason = 'password'
     where user_id = ${userId} and ended_at is null and id is distinct from ${kept}::uuid`);
