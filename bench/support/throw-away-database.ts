import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../apps/api/src/db/migrate.ts';
import { attachOrStart } from '../../packages/postgres/src/server.ts';

/** A PostgreSQL of a benchmark's own with the product's schema, which is gone when it stops. */
export interface ThrowAwayDatabase {
  readonly url: string;
  /** Where it lies; others may have folders of their own in it. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

export async function startThrowAwayDatabase(): Promise<ThrowAwayDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const { url, stop: stopServer } = await attachOrStart({ dataDir, durable: false });
  const stop = async () => {
    await stopServer();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(url);
    return { url, dataDir, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
