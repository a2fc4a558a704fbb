import { randomUUID } from 'node:crypto';
import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from './private.ts';

/** What was received, on the disk and not in memory. */
export interface Spool {
  readonly sizeBytes: number;
  /** From the beginning. */
  read(): AsyncIterable<Uint8Array>;
  /** Frees it; further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Takes a stream in as fast as it comes, for what is worked through more slowly than it is sent. The file has no name while
 * it is written to, so nothing of it is left when the process is killed.
 * @param folder where there is room; nobody else reads there
 * @param mostBytes more than that is given up
 * @param tooLarge what is thrown then
 */
export async function spool(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  mostBytes: number,
  tooLarge: () => Error,
): Promise<Spool> {
  await makePrivateFolder(folder);
  const path = join(folder, `spool-${randomUUID()}`);
  const file = await open(path, 'wx+', PRIVATE_FILE);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  };
  try {
    await unlink(path);
    let sizeBytes = 0;
    for await (const piece of content) {
      sizeBytes += piece.length;
      if (sizeBytes > mostBytes) throw tooLarge();
      await file.writeFile(piece);
    }
    return {
      sizeBytes,
      read: () => file.createReadStream({ start: 0, autoClose: false, highWaterMark: 256 * 1024 }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
