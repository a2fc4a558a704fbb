import { randomBytes } from 'node:crypto';
import type { ApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditEvent, recordAudit } from '../../audit/record.ts';
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
  const isKnown =
    resellerId === null ||
    (await tx.maybeOne(sql`select 1 from reseller where id = ${resellerId}`)) !== undefined;
  if (!isKnown) return undefined;
  const key = newKey();
  // Of `insert … select` Citus counts what was selected, and not what came in.
  const made = await tx.execute(sql`
    insert into api_key (id, reseller_id, name, scopes, expires_at, hash, created_at)
    values (${newId(now.getTime())}, ${resellerId}, ${name}, ${[...scopes]}, ${expiresAt}, ${sha256(key)}, ${now})
    on conflict do nothing`);
  return made === 1 ? key : undefined;
}

export interface Rotation {
  /** Until when the old secret works. */
  readonly previousUntil: Date;
  /** When the key itself runs out; null: never; absent: as before. */
  readonly expiresAt?: Date | null | undefined;
}

/**
 * Gives a key a new secret. The one it has works on for a while, so that programs are changed over without a gap; one that
 * was replaced earlier ends now.
 * @returns the new secret; undefined when there is no key of that name in use
 */
export async function rotateApiKey(
  tx: Tx,
  { resellerId, name }: Pick<NewApiKey, 'resellerId' | 'name'>,
  change: Rotation,
  now: Date,
): Promise<string | undefined> {
  const key = newKey();
  const done = await tx.execute(sql`
    update api_key
       set previous_hash = hash, previous_until = ${change.previousUntil}, hash = ${sha256(key)}, rotated_at = ${now},
           expires_at = case when ${change.expiresAt === undefined} then expires_at
                             else ${change.expiresAt ?? null}::timestamptz end
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

/** As {@link addApiKey}, with its line of the audit trail. */
export async function makeKey(
  tx: Tx,
  wanted: NewApiKey,
  by: ActedBy,
  now: Date,
): Promise<string | undefined> {
  const key = await addApiKey(tx, wanted, now);
  if (key === undefined) return undefined;
  const { name, scopes, expiresAt, resellerId } = wanted;
  const detail = { name, scopes: scopes.join(' '), expiresAt: expiresAt?.toISOString() ?? null };
  await record(tx, { action: 'apiKey.added', at: now, ...by, detail }, resellerId);
  return key;
}

/** A key as it is found by whoever changes it. */
type Named = Pick<KeyRow, 'reseller_id' | 'name'>;

/** As {@link rotateApiKey}, with its line of the audit trail. */
export async function replaceKey(
  tx: Tx,
  { reseller_id: resellerId, name }: Named,
  change: Rotation,
  by: ActedBy,
  now: Date,
): Promise<string | undefined> {
  const key = await rotateApiKey(tx, { resellerId, name }, change, now);
  if (key === undefined) return undefined;
  const { previousUntil, expiresAt } = change;
  const detail = {
    name,
    previousUntil: previousUntil.toISOString(),
    ...(expiresAt === undefined ? {} : { 'after.expiresAt': expiresAt?.toISOString() ?? null }),
  };
  await record(tx, { action: 'apiKey.rotated', at: now, ...by, detail }, resellerId);
  return key;
}

/** As {@link revokeApiKey}, with its line of the audit trail. */
export async function endKey(
  tx: Tx,
  { reseller_id: resellerId, name }: Named,
  by: ActedBy,
  now: Date,
): Promise<boolean> {
  if (!(await revokeApiKey(tx, resellerId, name, now))) return false;
  await record(tx, { action: 'apiKey.revoked', at: now, ...by, detail: { name } }, resellerId);
  return true;
}

const record = (tx: Tx, event: AuditEvent, resellerId: number | null): Promise<void> =>
  recordAudit(tx, { ...event, resellerId: resellerId ?? undefined });

export interface KeyRow {
  id: string;
  reseller_id: number | null;
  name: string;
  scopes: ApiScope[];
  created_at: Date;
  expires_at: Date | null;
  rotated_at: Date | null;
  previous_until: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** Of a reseller of a demo world. */
  is_demo: boolean;
}

/** Keys by name, ended ones included. @param resellerId undefined: those of all resellers and of the installation */
export const listApiKeys = (db: Db, resellerId: number | undefined) =>
  db.many<KeyRow>(sql`
    select k.id, k.reseller_id, k.name, k.scopes, k.created_at, k.expires_at, k.rotated_at, k.previous_until,
           k.last_used_at, k.revoked_at, coalesce(r.is_demo, false) as is_demo
      from api_key k left join reseller r on r.id = k.reseller_id
     where ${resellerId ?? null}::int is null or k.reseller_id = ${resellerId ?? null}
     order by k.reseller_id nulls first, k.name`);
