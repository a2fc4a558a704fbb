import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseAccount } from './account.ts';
import { type Address, attachUrl, readAddress, writeAddress } from './address.ts';
import { findBinaries } from './binaries.ts';
import { clusterExists, createCluster, findCluster, placeCluster, resetPassword, user } from './cluster.ts';
import { closeDataDir, makeDataDir } from './data-dir.ts';
import { ensureDatabase } from './database.ts';
import { PostgresFault } from './fault.ts';
import { type Lock, tryLock, waitForOwner } from './lock.ts';
import { clearOrphans } from './orphans.ts';
import { findFreePort } from './port.ts';
import type { Launch } from './postmaster.ts';
import { socketDirectory } from './socket.ts';
import { supervise } from './supervisor.ts';
import { told } from './why-not.ts';

/** The embedded server, as one process sees it. */
export interface EmbeddedServer {
  /** DATABASE_URL of the server; holds the password. */
  readonly url: string;
  /** Whether this process runs the server, which then ends with it. */
  readonly owner: boolean;
  /** Directory of the cluster; not inside the data directory when the database account cannot reach that. */
  readonly cluster: string;
  /** Ends the server if this process runs it; otherwise does nothing. */
  stop(): Promise<void>;
}

export interface ServerOptions {
  /** Where address, log and (where possible) the cluster lie. Made when it does not exist. */
  readonly dataDir: string;
  /** Whether what is acknowledged survives power loss; false is for tests only. Default true. */
  readonly durable?: boolean;
  /** Told about restarts after a crash of the server, one line each. */
  readonly onNotice?: (line: string) => void;
}

const database = 'counterfoil';
const attachLimitMs = 90_000;

/**
 * Gives the embedded PostgreSQL of a data directory: the first process starts it, later ones attach.
 *
 * The server ends with the process that started it, even if that is killed. If the server itself is killed, its
 * owner starts it again on the same port.
 * @throws {PostgresFault} when there are no programs for this platform, or the server does not start
 */
export async function attachOrStart(options: ServerOptions): Promise<EmbeddedServer> {
  const { dataDir } = options;
  makeDataDir(dataDir);
  const deadline = Date.now() + attachLimitMs;
  while (Date.now() < deadline) {
    const lock = await tryLock(dataDir);
    if (lock) return startOwned(options, lock);
    if (await waitForOwner(dataDir, deadline - Date.now())) {
      const address = readAddress(dataDir);
      if (!address) {
        const file = join(dataDir, 'postgres.json');
        throw new PostgresFault(`${file} is missing although the server runs; stop it, then start again`);
      }
      return { url: attachUrl(address), owner: false, cluster: address.cluster, stop: async () => undefined };
    }
    await sleep(20);
  }
  throw new PostgresFault(
    `the process that runs the database in ${dataDir} does not get it ready; end that process, then start again`,
  );
}

async function startOwned(options: ServerOptions, lock: Lock): Promise<EmbeddedServer> {
  try {
    const { launch, address } = await prepare(options);
    const supervisor = await supervise(launch, options.onNotice);
    await ensureDatabase(address.url, database);
    lock.announceReady();
    return {
      url: address.url,
      owner: true,
      cluster: address.cluster,
      async stop() {
        await supervisor.stop();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Makes whatever is missing: programs, cluster, password, address. */
async function prepare(options: ServerOptions): Promise<{ launch: Launch; address: Address }> {
  const { dataDir, durable = true } = options;
  const account = databaseAccount();
  const binaries = findBinaries(account, dataDir);
  const known = readAddress(dataDir);
  const cluster = findCluster(dataDir, known) ?? placeCluster(dataDir, account);
  closeDataDir(dataDir, cluster);
  const password = known?.password ?? randomBytes(24).toString('base64url');
  const port = await findFreePort(known?.port);
  const made = { user, password, port, database, cluster };
  // First the password, then the cluster that has it: an interrupted start leaves none without the other.
  writeAddress(dataDir, made);
  const logFile = join(dataDir, 'postgres.log');
  const program = { binaries, account, cluster, password };
  if (!clusterExists(cluster)) await told(createCluster({ ...program, durable }), { cluster, logFile });
  else if (!known) {
    await clearOrphans(cluster);
    await told(resetPassword(program), { cluster, logFile });
  }
  const socket = await socketDirectory(cluster);
  const address = writeAddress(dataDir, socket === undefined ? made : { ...made, socket });
  return { launch: { binaries, account, cluster, port, socket, durable, logFile }, address };
}
