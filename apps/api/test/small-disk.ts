import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { TestDatabase } from '@counterfoil/testing/database.ts';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { migrate } from '../src/db/migrate.ts';
import { hardyPool } from './database-trouble.ts';

export type Disk = 'tables' | 'journal';

/** A PostgreSQL of the test's own on small disks, one for its tables and one for its journal (WAL). */
export interface SmallDisk extends TestDatabase {
  /** A folder on the disk of the tables, for the product's own files. */
  readonly folder: string;
  /** What the keeper of the embedded server has noticed so far, one line each. */
  readonly notices: readonly string[];
  /** Before each round, with PostgreSQL up: both disks have their reserve, and the journal no more than it needs. */
  prepare(): Promise<void>;
  /** A ballast file takes all the space that is left beside the reserve. */
  fill(disk: Disk): Promise<void>;
  /** As a larger disk: ballast and reserve go, so that there is new room even where the journal itself took it all. */
  free(disk: Disk): Promise<void>;
}

/** The journal goes on in its next segment. */
export const NEXT_SEGMENT = "select pg_logical_emit_message(true, 'x', 'x'), pg_switch_wal()";

/** Of util-linux. */
const UNSHARE = 'unshare';
// Enough for a new cluster and some hundred payments; and for more of the journal than PostgreSQL keeps by itself. On
// top of each there are 64 MB of reserve.
const SIZES = { tables: '384m', journal: '208m' };
/** Checkpoints in a row; each makes PostgreSQL keep about a tenth less of the journal, down to its least of 80 MB. */
const CHECKPOINTS = 60;

/** The file systems exist in a name space of the process alone and go with it, however it ends. */
const MOUNT = `
  mount -t tmpfs -o size=$1 tmpfs "$2" && mount -t tmpfs -o size=$3 tmpfs "$4" && shift 4 && exec "$@"`;

/** As root a mount name space is enough; others get one with a user name space, and become themselves again in it. */
function commandOn(folders: Readonly<Record<Disk, string>>, command: readonly string[]): string[] {
  const mounted = [MOUNT, 'sh', SIZES.tables, folders.tables, SIZES.journal, folders.journal];
  if (process.getuid?.() === 0) return ['-m', 'sh', '-c', ...mounted, ...command];
  const oneself = [`--map-user=${process.getuid?.()}`, `--map-group=${process.getgid?.()}`];
  return ['-r', '-m', 'sh', '-c', ...mounted, 'unshare', '-U', ...oneself, ...command];
}

function makeFolders(): Record<Disk | 'all', string> {
  const all = mkdtempSync(join(tmpdir(), 'small-disk-'));
  // The database has an account of its own where we are root.
  chmodSync(all, 0o755);
  const folders = { all, tables: join(all, 'tables'), journal: join(all, 'journal') };
  mkdirSync(folders.tables);
  mkdirSync(folders.journal);
  return folders;
}

/** Why there can be no small disks on this machine; undefined where there can. */
export function whyNoSmallDisk(): string | undefined {
  const folders = makeFolders();
  const tried = spawnSync(UNSHARE, commandOn(folders, ['true']), { encoding: 'utf8' });
  rmSync(folders.all, { recursive: true });
  if (tried.error !== undefined) return tried.error.message;
  return tried.status === 0 ? undefined : `${tried.stderr.trim()} (unshare ended with ${tried.status})`;
}

/** Call it at the top, before what uses it. */
export function useSmallDisk(): SmallDisk {
  const folders = makeFolders();
  const notices: string[] = [];
  const late: {
    child?: ChildProcessWithoutNullStreams;
    lines?: Interface;
    url?: string;
    folder?: string;
    pool?: pg.Pool;
  } = {};
  const get = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the small disk exists in hooks and tests only');
    return value;
  };
  const next = async () => JSON.parse(String((await once(get(late.lines), 'line'))[0]));
  const order = async (line: string): Promise<{ isThere?: boolean }> => {
    const answer = next();
    get(late.child).stdin.write(`${line}\n`);
    return answer;
  };

  /**
   * PostgreSQL keeps used segments for what comes, after a round that used up its journal all of them and a new one, up
   * to `max_wal_size`, which is far more than the disk has. It forgets that with checkpoints that have less to do.
   */
  async function prepare(): Promise<void> {
    for (let checkpoints = 0; checkpoints < CHECKPOINTS; checkpoints += 1) {
      await get(late.pool).query('checkpoint');
      const answers = [await order('reserve tables'), await order('reserve journal')];
      if (answers.every(({ isThere }) => isThere)) return;
      await get(late.pool).query(NEXT_SEGMENT);
    }
    throw new Error('the small disks are too small for their reserve');
  }

  beforeAll(async () => {
    const program = [process.execPath, join(import.meta.dirname, 'small-disk-process.ts')];
    const args = commandOn(folders, [...program, folders.tables, folders.journal]);
    late.child = spawn(UNSHARE, args, { stdio: 'pipe' });
    late.lines = createInterface({ input: late.child.stdout });
    createInterface({ input: late.child.stderr }).on('line', (line) => notices.push(line));
    const died = once(late.child, 'exit').then(() => {
      throw new Error(`the database did not start: ${notices.join('\n')}`);
    });
    const { url } = (await Promise.race([next(), died])) as { url: string };
    died.catch(() => undefined);
    late.url = url;
    // The same folder, seen from outside.
    late.folder = join(`/proc/${late.child.pid}/root`, folders.tables, 'product');
    accessSync(late.folder, constants.W_OK);
    await migrate(url);
    late.pool = hardyPool(url);
    await prepare();
  }, 120_000);
  afterAll(async () => {
    await late.pool?.end();
    if (late.child?.exitCode === null) {
      const gone = once(late.child, 'exit');
      late.child.stdin.end();
      await gone;
    }
    rmSync(folders.all, { recursive: true, force: true });
  }, 60_000);

  return {
    notices,
    get url() {
      return get(late.url);
    },
    get folder() {
      return get(late.folder);
    },
    pool: () => get(late.pool),
    prepare,
    fill: async (disk) => void (await order(`fill ${disk}`)),
    free: async (disk) => void (await order(`free ${disk}`)),
  };
}
