import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Database } from '../../apps/api/src/db/database.ts';
import { importFiles, readDocument } from '../../apps/api/src/features/imports/service.ts';
import { openFileStore } from '../../apps/api/src/files/open-file-store.ts';
import { createSecrets } from '../../apps/api/src/secrets.ts';
import { peakMib } from '../support/memory.ts';
import { timed } from './alone.ts';

/** What is asked of the process. */
export interface Wanted {
  /** To take files in, or only to read them and make invoices of them. */
  readonly what: 'import' | 'parse';
  readonly url: string;
  readonly folder: string;
  readonly paths: readonly string[];
}

/** What it answers. */
export interface Took {
  readonly seconds: number;
  /** Most memory that it had. */
  readonly peakMb: number;
  readonly created: number;
  readonly unchanged: number;
}

/** A process of its own that takes files as the command does, with the flags that this has: so its memory is that of the product. */
process.once('message', async (wanted: Wanted) => {
  const counts = { created: 0, unchanged: 0 };
  const seconds = await (wanted.what === 'import' ? takeIn(wanted, counts) : parse(wanted));
  process.send?.({ seconds, peakMb: peakMib('self'), ...counts } satisfies Took);
  process.disconnect();
});

const parse = ({ paths }: Wanted): Promise<number> =>
  timed(async () => {
    for (const path of paths) {
      const read = await readDocument(await readFile(path));
      if (!read.ok) throw new Error(`${path}: ${read.reason}`);
    }
  });

async function takeIn(
  { url, folder, paths }: Wanted,
  counts: { created: number; unchanged: number },
): Promise<number> {
  const db = new Database({ url, name: 'bench import', max: 4, statementTimeoutMs: 600_000 });
  const deps = {
    db,
    secrets: createSecrets('a key only for this bench, long enough'),
    publicUrl: new URL('http://localhost'),
    files: openFileStore(pathToFileURL(`${folder}/files/`)),
  };
  const request = { files: paths, resellerId: 1, isDemo: false, now: new Date() };
  const seconds = await timed(async () => {
    for (const { created, unchanged } of (await importFiles(deps, request)).files) {
      counts.created += created;
      counts.unchanged += unchanged;
    }
  });
  await db.end();
  return seconds;
}
