import { Database } from '../../src/db/database.ts';
import { importFiles } from '../../src/features/imports/service.ts';
import { openFileStore } from '../../src/files/open-file-store.ts';
import { createSecrets } from '../../src/secrets.ts';

/**
 * A process of its own that imports files and dies as by `kill -9` at the n-th sign of progress.
 * Arguments: address of the database, files, one a line, customer, rows of a slice, n (0 for never).
 */
const [url = '', files = '', customer = '', rows = '', dieAt = ''] = process.argv.slice(2);
const db = new Database({ url, name: 'import process', max: 4, statementTimeoutMs: 60_000 });
let signs = 0;
const report = await importFiles(
  {
    db,
    secrets: createSecrets('a key only for this test, long enough'),
    publicUrl: new URL('http://localhost'),
    files: openFileStore(new URL('file:///dev/null')),
  },
  {
    files: files.split('\n'),
    customer,
    isDemo: false,
    now: new Date('2026-04-01T10:00:00Z'),
    sliceRows: Number(rows),
    onProgress() {
      signs += 1;
      if (signs === Number(dieAt)) process.kill(process.pid, 'SIGKILL');
    },
  },
);
process.stdout.write(`${JSON.stringify(report.files[0])}\n`);
await db.end();
