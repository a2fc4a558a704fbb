import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder in which all temporary files of a test run lie. */
export interface TemporaryFolder {
  readonly path: string;
  remove(): void;
}

/**
 * Makes a folder for a test run and lets everything temporary of this process and its children lie in it, so that no
 * test has to tidy up after itself. What runs that were killed left behind is removed.
 * @param kind of run, such as 'e2e'; begins the folder's name
 */
export function temporaryFolder(kind: string): TemporaryFolder {
  const [outside, place] = [process.env['TMPDIR'], placeInMemory() ?? tmpdir()];
  const prefix = `counterfoil-${kind}-`;
  for (const name of readdirSync(place)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) remove(join(place, name));
  }
  const path = mkdtempSync(join(place, `${prefix}${process.pid}-`));
  // Accounts that run a database must pass, where root runs the tests.
  chmodSync(path, 0o711);
  process.env['TMPDIR'] = path;
  return {
    path,
    remove() {
      if (outside === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = outside;
      remove(path);
    },
  };
}

const IN_MEMORY = '/dev/shm';
const ROOM_BYTES = 8 * 2 ** 30;

/**
 * A file system in memory, where there is room and programs may be run from it: each test database is a thousand files,
 * and making those costs thirty times less there than on a disk.
 */
function placeInMemory(): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    const [, , kind, options] =
      readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .find(([, where]) => where === IN_MEMORY) ?? [];
    const runsPrograms = kind === 'tmpfs' && options?.split(',').includes('noexec') === false;
    return runsPrograms && Math.min(bavail * bsize, freemem()) > ROOM_BYTES ? IN_MEMORY : undefined;
  } catch {
    return undefined;
  }
}

const remove = (path: string) =>
  rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
