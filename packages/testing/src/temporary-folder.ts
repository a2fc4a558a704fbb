import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  const outside = tmpdir();
  const prefix = `counterfoil-${kind}-`;
  for (const name of readdirSync(outside)) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (pid > 0 && !isRunning(pid)) remove(join(outside, name));
  }
  const path = mkdtempSync(join(outside, `${prefix}${process.pid}-`));
  // Accounts that run a database must pass, where root runs the tests.
  chmodSync(path, 0o711);
  process.env['TMPDIR'] = path;
  return {
    path,
    remove() {
      process.env['TMPDIR'] = outside;
      remove(path);
    },
  };
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
