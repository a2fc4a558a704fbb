import { offerTestServer } from '@counterfoil/testing/test-server.ts';
import type { TestProject } from 'vitest/node';
import { migrate } from '../src/db/migrate.ts';

/** Offers the run's database server to every test file; `useDatabase()` asks for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const broker = await offerTestServer(migrate);
  project.provide('testServer', broker.address);
  return () => broker.stop();
}
