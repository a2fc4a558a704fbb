import type { Db, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';

/** What a mailed link is good for. */
export type TokenKind = 'reset' | 'registration';

/** Makes the open links of a user useless. */
export const retireTokens = (tx: Tx, userId: string, kinds: readonly TokenKind[], now: Date) =>
  tx.execute(sql`
    update one_time_token set retired_at = ${now}
     where user_id = ${userId} and kind = any(${kinds}) and used_at is null and retired_at is null`);

export interface NewToken {
  readonly hash: Buffer;
  readonly kind: TokenKind;
  readonly userId: string;
  readonly now: Date;
  readonly expiresAt: Date;
}

export const insertToken = (tx: Tx, token: NewToken) =>
  tx.execute(sql`
    insert into one_time_token (hash, kind, user_id, created_at, expires_at)
    values (${token.hash}, ${token.kind}, ${token.userId}, ${token.now}, ${token.expiresAt})`);

/** Whose link it is, while it is still good. */
export const findOpenToken = (db: Db, kind: TokenKind, hash: Buffer, now: Date) =>
  db.maybeOne<{ user_id: string }>(sql`
    select user_id from one_time_token
     where hash = ${hash} and kind = ${kind} and used_at is null and retired_at is null and expires_at > ${now}`);

/** Uses a link up. @param network where from. @returns 1, or 0 when another use came first */
export const spendToken = (tx: Tx, kind: TokenKind, hash: Buffer, network: string, now: Date) =>
  tx.execute(sql`
    update one_time_token set used_at = ${now}, used_from = ${network}
     where hash = ${hash} and kind = ${kind} and used_at is null and retired_at is null and expires_at > ${now}`);
