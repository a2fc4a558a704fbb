import { temporaryFolder } from '@counterfoil/testing/temporary-folder.ts';
import { offerTestServer } from '@counterfoil/testing/test-server.ts';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/db/migrate.ts';

/** Offers the run's database server to every test file; `useDatabase()` asks for it. Temporary files go with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = temporaryFolder('tests');
  const broker = await offerTestServer(migrate);
  project.provide('testServer', broker.address);
  return async () => {
    await broker.stop();
    folder.remove();
  };
}
