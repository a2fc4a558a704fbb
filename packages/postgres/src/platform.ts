import { spawnSync } from 'node:child_process';
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** What the embedded server must know of the system it runs on. */
export interface Platform {
  /** What the kernel takes as the path of a socket, bytes. */
  readonly longestSocketPath: number;
  /** Accounts root changes to, the first there is. */
  readonly accounts: readonly string[];
  /** Where root keeps what the database account must reach. */
  readonly systemDirectory: string;
  /** Where the lock of a data directory is. */
  lockPlace(dataDir: LockedDirectory): LockPlace;
  /** Ids of the processes called `postgres` that work in this directory. */
  serverProcesses(cluster: string): number[];
}

/** A data directory, by its true path and by what the file system knows it by, and what it is locked for. */
export interface LockedDirectory {
  readonly purpose: string;
  readonly path: string;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** A socket whose listener holds the lock, and where that can be left behind a file that is held open with a lock. */
export interface LockPlace {
  readonly address: string;
  readonly file?: { readonly path: string; readonly flags: number };
}

const linux: Platform = {
  longestSocketPath: 107,
  accounts: ['postgres', 'nobody'],
  systemDirectory: '/var/lib/counterfoil',
  // In the abstract name space: the kernel drops it with its process.
  lockPlace: ({ dev, ino, purpose }) => ({ address: `\0counterfoil-${purpose}-${dev}-${ino}` }),
  serverProcesses: (cluster) =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && readLink(`/proc/${name}/cwd`) === cluster)
      .filter((name) =>
        readLink(`/proc/${name}/exe`)
          ?.replace(/ \(deleted\)$/, '')
          .endsWith('/postgres'),
      )
      .map(Number),
};

/** O_RDWR, O_CREAT, O_NONBLOCK and O_EXLOCK as macOS numbers them: opened with the lock, or not at all. */
const openLocked = 0x2 | 0x200 | 0x4 | 0x20;

const darwin: Platform = {
  longestSocketPath: 103,
  accounts: ['postgres', '_postgres'],
  systemDirectory: '/usr/local/var/counterfoil',
  lockPlace({ path, dev, ino, purpose }) {
    const inside = join(path, `.${purpose}.sock`);
    const isShort = Buffer.byteLength(inside) <= this.longestSocketPath;
    return {
      address: isShort ? inside : `/tmp/counterfoil-${purpose}-${dev}-${ino}.sock`,
      file: { path: join(path, `.${purpose}.lock`), flags: openLocked },
    };
  },
  serverProcesses(cluster) {
    const { stdout } = spawnSync('/usr/sbin/lsof', ['-a', '-w', '-d', 'cwd', '-c', 'postgres', '-F', 'pn'], {
      encoding: 'utf8',
    });
    return workingIn(cluster, stdout ?? '');
  },
};

/** @param name as `process.platform` has it */
export function platformFor(name: string): Platform {
  return name === 'darwin' ? darwin : linux;
}

/** The system this process runs on. */
export const platform = platformFor(process.platform);

/** Reads the fields of `lsof -F pn`: a line `p<id>` a process, then `n<path>` of its directory. */
export function workingIn(directory: string, fields: string): number[] {
  const found: number[] = [];
  let pid = 0;
  for (const line of fields.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    else if (line === `n${directory}`) found.push(pid);
  }
  return found;
}

function readLink(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // ended meanwhile, or another account's
  }
}
