import { chmodSync, chownSync, existsSync, mkdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { databaseAccount } from './account.ts';

/** Name of a cluster that lies inside its data directory. */
export const CLUSTER = 'postgres';

/**
 * Makes a data directory that only its owner enters, whatever the umask. Directories made above it are nobody's secret
 * and can be passed; what exists keeps its mode.
 */
export function makeDataDir(dataDir: string): void {
  const path = resolve(dataDir);
  if (existsSync(path)) return;
  makeReadableDirectory(dirname(path));
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Closes a data directory to everybody but its owner. Where a cluster lies in it that another account runs, that account
 * may pass through, and see no names.
 * @param cluster where its cluster will be made, while there is none
 */
export function closeDataDir(dataDir: string, cluster?: string): void {
  // A process beside the one that is just making the cluster must not close the door again.
  if (cluster === undefined && othersRights(dataDir) === 0) return;
  const { mode, uid, gid } = statSync(dataDir);
  const passing = holdsCluster(dataDir, cluster) ? databaseAccount() : undefined;
  const needsDoor = passing !== undefined && passing.uid !== uid;
  const wanted = needsDoor ? 0o710 : 0o700;
  try {
    // First closed, then given to the group: nobody of it gets in between with what others were allowed.
    if ((mode & 0o777) !== wanted) chmodSync(dataDir, 0o700);
    if (needsDoor && gid !== passing.gid) chownSync(dataDir, -1, passing.gid);
    if (needsDoor) chmodSync(dataDir, wanted);
  } catch (error) {
    if (!isNotOurs(error)) throw error;
  }
}

function holdsCluster(dataDir: string, cluster: string | undefined): boolean {
  if (cluster === undefined) return existsSync(join(dataDir, CLUSTER));
  return cluster === join(realpathSync(dataDir), CLUSTER);
}

/** Rights that cannot be changed: another account's file, or a file system without them. */
export const isNotOurs = (error: unknown): boolean =>
  ['EPERM', 'EROFS', 'ENOTSUP', 'ENOSYS'].includes(String((error as NodeJS.ErrnoException).code));

/** Makes a directory that other accounts may pass, whatever the umask; an existing one keeps its mode. */
export function makeReadableDirectory(path: string): void {
  if (existsSync(path)) return;
  makeReadableDirectory(dirname(path));
  // Another process may make it at the same time.
  if (mkdirSync(path, { recursive: true }) !== undefined) chmodSync(path, 0o755);
}

/** The rights others have in a data directory, but for the database account's to pass: 0 for none. */
export function othersRights(dataDir: string): number {
  const { mode, gid } = statSync(dataDir);
  const rights = mode & 0o077;
  return rights === 0o010 && gid === databaseAccount()?.gid ? 0 : rights;
}
