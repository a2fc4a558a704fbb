import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { sql } from '../../../db/sql.ts';
import { asFolderFault, FolderFault } from './folder.ts';
import { folderWatch, type WatchDeps } from './watch.ts';

/** Between two looks into all folders. */
export const LOOK_EVERY_MS = 5_000;

/**
 * Looks into the drop folders of resellers: those within one folder that are called as a reseller's id. What is wrong with one is
 * logged once, and holds no other up.
 * @param root undefined: there are none
 */
export function dropFolders(deps: WatchDeps & { readonly log: Logger; readonly root: string | undefined }) {
  const { root, log, db } = deps;
  const watches = new Map<number, ReturnType<typeof folderWatch>>();
  const said = new Map<string, string>();
  let isStopped = false;

  /** A fault is said when it comes, and when it has gone and comes again. */
  const saying = async (folder: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
      said.delete(folder);
    } catch (error) {
      if (!(error instanceof FolderFault)) throw error;
      if (said.get(folder) !== error.message) log.warn({ folder }, `drop folder: ${error.message}`);
      said.set(folder, error.message);
    }
  };

  const look = async (folder: string, resellerId: number): Promise<void> => {
    const watch = watches.get(resellerId) ?? folderWatch(deps, { folder, resellerId });
    watches.set(resellerId, watch);
    for (const { name, is, line } of await watch.look(() => isStopped))
      log.info({ folder, file: name, is }, `drop folder: ${line}`);
  };

  return {
    async round(): Promise<void> {
      if (root === undefined) return;
      await saying(root, async () => {
        const names = await readdir(root).catch((error: unknown) => {
          throw asFolderFault(root, error);
        });
        const ids = names.filter((name) => /^[1-9]\d{0,8}$/.test(name)).map(Number);
        if (ids.length === 0) return;
        const known = await db.many<{ id: number }>(
          sql`select id from reseller where id = any(${ids}::int[]) order by id`,
        );
        for (const { id } of known) {
          const folder = join(root, String(id));
          if (!isStopped) await saying(folder, () => look(folder, id));
        }
      });
    },
    /** No further file is begun. */
    stop(): void {
      isStopped = true;
    },
  };
}
