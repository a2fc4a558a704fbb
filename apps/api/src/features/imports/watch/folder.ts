import { constants } from 'node:fs';
import { access, chmod, lstat, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Folders within a watched one: what is being taken, what was, and what was not. */
export const PLACES = { taking: '.taking', done: 'done', failed: 'failed' } as const;

/** The folder cannot be worked with; `message` says why. */
export class FolderFault extends Error {
  override readonly name = 'FolderFault';
}

/** Names that programs give to files they are still writing. */
const UNFINISHED = /^[.~]|\.(?:part|partial|tmp|temp|filepart|crdownload|swp|lock)$/i;
/** More are left for the next look. */
const MOST_FILES = 1_000;

/** A file as a look sees it. */
export interface SeenFile {
  readonly name: string;
  readonly size: bigint;
  readonly changedMs: number;
  /** Links, sockets and the like are never read. */
  readonly isRegular: boolean;
}

/**
 * Makes the places within a folder, where they are not there.
 * @throws {FolderFault} where it is none, or cannot be read or written, or a place is a link
 */
export async function prepareFolder(folder: string): Promise<void> {
  try {
    if (!(await lstat(folder)).isDirectory()) throw new FolderFault(`${folder} is no folder`);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const place of Object.values(PLACES)) {
      const path = join(folder, place);
      await mkdir(path, { recursive: true });
      if (!(await lstat(path)).isDirectory()) throw new FolderFault(`${path} is no folder of its own`);
    }
    // Nobody else puts anything in place of what was looked at.
    await chmod(join(folder, PLACES.taking), 0o700);
  } catch (error) {
    throw asFolderFault(folder, error);
  }
}

/** Files of a folder by their names, those in it alone; unfinished ones are left out. @throws {FolderFault} */
export async function listFolder(folder: string): Promise<readonly SeenFile[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    throw asFolderFault(folder, error);
  });
  const found: SeenFile[] = [];
  for (const name of names.filter((one) => !UNFINISHED.test(one)).sort()) {
    if (found.length >= MOST_FILES) break;
    const stats = await lstat(join(folder, name), { bigint: true }).catch(() => undefined);
    if (stats === undefined || stats.isDirectory()) continue;
    found.push({ name, size: stats.size, changedMs: Number(stats.mtimeMs), isRegular: stats.isFile() });
  }
  return found;
}

/** A file in a place, under its name or, where one is there already, under one with a number. @returns its path */
export async function moveTo(from: string, place: string, name: string): Promise<string> {
  for (let n = 1; ; n += 1) {
    const path = join(place, n === 1 ? name : `${n}-${name}`);
    const isTaken = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isTaken) continue;
    await rename(from, path);
    return path;
  }
}

/** Writes what came of a file beside it. */
export async function writeReport(path: string, report: object, lines: readonly string[]): Promise<void> {
  await writeFile(`${path}.report.json`, `${JSON.stringify(report, null, 2)}\n`);
  await writeFile(`${path}.report.txt`, `${lines.join('\n')}\n`);
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EACCES: 'it cannot be read and written by this user',
  EPERM: 'it cannot be written by this user',
  EROFS: 'it lies where nothing can be written',
  ENOSPC: 'its disk is full',
  ENOTDIR: 'it is no folder',
  EEXIST: 'a file stands where one of its folders belongs',
};

/** As a fault of the folder, where it is one of the file system. */
export function asFolderFault(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const reason = reasons[code];
  return reason === undefined ? error : new FolderFault(`${folder}: ${reason}`);
}
