import { existsSync, statSync } from 'node:fs';
import { link, open, readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { PRIVATE_FILE } from '../files/private.ts';
import { type Lock, lockStream } from './locked.ts';
import type { BackupManifest } from './manifest.ts';
import { type BackupSource, writeBackup } from './write-backup.ts';

/** A backup that is whole and on the disk. */
export interface WrittenBackup {
  readonly path: string;
  readonly bytes: number;
  readonly manifest: BackupManifest;
}

/** There is something at the place already. */
export class PlaceTaken extends Error {
  override readonly name = 'PlaceTaken';
}

const DRAFT = /^\.counterfoil-backup-.+\.part$/;
/** A backup that is being written grows all the time. */
const LEFT_AFTER_MS = 3_600_000;

/**
 * Writes a backup into a file that only its owner reads. It gets its name when it is whole and on the disk: what a disk that is full
 * or a killed process leaves has another one, and is removed by the next backup into that folder.
 * @param to a file that is not there yet, or a folder, in which it is named by the time
 * @throws {PlaceTaken}
 */
export async function writeBackupFile(
  source: BackupSource,
  lock: Lock,
  to: string,
  now: Date,
): Promise<WrittenBackup> {
  const isLocked = lock.keys.length > 0 || lock.passphrase !== undefined;
  const path = placeOf(to, now, isLocked);
  if (existsSync(path)) throw new PlaceTaken(`${path} is there already`);
  const folder = dirname(path);
  await removeLeft(folder, now);
  const draft = join(folder, `.counterfoil-backup-${basename(path)}.${process.pid}.part`);
  await rm(draft, { force: true });
  const file = await open(draft, 'wx', PRIVATE_FILE);
  try {
    const backup = writeBackup(source);
    const bytes = isLocked ? await lockStream(backup.readable, lock) : backup.readable;
    for await (const chunk of inLargePieces(bytes)) await file.writeFile(chunk).catch(namingPlace(folder));
    const manifest = await backup.manifest;
    await file.sync().catch(namingPlace(folder));
    const { size } = await file.stat();
    // Not by renaming, which would take the place of what somebody has put there meanwhile.
    await link(draft, path);
    await syncFolder(folder);
    return { path, bytes: size, manifest };
  } finally {
    await file.close();
    await rm(draft, { force: true });
  }
}

/** What is refused through an open file does not say where; told is the folder, for it is there that room is to be made. */
const namingPlace = (folder: string) => (error: unknown) => {
  throw error instanceof Error ? Object.assign(error, { path: folder }) : error;
};

const PIECE_BYTES = 1024 * 1024;

/** The same bytes in pieces that are worth a call each. */
async function* inLargePieces(bytes: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    held.push(chunk);
    size += chunk.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(held);
    [held, size] = [[], 0];
  }
  yield Buffer.concat(held);
}

function placeOf(to: string, now: Date, isLocked: boolean): string {
  const isFolder = existsSync(to) ? statSync(to).isDirectory() : to.endsWith(sep);
  if (!isFolder) return to;
  const time = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(/[-:]/g, '');
  return join(to, `counterfoil-${time}.tar${isLocked ? '.age' : ''}`);
}

async function removeLeft(folder: string, now: Date): Promise<void> {
  for (const name of (await readdir(folder)).filter((one) => DRAFT.test(one))) {
    const path = join(folder, name);
    const { mtimeMs } = await stat(path);
    if (now.getTime() - mtimeMs > LEFT_AFTER_MS) await rm(path, { force: true });
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}
