import { access, constants, mkdir } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { Database } from '../db/database.ts';
import { readMigrations } from '../db/migrate.ts';
import { sql } from '../db/sql.ts';
import type { App } from './app.ts';

const health = z.object({ status: z.literal('ok') });
const readiness = z.object({
  status: z.enum(['ready', 'notReady']),
  checks: z.record(z.string(), z.string()),
});

export interface HealthDeps {
  readonly db: Database;
  readonly dataDir: string;
  readonly isStopping: () => boolean;
}

/** `/healthz`: the process lives. `/readyz`: it can serve: database reachable and migrated, disk writable. */
export function healthRoutes(app: App, deps: HealthDeps): void {
  app.get(
    '/healthz',
    { config: { access: 'public', hidden: true }, schema: { response: { 200: health } } },
    async () => ({ status: 'ok' as const }),
  );
  app.get(
    '/readyz',
    { config: { access: 'public', hidden: true }, schema: { response: { 200: readiness, 503: readiness } } },
    async (_request, reply) => {
      const checks = {
        process: deps.isStopping() ? 'stopping' : 'ok',
        database: await checkDatabase(deps.db),
        disk: await checkDisk(deps.dataDir),
      };
      const isReady = Object.values(checks).every((check) => check === 'ok');
      return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'notReady', checks });
    },
  );
}

async function checkDatabase(db: Database): Promise<string> {
  try {
    const { version } = await db.one<{ version: number | null }>(
      sql`select max(version)::int as version from schema_migration`,
    );
    const known = (await readMigrations()).length;
    if (version === known) return 'ok';
    return `schema ${version ?? 0}, this program needs ${known}`;
  } catch {
    return 'unreachable';
  }
}

async function checkDisk(dataDir: string): Promise<string> {
  try {
    await mkdir(dataDir, { recursive: true });
    await access(dataDir, constants.W_OK);
    return 'ok';
  } catch {
    return 'not writable';
  }
}
