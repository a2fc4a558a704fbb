import { existsSync } from 'node:fs';
import { access, constants, statfs } from 'node:fs/promises';
import { makeDataDir } from '@counterfoil/postgres/data-dir.ts';
import * as z from 'zod/mini';
import { type Database, whyUnavailable } from '../../db/database.ts';
import { readMigrations } from '../../db/migrate.ts';
import { sql } from '../../db/sql.ts';
import { ROOM_BYTES, roomOn } from '../../files/room.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { App } from '../app-type.ts';
import { missingPages } from '../pages/portal-files.ts';

const health = z.object({ status: z.literal('ok') });
const readiness = z.object({
  status: z.enum(['ready', 'notReady']),
  checks: z.record(z.string(), z.string()),
});

export interface HealthDeps {
  readonly db: Database;
  readonly dataDir: string;
  /** Folder of stored files, where they are on a disk of this machine. */
  readonly filesDir: string | undefined;
  /** Why stored files cannot be reached; undefined where they can. */
  readonly filesFault: () => Promise<string | undefined>;
  /** Folder of the built portal, where this process serves it. */
  readonly dist?: string;
  readonly isStopping: () => boolean;
}

/** Whether a disk has room is asked no more often, however often the address is. */
const ROOM_EVERY_MS = 1_000;
/** A storage elsewhere is asked no more often, and not waited for longer. */
const FILES_EVERY_MS = 5_000;
const FILES_WITHIN_MS = 3_000;

/** What readiness says of each: `ok`, or what is wrong. */
export interface Readiness {
  readonly database: string;
  readonly disk: string;
}

/**
 * `/healthz`: the process lives. `/readyz`: it can serve: database reachable and migrated, disks with room, portal there.
 * @returns what asks the same of the database and the disks
 */
export function healthRoutes(app: App, deps: HealthDeps): () => Promise<Readiness> {
  app.get(
    '/healthz',
    { config: { access: 'public', hidden: true }, schema: { response: { 200: health } } },
    async () => ({ status: 'ok' as const }),
  );
  const hasRoom = atMostEvery(ROOM_EVERY_MS, () => findRoom(deps.db));
  const filesFault = atMostEvery(FILES_EVERY_MS, () =>
    withTimeout(FILES_WITHIN_MS, deps.filesFault(), 'the storage of FILES_URL does not answer'),
  );
  const look = async (): Promise<Readiness> => ({
    database: await checkDatabase(deps.db, hasRoom),
    disk: await checkDisks(deps, filesFault),
  });
  app.get(
    '/readyz',
    { config: { access: 'public', hidden: true }, schema: { response: { 200: readiness, 503: readiness } } },
    async (_request, reply) => {
      const checks = {
        process: deps.isStopping() ? 'stopping' : 'ok',
        ...(await look()),
        ...(deps.dist === undefined ? {} : { portal: checkPortal(deps.dist) }),
      };
      const isReady = Object.values(checks).every((check) => check === 'ok');
      return reply.status(isReady ? 200 : 503).send({ status: isReady ? 'ready' : 'notReady', checks });
    },
  );
  return look;
}

const checkPortal = (dist: string): string => (missingPages(dist).length === 0 ? 'ok' : 'not built');

async function checkDatabase(db: Database, hasRoom: () => Promise<void>): Promise<string> {
  try {
    const { version, has_queue } = await db.one<{ version: number | null; has_queue: boolean }>(sql`
      select max(version)::int as version, to_regclass('graphile_worker.jobs') is not null as has_queue
        from schema_migration`);
    const known = (await readMigrations()).length;
    if (version !== known) return `schema ${version ?? 0}, this program needs ${known}`;
    if (!has_queue) return 'no job queue';
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
function atMostEvery<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let last: { readonly until: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || last.until < now) last = { until: now + ms, answer: work() };
    return last.answer;
  };
}

async function checkDisks(
  { dataDir, filesDir }: HealthDeps,
  filesFault: () => Promise<string | undefined>,
): Promise<string> {
  try {
    makeDataDir(dataDir);
    const hasFiles = filesDir !== undefined && existsSync(filesDir);
    for (const folder of hasFiles ? [dataDir, filesDir] : [dataDir]) {
      await access(folder, constants.W_OK);
      if (roomOn(await statfs(folder)) < ROOM_BYTES) return 'full';
    }
    return (await filesFault()) ?? 'ok';
  } catch {
    return 'not writable';
  }
}
