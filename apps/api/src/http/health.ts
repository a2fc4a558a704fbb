import { access, constants, statfs } from 'node:fs/promises';
import { makeDataDir } from '@counterfoil/postgres/data-dir.ts';
import * as z from 'zod/mini';
import { type Database, whyUnavailable } from '../db/database.ts';
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

/** With less than this left, a disk counts as full. */
const ROOM_BYTES = 1_000_000;
/** Whether a disk has room is asked no more often, however often the address is. */
const ROOM_EVERY_MS = 1_000;

/** `/healthz`: the process lives. `/readyz`: it can serve: database reachable and migrated, disks with room. */
export function healthRoutes(app: App, deps: HealthDeps): void {
  app.get(
    '/healthz',
    { config: { access: 'public', hidden: true }, schema: { response: { 200: health } } },
    async () => ({ status: 'ok' as const }),
  );
  const hasRoom = atMostEvery(ROOM_EVERY_MS, () => findRoom(deps.db));
  app.get(
    '/readyz',
    { config: { access: 'public', hidden: true }, schema: { response: { 200: readiness, 503: readiness } } },
    async (_request, reply) => {
      const checks = {
        process: deps.isStopping() ? 'stopping' : 'ok',
        database: await checkDatabase(deps.db, hasRoom),
        disk: await checkDisk(deps.dataDir),
      };
      const isReady = Object.values(checks).every((check) => check === 'ok');
      return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'notReady', checks });
    },
  );
}

async function checkDatabase(db: Database, hasRoom: () => Promise<void>): Promise<string> {
  try {
    const { version } = await db.one<{ version: number | null }>(
      sql`select max(version)::int as version from schema_migration`,
    );
    const known = (await readMigrations()).length;
    if (version !== known) return `schema ${version ?? 0}, this program needs ${known}`;
    await hasRoom();
    return 'ok';
  } catch (error) {
    return whyUnavailable(error) ?? 'unreachable';
  }
}

/**
 * Reads go well on a full disk and small changes often do: only what takes new space tells. A sort that does not fit
 * into memory takes it for a moment, and nothing of it stays.
 */
async function findRoom(db: Database): Promise<void> {
  await db.transaction(
    async (tx) => {
      await tx.one(sql`select set_config('work_mem', '64kB', true)`);
      await tx.one(sql`
        select count(distinct repeat('x', 1000) || n) from generate_series(1, ${ROOM_BYTES / 1_000}::int) as n`);
    },
    { readOnly: true },
  );
}

/** Calls within `ms` of one share its answer. */
function atMostEvery(ms: number, work: () => Promise<void>): () => Promise<void> {
  let last: { readonly until: number; readonly answer: Promise<void> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || last.until < now) last = { until: now + ms, answer: work() };
    return last.answer;
  };
}

async function checkDisk(dataDir: string): Promise<string> {
  try {
    makeDataDir(dataDir);
    await access(dataDir, constants.W_OK);
    const { bavail, bsize } = await statfs(dataDir);
    return bavail * bsize < ROOM_BYTES ? 'full' : 'ok';
  } catch {
    return 'not writable';
  }
}
