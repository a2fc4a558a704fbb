import type { Readable } from 'node:stream';

/** A stored file, open for reading. */
export interface StoredFile {
  readonly sizeBytes: number;
  readonly content: Readable;
}

/** The store does not answer, or may not be used; the message says why in plain words. The work may be tried again later. */
export class FilesUnavailable extends Error {
  override readonly name = 'FilesUnavailable';
}

/** A file in the list of a store. */
export interface ListedFile {
  readonly key: string;
  readonly sizeBytes: number;
  /** Another one where the content under the key was replaced. */
  readonly stamp: string;
}

/**
 * Where files are kept. A key is a path of plain names such as `reports/…/….csv`; it is made by us and never taken
 * from a request.
 */
export interface FileStore {
  /**
   * Writes a file wholly or not at all: while `content` comes, and when it fails, nothing stands under the key that
   * did not before.
   * @returns the size in bytes
   */
  write(key: string, content: AsyncIterable<Uint8Array>): Promise<number>;
  /** @returns undefined when there is no such file */
  read(key: string): Promise<StoredFile | undefined>;
  /** Nothing happens when there is no such file. */
  delete(key: string): Promise<void>;
  /** All files, in no order; of those that come or go meanwhile some may be left out. */
  list(): AsyncIterable<ListedFile>;
  /** Removes what writers that were killed before this moment left unfinished. */
  removeUnfinished(before: Date): Promise<void>;
  /** Why it cannot be used at the moment, in plain words; undefined where it can. A disk is looked at by its own check. */
  fault(): Promise<string | undefined>;
}
