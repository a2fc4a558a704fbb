import { Database } from '../../src/db/database.ts';
import { archiveMonth } from '../../src/features/usage/months/archive.ts';
import { closeMonth } from '../../src/features/usage/months/closing.ts';
import { unarchiveMonth } from '../../src/features/usage/months/unarchive.ts';
import { openFileStore } from '../../src/files/open-file-store.ts';

/**
 * A process of its own that closes, archives or brings back a month and dies as by `kill -9` when it comes to a step.
 * Arguments: address of the database, address of the files, what to do, month, step ('' for none).
 */
const [url = '', filesUrl = '', what = '', month = '', step = ''] = process.argv.slice(2);
const actions = { close: closeMonth, archive: archiveMonth, unarchive: unarchiveMonth };
const db = new Database({ url, name: 'months process', max: 4, statementTimeoutMs: 60_000 });
await actions[what as keyof typeof actions](
  {
    db,
    files: openFileStore(new URL(filesUrl)),
    now: new Date('2026-06-15T12:00:00Z'),
    reached(at) {
      if (at === step) process.kill(process.pid, 'SIGKILL');
    },
  },
  month,
);
await db.end();
