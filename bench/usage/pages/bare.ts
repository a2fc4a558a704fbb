import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../../../packages/testing/src/processes.ts';

/** The bare server: `GET /<n>` runs the n-th statement. */
export interface BareServer {
  readonly port: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startBareServer(url: string, statements: readonly string[]): Promise<BareServer> {
  const folder = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const file = join(folder, 'statements.json');
  await writeFile(file, JSON.stringify(statements));
  const server = await startProcess({
    command: ['bench/usage/pages/bare-process.ts', url, file],
    env: {},
    ready: /^ready /,
    nodeArgs: ['--import', join(import.meta.dirname, '../../../tools/end-with-parent.mjs')],
  });
  return {
    port: Number(server.readyLine.slice('ready '.length)),
    pid: server.pid,
    async stop() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
