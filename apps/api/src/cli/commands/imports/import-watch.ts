import { setTimeout as sleep } from 'node:timers/promises';
import { entityWriters } from '../../../bulk-kinds.ts';
import { ImportRefused, type ImportRequest } from '../../../features/imports/service.ts';
import { FolderFault } from '../../../features/imports/watch/folder.ts';
import { folderWatch, type WatchedFile } from '../../../features/imports/watch/watch.ts';
import { resolveTarget } from '../../../features/imports/whose.ts';
import { openFileStore } from '../../../files/open-file-store.ts';
import { prepareDatabase } from '../../begin.ts';
import { CommandError, type Invocation } from '../../command.ts';
import { openQuietly, readLinkSettings } from '../../with-runtime.ts';

const LOOK_EVERY_MS = 1_000;
/** A file that lies there is taken when it has been still for five seconds. */
const ONCE_MS = 7_000;

/** Imports what is put into a folder, until the process is told to stop. @throws {CommandError} where the folder cannot be worked with */
export async function watchCommand(
  invocation: Invocation,
  folder: string,
  {
    customer,
    timeZone,
    mapping,
    format,
    said,
    by,
    resellerId,
  }: Omit<ImportRequest, 'isDemo' | 'now' | 'dryRun'>,
): Promise<number> {
  const runtime = await openQuietly(await readLinkSettings());
  const stopped = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => stopped.abort());
  try {
    await prepareDatabase(runtime);
    const { databases, secrets, config, clock } = runtime;
    const target = await resolveTarget(databases.web, { resellerId, customer, isDemo: false });
    if (typeof target === 'string') throw new CommandError(target);
    const deps = {
      db: databases.exports,
      secrets,
      publicUrl: config.publicUrl,
      files: openFileStore(config.filesUrl, config.s3),
      clock,
      writers: entityWriters({ secrets, publicUrl: config.publicUrl }),
    };
    const request = { customer, timeZone, mapping, format, said, by };
    const watch = folderWatch(deps, { folder, resellerId: target.resellerId, request });
    const until = invocation.flag('once') ? performance.now() + ONCE_MS : Number.POSITIVE_INFINITY;
    let hasFailed = false;
    while (!stopped.signal.aborted) {
      for (const file of await watch.look(() => stopped.signal.aborted)) {
        say(invocation, file);
        hasFailed ||= file.is === 'failed';
      }
      if (performance.now() > until) break;
      await sleep(LOOK_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    return hasFailed && invocation.flag('once') ? 1 : 0;
  } catch (error) {
    if (error instanceof FolderFault || error instanceof ImportRefused) throw new CommandError(error.message);
    throw error;
  } finally {
    await runtime.close();
  }
}

/** A line for people, or for programs one of JSON, a file. */
function say(invocation: Invocation, { name, is, line }: WatchedFile): void {
  process.stdout.write(
    `${invocation.json ? JSON.stringify({ file: name, is, line }) : `${name}: ${is}. ${line}`}\n`,
  );
}
