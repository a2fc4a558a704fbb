import { Database } from '../../src/db/database.ts';
import { importFiles } from '../../src/features/imports/service.ts';
import { openFileStore } from '../../src/files/open-file-store.ts';
import { createSecrets } from '../../src/secrets.ts';

/** Imports a file until it is killed: database, file, reseller. */
const [url = '', file = '', reseller = ''] = process.argv.slice(2);
const db = new Database({ url, name: 'killed import', max: 3, statementTimeoutMs: 15_000 });
await importFiles(
  {
    db,
    secrets: createSecrets('a key only for this test, long enough'),
    publicUrl: new URL('http://localhost:3000'),
    files: openFileStore(new URL('file:///nowhere/')),
  },
  { files: [file], resellerId: Number(reseller), isDemo: false, now: new Date('2026-04-01T10:00:00Z') },
);
await db.end();
