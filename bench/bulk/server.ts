import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Database } from '../../apps/api/src/db/database.ts';
import { sql } from '../../apps/api/src/db/sql.ts';
import { addApiKey } from '../../apps/api/src/features/api-keys/service.ts';
import { type ApiScope, apiScopes } from '../../packages/contract/src/operator/access/api-keys.ts';
import { attachOrStart } from '../../packages/postgres/src/server.ts';
import { startProcess } from '../../packages/testing/src/processes.ts';
import { mallocSettings, nodeFlags, root } from '../../tools/run/node.mjs';
import { serverProgram } from '../../tools/run/server-program.mjs';
import { processorTimes } from '../signin/processor-time.ts';
import { peakMib } from '../support/memory.ts';

/** The product's server with an empty database of its own. */
export interface BulkServer {
  readonly url: string;
  readonly db: Database;
  /** Makes a reseller with a service. @returns a key that may do everything */
  addReseller(id: number): Promise<string>;
  /** From now on {@link peakMib} counts anew. */
  forgetPeak(): void;
  /** Most memory that the server's process had at once. */
  peakMib(): number;
  /** Processor time of server and database so far, milliseconds by process. */
  processorTimes(): ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

/** @param withWorker a second process sends webhooks and does what else is queued */
export async function startBulkServer(withWorker = false): Promise<BulkServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const program = (command: 'serve' | 'work') =>
    startProcess({
      command: [serverProgram(root), command, ...(command === 'serve' ? ['--json'] : [])],
      env: {
        ...mallocSettings,
        DATA_DIR: dataDir,
        DEMO: '0',
        PORT: '0',
        LOG_LEVEL: 'warn',
        WEBHOOKS_ALLOW_PRIVATE: '1',
      },
      ready: /^(\{"ready"|working)/,
      nodeArgs: nodeFlags,
    });
  const server = await program('serve').catch(async (error: unknown) => {
    await rm(dataDir, { recursive: true, force: true });
    throw error;
  });
  const worker = withWorker ? await program('work') : undefined;
  const { listening } = JSON.parse(server.readyLine) as { listening: string };
  const { url } = await attachOrStart({ dataDir });
  const db = new Database({ url, name: 'bench', max: 4, statementTimeoutMs: 600_000 });
  const backend = await db.one<{ pid: number }>(sql`
    select pid from pg_stat_activity where application_name like 'counterfoil%' limit 1`);
  return {
    url: listening,
    db,
    async addReseller(id) {
      await db.transaction(async (tx) => {
        await tx.execute(sql`insert into reseller (id, name) values (${id}, ${`Bench ${id}`})`);
        await tx.execute(
          sql`insert into service (id, reseller_id, code, name) values (gen_random_uuid(), ${id}, 'voice', 'Voice')`,
        );
      });
      const scopes = Object.keys(apiScopes) as ApiScope[];
      const wanted = { resellerId: id, name: 'bench', scopes, expiresAt: null };
      const key = await db.transaction((tx) => addApiKey(tx, wanted, new Date()));
      if (key === undefined) throw new Error('no key was made');
      return key;
    },
    forgetPeak: () => writeFileSync(`/proc/${server.pid}/clear_refs`, '5'),
    peakMib: () => peakMib(server.pid),
    processorTimes: () => processorTimes(server.pid, backend.pid),
    async stop() {
      await db.end();
      await worker?.stop();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
