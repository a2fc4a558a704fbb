import { createHash } from 'node:crypto';
import type { FileStore, ListedFile } from '../files/file-store.ts';
import type { ArchiveOut } from './archive-out.ts';
import { type BackupManifest, PARTS } from './manifest.ts';

/**
 * Copies the files of a store into a backup, in two rounds: all of them before the snapshot of the database, which takes as long
 * as it takes, and after it what came or changed since. So there are moments, and not hours, in which a file that the snapshot
 * names can be deleted. About 200 bytes of memory for each file.
 */
export class FileCopier {
  readonly #files: FileStore;
  readonly #archive: ArchiveOut;
  readonly #copied = new Map<string, string>();
  readonly #hash = createHash('sha256');
  #count = 0;
  #bytes = 0;

  constructor(files: FileStore, archive: ArchiveOut) {
    this.#files = files;
    this.#archive = archive;
  }

  /** Copies what is there and not in the backup yet. @returns the keys of all that is there */
  async copyAll(): Promise<ReadonlySet<string>> {
    const there = new Set<string>();
    for await (const listed of this.#files.list()) {
      there.add(listed.key);
      if (this.#copied.get(listed.key) !== listed.stamp) await this.#copy(listed);
    }
    return there;
  }

  /** Whether a file is in the backup, copied now where it is not. */
  async has(key: string): Promise<boolean> {
    return this.#copied.has(key) || this.#copy({ key, stamp: '' });
  }

  /** @param there what was there at the snapshot or later */
  result(there: ReadonlySet<string>, named: ReadonlySet<string>): Omit<BackupManifest['files'], 'missing'> {
    const dropped = [...this.#copied.keys()].filter((key) => !there.has(key) && !named.has(key));
    return { count: this.#count, bytes: this.#bytes, sha256: this.#hash.digest('hex'), dropped };
  }

  async #copy({ key, stamp }: Pick<ListedFile, 'key' | 'stamp'>): Promise<boolean> {
    const stored = await this.#files.read(key);
    // Deleted meanwhile.
    if (stored === undefined) return false;
    this.#hash.update(fileMark(key, stored.sizeBytes));
    await this.#archive.add(`${PARTS.files}${key}`, stored.sizeBytes, this.#hashed(stored.content));
    this.#copied.set(key, stamp);
    this.#count += 1;
    this.#bytes += stored.sizeBytes;
    return true;
  }

  async *#hashed(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      this.#hash.update(chunk);
      yield chunk;
    }
  }
}

/** What stands before each file in what their hash is of. */
export const fileMark = (key: string, sizeBytes: number): string => `${key}\0${sizeBytes}\0`;
