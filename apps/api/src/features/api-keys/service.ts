import { randomBytes } from 'node:crypto';
import type { ApiScope } from '@counterfoil/contract/operator/api-keys.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { sha256 } from '../../secrets.ts';

export { resellerOfCall } from './reseller-of-call.ts';

/** What keys begin with, so that a leaked one is recognised for what it is. */
const PREFIX = 'cfk_';
/** 256 random bits cannot be guessed, so a plain hash of them is kept and no tries are counted. */
const KEY_BYTES = 32;

export interface NewApiKey {
  /** Whose program it is; null: the installation's own, which may act for every reseller. */
  readonly resellerId: number | null;
  /** Says what it is for; unique among the keys of the reseller, those that have ended included. */
  readonly name: string;
  readonly scopes: readonly ApiScope[];
  /** Null: it does not run out. */
  readonly expiresAt: Date | null;
}

const newKey = (): string => `${PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;

const named = (resellerId: number | null, name: string): Sql =>
  sql`reseller_id is not distinct from ${resellerId}::int and name = ${name}`;

/**
 * Makes a key for a program of a provider.
 * @returns the key itself, which is shown once and kept nowhere; undefined when the name is taken or there is no such
 *   reseller
 */
export async function addApiKey(tx: Tx, wanted: NewApiKey, now: Date): Promise<string | undefined> {
  const { resellerId, name, scopes, expiresAt } = wanted;
  const key = newKey();
  const made = await tx.execute(sql`
    insert into api_key (id, reseller_id, name, scopes, expires_at, hash, created_at)
    select ${newId(now.getTime())}, ${resellerId}::int, ${name}, ${[...scopes]}::text[], ${expiresAt}::timestamptz,
           ${sha256(key)}, ${now}
     where ${resellerId}::int is null or exists (select from reseller where id = ${resellerId})
    on conflict do nothing`);
  return made === 1 ? key : undefined;
}

/**
 * Gives a key a new secret. The one it has works on for a while, so that programs are changed over without a gap; one that
 * was replaced earlier ends now.
 * @param change.previousUntil until when the old secret works
 * @param change.expiresAt when the key itself runs out; absent: as before
 * @returns the new secret; undefined when there is no key of that name in use
 */
export async function rotateApiKey(
  tx: Tx,
  { resellerId, name }: Pick<NewApiKey, 'resellerId' | 'name'>,
  change: { readonly previousUntil: Date; readonly expiresAt?: Date | undefined },
  now: Date,
): Promise<string | undefined> {
  const key = newKey();
  const done = await tx.execute(sql`
    update api_key
       set previous_hash = hash, previous_until = ${change.previousUntil}, hash = ${sha256(key)}, rotated_at = ${now},
           expires_at = coalesce(${change.expiresAt ?? null}::timestamptz, expires_at)
     where ${named(resellerId, name)} and revoked_at is null`);
  return done === 1 ? key : undefined;
}

/** Ends a key at once, with both its secrets. @returns false when there is none of that name in use */
export const revokeApiKey = async (
  tx: Tx,
  resellerId: number | null,
  name: string,
  now: Date,
): Promise<boolean> =>
  (await tx.execute(sql`
    update api_key set revoked_at = ${now} where ${named(resellerId, name)} and revoked_at is null`)) === 1;

/** Keys by name, ended ones included. @param resellerId undefined: those of all resellers and of the installation */
export const listApiKeys = (db: Db, resellerId: number | undefined) =>
  db.many<{
    reseller_id: number | null;
    name: string;
    scopes: ApiScope[];
    created_at: Date;
    expires_at: Date | null;
    rotated_at: Date | null;
    previous_until: Date | null;
    last_used_at: Date | null;
    revoked_at: Date | null;
  }>(sql`
    select reseller_id, name, scopes, created_at, expires_at, rotated_at, previous_until, last_used_at, revoked_at
      from api_key where ${resellerId ?? null}::int is null or reseller_id = ${resellerId ?? null}
     order by reseller_id nulls first, name`);
