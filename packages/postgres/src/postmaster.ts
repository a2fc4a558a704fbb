import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { clearOrphans } from './orphans.ts';
import { identity, serverEnvironment } from './run.ts';
import { serverSettings } from './settings.ts';
import { startFault } from './why-not.ts';

/** A running postmaster. */
export interface Postmaster {
  readonly pid: number;
  /** Settles when it has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Ends it: clients are disconnected, data is written, at the latest after 8 s without that last step. */
  stop(): Promise<void>;
}

/** What a start needs to know. */
export interface Launch {
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly cluster: string;
  readonly port: number;
  /** Where its Unix socket lies; undefined for none. */
  readonly socket: string | undefined;
  readonly durable: boolean;
  readonly logFile: string;
}

/**
 * The postmaster replaces the shell, and a watcher stays behind that reads a pipe whose other end only we hold: when
 * this process ends, in whatever way, the watcher sees the end of the pipe and asks for a fast shutdown. It is
 * started from a shell of its own that ends at once, because the postmaster would take a child it does not know
 * for a crashed backend.
 *
 * As a batch process PostgreSQL still gets its share, but does not push aside whoever wakes it: a server that asks on
 * many connections would lose its turn at each question. Where `chrt` is missing or forbidden all stays as it is.
 */
const launcher = `( { read -r _ <&3; kill -INT $$; } >/dev/null 2>&1 & ); chrt -b -p 0 $$ >/dev/null 2>&1; exec "$@" 3<&-`;

const longestLogBytes = 10_000_000;
const startupLimitMs = 60_000;

/**
 * Starts the server and waits until it accepts connections.
 * @throws {PostgresFault} with the reason in its log when it does not
 */
export async function startPostmaster(launch: Launch): Promise<Postmaster> {
  await clearOrphans(launch.cluster);
  shortenLog(launch.logFile);
  const log = openSync(launch.logFile, 'a', 0o600);
  const logStart = statSync(launch.logFile).size;
  const child = spawn(
    '/bin/sh',
    ['-c', launcher, 'sh', launch.binaries.postgres, '-D', launch.cluster, ...serverSettings(launch)],
    {
      ...identity(launch.account),
      cwd: '/',
      env: serverEnvironment(),
      stdio: ['ignore', log, log, 'pipe'],
      // A terminal's Ctrl-C is for us: requests in flight still need the database.
      detached: true,
    },
  );
  closeSync(log);
  const postmaster = watch(child);
  if (await becomesReady(child, launch.cluster)) {
    // Only now: while it starts, this process waits for it.
    child.unref();
    return postmaster;
  }
  await postmaster.stop();
  const text = readFileSync(launch.logFile, 'utf8').slice(logStart);
  throw startFault(text, launch);
}

function watch(child: ChildProcess): Postmaster {
  const pipe = child.stdio[3] as import('node:net').Socket;
  pipe.on('error', () => undefined);
  pipe.unref();
  const ended = new Promise<void>((resolve) => {
    const finish = () => {
      pipe.destroy();
      resolve();
    };
    child.once('exit', finish);
    child.once('error', finish);
  });
  return {
    pid: child.pid ?? 0,
    ended,
    async stop() {
      child.ref();
      pipe.destroy();
      const giveUp = setTimeout(() => child.kill('SIGQUIT'), 8_000);
      await ended;
      clearTimeout(giveUp);
    },
  };
}

/** The postmaster writes `ready` into line 8 of its pid file. */
async function becomesReady(child: ChildProcess, cluster: string): Promise<boolean> {
  const deadline = Date.now() + startupLimitMs;
  while (child.exitCode === null && child.signalCode === null && child.pid && Date.now() < deadline) {
    if (readPidFile(cluster)[7]?.trim() === 'ready') return true;
    await sleep(5);
  }
  return false;
}

function readPidFile(cluster: string): string[] {
  try {
    return readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return [];
  }
}

function shortenLog(file: string): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > longestLogBytes) truncateSync(file);
}
