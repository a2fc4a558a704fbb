import { AppError } from '../../app-error.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { authenticatedInstallation, authenticatedProgram } from '../../http/requests/scope.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { programLimit } from '../../limits/limits.ts';
import { sha256 } from '../../secrets.ts';
import { resellerOfCall } from './reseller-of-call.ts';

const HOUR_MS = 3_600_000;
const form = /^Bearer (cfk_[\w-]{43})$/i;

export interface ProgramDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly limiter: Limiter;
  /** DEMO=1: programs of a demo world may call */
  readonly isDemo: boolean;
}

/**
 * Proves the key of a call for programs before any handler runs: every fault of a key is answered alike. Then the calls
 * of the key are counted, and what it may do is compared with what the route asks for.
 */
export function authenticatePrograms(app: App, deps: ProgramDeps): void {
  const { db, clock, limiter, isDemo } = deps;
  app.addHook('onRequest', async (request) => {
    const { access, scope, ofInstallation } = request.routeOptions.config ?? {};
    // An operator was proven before.
    if (access !== 'program' || (request.programScope ?? request.installationScope) !== null) return;
    const now = clock.now();
    const key = form.exec(request.headers.authorization ?? '')?.[1];
    const found = key === undefined ? undefined : await findKey(db, key, now);
    if (found === undefined || (found.is_demo && !isDemo)) {
      throw new AppError('apiKey.refused', { headers: { 'www-authenticate': 'Bearer' } });
    }
    await limiter.require([{ limit: programLimit, of: [found.id] }]);
    if (now.getTime() - (found.last_used_at?.getTime() ?? 0) > HOUR_MS) await sayUsed(db, found.id, now);
    if (scope === undefined || !found.scopes.includes(scope)) {
      throw new AppError('apiKey.scope', {
        text: `This API key may not do this: it lacks the scope ${scope}`,
        headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
      });
    }
    const actor = `key:${found.name}`;
    const isOfInstallation = found.reseller_id === null;
    if (ofInstallation === true) {
      if (!isOfInstallation) throw new AppError('installation.only');
      request.installationScope = authenticatedInstallation(actor);
      return;
    }
    const resellerId = await resellerOfCall(deps, request, found.reseller_id);
    request.programScope = authenticatedProgram({
      resellerId,
      actor,
      scopes: found.scopes,
      isOfInstallation,
    });
  });
}

interface FoundKey {
  id: string;
  reseller_id: number | null;
  name: string;
  scopes: string[];
  last_used_at: Date | null;
  is_demo: boolean;
}

const findKey = (db: Db, key: string, now: Date) =>
  db.maybeOne<FoundKey>(sql`
    select k.id, k.reseller_id, k.name, k.scopes, k.last_used_at, coalesce(r.is_demo, false) as is_demo
      from api_key k left join reseller r on r.id = k.reseller_id
     where (k.hash = ${sha256(key)} or (k.previous_hash = ${sha256(key)} and k.previous_until > ${now}))
       and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${now})`);

/** To the hour: enough to see which keys nobody needs. */
const sayUsed = (db: Database, id: string, now: Date): Promise<number> =>
  db.transaction((tx) => tx.execute(sql`update api_key set last_used_at = ${now} where id = ${id}`));
