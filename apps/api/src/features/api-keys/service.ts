import { randomBytes } from 'node:crypto';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { authenticatedProgram } from '../../http/requests/scope.ts';
import { sha256 } from '../../secrets.ts';

/** What keys begin with, so that a leaked one is recognised for what it is. */
const PREFIX = 'cfk_';
/** 256 random bits cannot be guessed, so a plain hash of them is kept and no tries are counted. */
const KEY_BYTES = 32;
const HOUR_MS = 3_600_000;
const form = /^Bearer (cfk_[\w-]{43})$/i;

/**
 * Makes a key for a program of a reseller.
 * @returns the key itself, which is shown once and kept nowhere; undefined when the name is taken or there is no such
 *   reseller
 */
export async function addApiKey(
  tx: Tx,
  resellerId: number,
  name: string,
  now: Date,
): Promise<string | undefined> {
  const key = `${PREFIX}${randomBytes(KEY_BYTES).toString('base64url')}`;
  const made = await tx.execute(sql`
    insert into api_key (id, reseller_id, name, hash, created_at)
    select ${newId(now.getTime())}, id, ${name}, ${sha256(key)}, ${now} from reseller where id = ${resellerId}
    on conflict do nothing`);
  return made === 1 ? key : undefined;
}

/** Ends a key at once. @returns false when there is none of that name in use */
export const revokeApiKey = async (tx: Tx, resellerId: number, name: string, now: Date): Promise<boolean> =>
  (await tx.execute(sql`
    update api_key set revoked_at = ${now}
     where reseller_id = ${resellerId} and name = ${name} and revoked_at is null`)) === 1;

/** The keys of a reseller by name, ended ones included. */
export const listApiKeys = (db: Db, resellerId: number) =>
  db.many<{ name: string; created_at: Date; last_used_at: Date | null; revoked_at: Date | null }>(sql`
    select name, created_at, last_used_at, revoked_at from api_key where reseller_id = ${resellerId} order by name`);

/**
 * Proves the key of a call for programs before any handler runs. Every fault is answered alike.
 * @param deps.isDemo DEMO=1: programs of a demo world may call
 */
export function authenticatePrograms(
  app: App,
  { db, clock, isDemo }: { readonly db: Database; readonly clock: Clock; readonly isDemo: boolean },
): void {
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.config?.access !== 'program') return;
    const key = form.exec(request.headers.authorization ?? '')?.[1];
    const found = key === undefined ? undefined : await findKey(db, key);
    if (found === undefined || (found.is_demo && !isDemo)) {
      throw new AppError('apiKey.refused', { headers: { 'www-authenticate': 'Bearer' } });
    }
    const now = clock.now();
    if (now.getTime() - (found.last_used_at?.getTime() ?? 0) > HOUR_MS) await sayUsed(db, found.id, now);
    request.programScope = authenticatedProgram(found.reseller_id, found.name);
  });
}

const findKey = (db: Db, key: string) =>
  db.maybeOne<{
    id: string;
    reseller_id: number;
    name: string;
    last_used_at: Date | null;
    is_demo: boolean;
  }>(sql`
    select k.id, k.reseller_id, k.name, k.last_used_at, r.is_demo
      from api_key k join reseller r on r.id = k.reseller_id
     where k.hash = ${sha256(key)} and k.revoked_at is null`);

/** To the hour: enough to see which keys nobody needs. */
const sayUsed = (db: Database, id: string, now: Date): Promise<number> =>
  db.transaction((tx) => tx.execute(sql`update api_key set last_used_at = ${now} where id = ${id}`));
