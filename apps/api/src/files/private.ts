import { chmodSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isNotOurs } from '@counterfoil/postgres/data-dir.ts';

/** Rights of what only the program's own account may read. */
export const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;

/**
 * From now on whatever this process and those it starts create is their owner's alone, by whatever library. For the
 * first line of a program.
 */
export function keepFilesPrivate(): void {
  process.umask(OTHERS);
}

/** Makes a folder that only its owner enters, where there is none. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER });
}

/** Writes a file that only its owner reads. A reader never sees half of it. */
export async function writePrivateFile(
  path: string,
  content: Parameters<typeof writeFile>[1],
): Promise<void> {
  const draft = `${path}.${process.pid}.part`;
  // One that a killed process left would keep its rights.
  await rm(draft, { force: true });
  await writeFile(draft, content, { mode: PRIVATE_FILE, flag: 'wx' });
  await rename(draft, path);
}

/** What in a folder others were let in to, by path and with its rights as they were. */
export interface Exposed {
  readonly path: string;
  /** e.g. '644' */
  readonly mode: string;
  /** Its rights were taken away from others; false: it belongs to another account. */
  readonly isClosed: boolean;
}

/** Of the embedded database, which sees to its own files and may run as another account. */
const DATABASE = /^\.?postgres(-unfinished)?$/;

/**
 * Takes from others what earlier versions, or a copy, let them read in a data folder. Folders come before what is in
 * them, so that nobody else gets in meanwhile. The folder itself is its maker's affair.
 */
export function closeToOthers(dataDir: string): readonly Exposed[] {
  return namesIn(dataDir).flatMap((name) => (DATABASE.test(name) ? [] : close(join(dataDir, name))));
}

function close(path: string): Exposed[] {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isSymbolicLink()) return [];
  const exposed = (found.mode & OTHERS) === 0 ? [] : [closed(path, found.mode & 0o777)];
  return found.isDirectory()
    ? [...exposed, ...namesIn(path).flatMap((name) => close(join(path, name)))]
    : exposed;
}

function closed(path: string, mode: number): Exposed {
  const told = { path, mode: mode.toString(8) };
  try {
    chmodSync(path, mode & ~OTHERS);
    // A file system without rights says that all is well and changes nothing.
    return { ...told, isClosed: (statSync(path).mode & OTHERS) === 0 };
  } catch (error) {
    if (isMissing(error)) return { ...told, isClosed: true };
    if (!isNotOurs(error)) throw error;
    return { ...told, isClosed: false };
  }
}

/** What is gone, or not ours to look into, has nothing in it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error) || isNotOurs(error) || codeOf(error) === 'EACCES') return [];
    throw error;
  }
}

const codeOf = (error: unknown): unknown => (error as NodeJS.ErrnoException).code;
const isMissing = (error: unknown): boolean => codeOf(error) === 'ENOENT';
