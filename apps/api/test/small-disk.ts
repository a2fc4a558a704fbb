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
  /** A ballast file takes all the space that is left. */
  fill(disk: Disk): Promise<void>;
  free(disk: Disk): Promise<void>;
}

/** Of util-linux. */
const UNSHARE = 'unshare';
// Enough for a new cluster and some hundred payments; and for more of the journal than PostgreSQL keeps by itself.
const SIZES = { tables: '320m', journal: '144m' };

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
  const order = async (line: string) => {
    const answer = next();
    get(late.child).stdin.write(`${line}\n`);
    await answer;
  };

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
    fill: (disk) => order(`fill ${disk}`),
    free: (disk) => order(`free ${disk}`),
  };
}
