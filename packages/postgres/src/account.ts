import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { PostgresFault } from './fault.ts';
import { platform } from './platform.ts';

/** An operating-system account that runs the database server. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * The account to change to before starting PostgreSQL, which refuses to run as root.
 * @returns `postgres` if it exists, else `nobody`; undefined when this process is not root and needs no change
 * @throws {PostgresFault} when running as root on a machine that has neither
 */
export function databaseAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }));
  for (const name of platform.accounts) {
    const account = accounts.find((candidate) => candidate.name === name && candidate.uid > 0);
    if (account) return account;
  }
  const names = platform.accounts.map((name) => `"${name}"`).join(' or ');
  throw new PostgresFault(
    `running as root, but there is no account ${names} to run PostgreSQL as; make one, or set DATABASE_URL`,
  );
}

/** Whether the account may read this file (or list this directory) and pass all directories above it. */
export function canRead(path: string, account: Account): boolean {
  if (!allows(path, account, 4)) return false;
  return canEnter(dirname(resolve(path)), account);
}

/** Whether the account may pass this directory and all directories above it. */
export function canEnter(path: string, account: Account): boolean {
  const directory = resolve(path);
  if (!allows(directory, account, 1)) return false;
  const parent = dirname(directory);
  return parent === directory || canEnter(parent, account);
}

function allows(path: string, account: Account, bit: 1 | 4): boolean {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return false;
  const shift = stat.uid === account.uid ? 6 : stat.gid === account.gid ? 3 : 0;
  return ((stat.mode >> shift) & bit) !== 0;
}
