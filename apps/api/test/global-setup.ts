import { temporaryFolder } from '@counterfoil/testing/temporary-folder.ts';
import { offerTestServer } from '@counterfoil/testing/test-server.ts';
import type { TestProject } from 'vitest/node';
import { readCatalogue } from '../src/db/catalogue.ts';
import { Database } from '../src/db/database.ts';
import { planDistribution } from '../src/db/distribution.ts';
import { migrate } from '../src/db/migrate.ts';
import { setUpRowSecurity } from '../src/db/row-security/set-up.ts';
import { sql } from '../src/db/sql.ts';
import { tableClasses } from '../src/db/table-classes.ts';

/** Offers the run's database server to every test file; `useDatabase()` asks for it. Temporary files go with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder('tests');
  const broker = await offerTestServer({ migrate: migrateAndSecure, distribute });
  project.provide('testServer', broker.address);
  return async () => {
    await broker.stop();
    folder.remove();
  };
}

const open = (url: string) =>
  new Database({
    url,
    name: 'counterfoil distribute',
    max: 1,
    statementTimeoutMs: 60_000,
    onIdleError: () => undefined,
  });

/** As every start does. */
async function migrateAndSecure(url: string): Promise<void> {
  await migrate(url);
  const db = open(url);
  await setUpRowSecurity({ web: db, exports: db, jobs: db });
  await db.end();
}

/** As `db distribute` does. */
async function distribute(url: string): Promise<void> {
  const db = open(url);
  const { steps } = planDistribution(await readCatalogue(db), tableClasses);
  for (const { statement } of steps) if (statement !== null) await db.many(sql.raw(statement));
  await db.end();
}
