import { REGISTRATION_TOKEN_SECONDS, RESET_TOKEN_SECONDS } from '@counterfoil/contract/people/auth.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { networkOf } from '../../../http/requests/address.ts';
import { sha256 } from '../../../secrets.ts';
import { findUser, lockUser, type UserRow } from '../queries.ts';
import * as queries from './token-queries.ts';

export type { TokenKind } from './token-queries.ts';

const TOKEN_BYTES = 32;
const LIFE_SECONDS: Readonly<Record<queries.TokenKind, number>> = {
  reset: RESET_TOKEN_SECONDS,
  registration: REGISTRATION_TOKEN_SECONDS,
};

/**
 * Makes the token of a link that opens an account once; an older one of the same kind stops working.
 * @returns 256 bits in base64url; only their hash is kept. Undefined for a user who may not sign in
 */
export async function issueToken(
  tx: Tx,
  kind: queries.TokenKind,
  userId: string,
  now: Date,
): Promise<string | undefined> {
  if ((await lockUser(tx, userId)) === undefined) return undefined;
  await queries.retireTokens(tx, userId, [kind], now);
  const token = newToken(TOKEN_BYTES);
  const expiresAt = new Date(now.getTime() + LIFE_SECONDS[kind] * 1000);
  await queries.insertToken(tx, { hash: sha256(token), kind, userId, now, expiresAt });
  return token;
}

/** The active user a link is for, without using it up; undefined when it is unknown, used, replaced or expired. */
export async function userOfToken(
  db: Db,
  kind: queries.TokenKind,
  token: string,
  now: Date,
): Promise<UserRow | undefined> {
  const found = await queries.findOpenToken(db, kind, sha256(token), now);
  return found === undefined ? undefined : findUser(db, found.user_id);
}

/** Uses a link up; of many tries at once exactly one succeeds. */
export async function spendToken(
  tx: Tx,
  kind: queries.TokenKind,
  userId: string,
  token: string,
  address: string,
  now: Date,
): Promise<boolean> {
  // The user first, as everywhere: two orders of locking would wait for each other.
  if ((await lockUser(tx, userId)) === undefined) return false;
  return (await queries.spendToken(tx, kind, sha256(token), networkOf(address), now)) === 1;
}
