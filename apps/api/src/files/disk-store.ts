import { randomUUID } from 'node:crypto';
import { open, opendir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileStore, ListedFile } from './file-store.ts';
import { checkedKey, isKey } from './keys.ts';
import { makePrivateFolder, PRIVATE_FILE } from './private.ts';

/** Files being written lie here and are moved to their place at the end: on one disk that is one step. */
const UNFINISHED = '.unfinished';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT';

/** Files in a folder; several processes may share it. */
export function diskStore(url: URL): FileStore {
  const root = fileURLToPath(url);
  const pathOf = (key: string): string => join(root, checkedKey(key));
  /** Makes names last like content: a file that is told of must be found after a power cut. */
  const syncFolders = async (path: string): Promise<void> => {
    for (let folder = dirname(path); folder.startsWith(root.replace(/\/$/, '')); folder = dirname(folder)) {
      const handle = await open(folder, 'r');
      await handle.sync().finally(() => handle.close());
    }
  };
  return {
    async write(key, content) {
      const path = pathOf(key);
      const unfinished = join(root, UNFINISHED, randomUUID());
      await makePrivateFolder(dirname(unfinished));
      await makePrivateFolder(dirname(path));
      try {
        const file = await open(unfinished, 'wx', PRIVATE_FILE);
        let size = 0;
        try {
          for await (const chunk of content) {
            await file.writeFile(chunk);
            size += chunk.length;
          }
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, path);
        await syncFolders(path);
        return size;
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async read(key) {
      try {
        const file = await open(pathOf(key), 'r');
        const { size } = await file.stat();
        return { sizeBytes: size, content: file.createReadStream() };
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    list: () => filesIn(root, root),
    fault: async () => undefined,
    async removeUnfinished(before) {
      const folder = join(root, UNFINISHED);
      const names = await readdir(folder).catch((error: unknown) => {
        if (isMissing(error)) return [];
        throw error;
      });
      for (const name of names) {
        const path = join(folder, name);
        const found = await stat(path).catch(() => undefined);
        if (found !== undefined && found.mtime < before) await rm(path, { force: true });
      }
    },
  };
}

/** What lies under a folder and can be a key; what goes meanwhile is left out. */
async function* filesIn(folder: string, root: string): AsyncGenerator<ListedFile> {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for await (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== UNFINISHED) yield* filesIn(path, root);
    const key = relative(root, path).replaceAll(sep, '/');
    if (!entry.isFile() || !isKey(key)) continue;
    const found = await stat(path, { bigint: true }).catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
    if (found !== undefined)
      yield { key, sizeBytes: Number(found.size), stamp: `${found.ino}/${found.mtimeNs}` };
  }
}
