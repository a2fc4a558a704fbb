import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { transactionOn } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Clock } from '../../../deps.ts';
import type { ImportReport } from '../report/report.ts';
import { reportLines } from '../report/report-text.ts';
import { type ImportDeps, ImportRefused, type ImportRequest, importFiles } from '../service.ts';
import {
  asFolderFault,
  listFolder,
  moveTo,
  PLACES,
  prepareFolder,
  type SeenFile,
  writeReport,
} from './folder.ts';

/** What is watched, and how what lies there is imported. */
export interface Watched {
  readonly folder: string;
  readonly resellerId: number;
  readonly request?:
    | Pick<ImportRequest, 'customer' | 'timeZone' | 'mapping' | 'format' | 'said' | 'by'>
    | undefined;
}

export interface WatchDeps extends ImportDeps {
  readonly clock: Clock;
}

/** What became of one file. */
export interface WatchedFile {
  readonly name: string;
  readonly is: 'done' | 'failed';
  readonly line: string;
}

/** A file that has not changed for so long is written to its end. */
const STILL_MS = 5_000;

/** What a look remembers of a file until the next. */
interface Remembered {
  readonly size: bigint;
  readonly changedMs: number;
  readonly sinceMs: number;
}

/**
 * Looks into a folder again and again. Each file that has been still for some seconds is imported, and moved to `done` or `failed`
 * with its report. Of several processes that look into the folder of a reseller one is at it; a file whose import was cut off is
 * taken up by the next look, and what of it was in is in once.
 */
export function folderWatch(deps: WatchDeps, watched: Watched) {
  const seen = new Map<string, Remembered>();
  const isStill = (file: SeenFile, nowMs: number): boolean => {
    const before = seen.get(file.name);
    const isSame = before?.size === file.size && before.changedMs === file.changedMs;
    if (!isSame) seen.set(file.name, { size: file.size, changedMs: file.changedMs, sinceMs: nowMs });
    return isSame && nowMs - before.sinceMs >= STILL_MS;
  };
  return {
    /** @throws {FolderFault} where the folder cannot be worked with; {DatabaseUnavailable} */
    async look(isStopped: () => boolean = () => false): Promise<readonly WatchedFile[]> {
      const { folder } = watched;
      await prepareFolder(folder);
      const nowMs = deps.clock.now().getTime();
      const files = await listFolder(folder);
      for (const name of seen.keys()) if (!files.some((file) => file.name === name)) seen.delete(name);
      const still = files.filter((file) => isStill(file, nowMs));
      const taking = join(folder, PLACES.taking);
      const isIdle = still.length === 0 && (await listFolder(taking)).length === 0;
      if (isIdle) return [];
      return alone(deps, watched, async () => {
        const taken: WatchedFile[] = [];
        // Read again: who was at it before may have left nothing.
        for (const { name } of await listFolder(taking)) {
          if (isStopped()) return taken;
          taken.push(await take(deps, watched, name));
        }
        for (const { name } of still) {
          if (isStopped()) return taken;
          seen.delete(name);
          if (await claim(folder, name)) taken.push(await take(deps, watched, name));
        }
        return taken;
      });
    },
  };
}

/** Moves a file to where nobody else changes it. @returns false where somebody took it away */
async function claim(folder: string, name: string): Promise<boolean> {
  try {
    await moveTo(join(folder, name), join(folder, PLACES.taking), name);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw asFolderFault(folder, error);
  }
}

/** Runs `work` where no other process is at the folders of the reseller; else nothing is done. The lock goes with the connection. */
function alone(
  { db }: WatchDeps,
  { resellerId }: Watched,
  work: () => Promise<readonly WatchedFile[]>,
): Promise<readonly WatchedFile[]> {
  return db.withConnection(async (client) => {
    const on = transactionOn(client);
    const lock = sql`hashtextextended(${`watched folder ${resellerId}`}, 7082)`;
    const { isFree } = await on.one<{ isFree: boolean }>(
      sql`select pg_try_advisory_lock(${lock}) as "isFree"`,
    );
    if (!isFree) return [];
    try {
      return await work();
    } finally {
      await on.many(sql`select pg_advisory_unlock(${lock})`);
    }
  });
}

/** Imports a file that was claimed, and moves it. Anything but a fault of the database or the folder is the file's. */
async function take(
  deps: WatchDeps,
  { folder, resellerId, request }: Watched,
  name: string,
): Promise<WatchedFile> {
  const path = join(folder, PLACES.taking, name);
  try {
    if (!(await lstat(path)).isFile())
      return await fail(folder, path, name, 'a link or no regular file; it is not read');
    const report = await importFiles(deps, {
      ...request,
      files: [path],
      names: new Map([[path, join(folder, name)]]),
      resellerId,
      isDemo: false,
      now: deps.clock.now(),
    });
    const isDone = hasGoneIn(report);
    const place = join(folder, isDone ? PLACES.done : PLACES.failed);
    const lines = reportLines(report, plainTable);
    await settle(path, place, name, report, lines);
    return { name, is: isDone ? 'done' : 'failed', line: lines.at(-1) ?? '' };
  } catch (error) {
    if (error instanceof ImportRefused) return fail(folder, path, name, error.message);
    throw asFolderFault(folder, error);
  }
}

async function fail(folder: string, path: string, name: string, reason: string): Promise<WatchedFile> {
  await settle(path, join(folder, PLACES.failed), name, { file: join(folder, name), reason }, [reason]);
  return { name, is: 'failed', line: reason };
}

async function settle(
  path: string,
  place: string,
  name: string,
  report: object,
  lines: readonly string[],
): Promise<void> {
  await writeReport(await moveTo(path, place, name), report, lines);
}

const hasGoneIn = ({ summary, stopped, files }: ImportReport): boolean =>
  stopped === null &&
  files.every(({ format }) => format !== null) &&
  (summary.in > 0 || summary.quarantined === 0);

const plainTable = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
  [head, ...rows].map((row) => row.join('  '));
