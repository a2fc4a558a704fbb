import { fileURLToPath } from 'node:url';
import type { Config } from '../config.ts';
import { diskStore } from './disk-store.ts';
import type { FileStore } from './file-store.ts';
import { s3Store } from './s3-store.ts';

/** The store an address means. @throws {RangeError} for a kind of address there is no store for */
export function openFileStore(url: URL, s3?: Config['s3']): FileStore {
  if (url.protocol === 'file:') return diskStore(url);
  if (url.protocol === 's3:' && s3 !== undefined) return s3Store(url, s3);
  throw new RangeError(`There is no file store for ${url.protocol}`);
}

/** The folder of stored files; undefined where they are not on a disk of this machine. */
export const folderOfFiles = ({ filesUrl }: Pick<Config, 'filesUrl'>): string | undefined =>
  filesUrl.protocol === 'file:' ? fileURLToPath(filesUrl) : undefined;
