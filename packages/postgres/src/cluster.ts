import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Account, canEnter } from './account.ts';
import type { Binaries } from './binaries.ts';
import { CLUSTER, makeReadableDirectory } from './data-dir.ts';
import { PostgresFault } from './fault.ts';
import { platform } from './platform.ts';
import { runAs } from './run.ts';

/** The one role; the cluster belongs to Counterfoil alone. */
export const user = 'counterfoil';

/**
 * Where the cluster of a data directory lies: inside it, or, when the database account cannot pass the directories
 * above, in one of root's own made for it.
 */
export function placeCluster(dataDir: string, account: Account | undefined): string {
  const real = realpathSync(dataDir);
  if (!account || canEnter(dirname(real), account)) return join(real, CLUSTER);
  makeReadableDirectory(platform.systemDirectory);
  const place = mkdtempSync(join(platform.systemDirectory, 'data-'));
  chmodSync(place, 0o711);
  return join(place, CLUSTER);
}

/**
 * The cluster of a data directory that was used before; the directory may have been moved since.
 * @param known its address file, if it still has one
 */
export function findCluster(
  dataDir: string,
  known: { readonly cluster: string } | undefined,
): string | undefined {
  const inside = join(realpathSync(dataDir), CLUSTER);
  if (clusterExists(inside)) return inside;
  return known && clusterExists(known.cluster) ? known.cluster : undefined;
}

/** Whether the cluster was made completely. */
export function clusterExists(cluster: string): boolean {
  return existsSync(join(cluster, 'PG_VERSION'));
}

/**
 * Makes a new cluster with password log-in only, in a neutral locale with full Unicode character classes.
 * It appears whole or not at all: an interrupted start leaves only a directory that the next one removes.
 * @param options.durable whether the new files are also written through to the disk
 * @throws {PostgresFault} when there is something else in its place
 */
export async function createCluster(options: {
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly cluster: string;
  readonly password: string;
  readonly durable: boolean;
}): Promise<void> {
  const { binaries, account, cluster, password, durable } = options;
  if (existsSync(cluster) && readdirSync(cluster).length > 0) {
    throw new PostgresFault(
      `${cluster} (DATA_DIR) is not empty and holds no database; empty it, or name another folder`,
    );
  }
  const parent = join(dirname(cluster), `.${basename(cluster)}-unfinished`);
  rmSync(parent, { recursive: true, force: true });
  mkdirSync(parent, { recursive: true, mode: 0o700 });
  if (account) chownSync(parent, account.uid, account.gid);
  const passwordFile = join(parent, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const made = join(parent, 'cluster');
  await runAs(account, '/', binaries.initdb, [
    `--pgdata=${made}`,
    `--username=${user}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(durable ? ['--sync-method=syncfs'] : ['--no-sync']),
  ]);
  renameSync(made, cluster);
  rmSync(parent, { recursive: true, force: true });
}

/** Gives the role a new password while the server is stopped, for when the file that held the old one is lost. */
export async function resetPassword(options: {
  readonly binaries: Binaries;
  readonly account: Account | undefined;
  readonly cluster: string;
  readonly password: string;
}): Promise<void> {
  const { binaries, account, cluster, password } = options;
  const statement = `alter role ${user} password '${password}'\n`;
  await runAs(account, '/', binaries.postgres, ['--single', '-D', cluster, 'postgres'], statement);
}
