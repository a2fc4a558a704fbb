import { diskStore } from './disk-store.ts';
import type { FileStore } from './file-store.ts';

/** The store an address means. @throws {RangeError} for a kind of address there is no store for */
export function openFileStore(url: URL): FileStore {
  if (url.protocol === 'file:') return diskStore(url);
  throw new RangeError(`There is no file store for ${url.protocol}`);
}
