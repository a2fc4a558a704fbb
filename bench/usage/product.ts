import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../../packages/testing/src/processes.ts';
import { nodeFlags, root } from '../../tools/run/node.mjs';
import { serverProgram } from '../../tools/run/server-program.mjs';
import { Connection } from '../signin/connection.ts';
import { profileArgs } from '../support/profile.ts';
import type { UsageData } from './data/open.ts';

/** With which all servers of a bench run. */
export const SECRET_KEY = 'a'.repeat(64);

/** The product's server on the records, and somebody who has signed in. */
export interface Product {
  readonly port: number;
  readonly pid: number;
  /** Signs in again, because what one gets is good for minutes. */
  signIn(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts it as an operator with a database of their own does. */
export async function startProduct(data: UsageData): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'counterfoil-bench-'));
  const server = await startProcess({
    command: [serverProgram(root), 'serve', '--json'],
    env: {
      WEB_DIST: 'apps/web/dist',
      DATA_DIR: dataDir,
      DATABASE_URL: data.url,
      SECRET_KEY,
      DEMO: '0',
      PORT: '0',
      LOG_LEVEL: 'warn',
      UV_THREADPOOL_SIZE: String(Math.max(4, cpus().length + 2)),
    },
    ready: /^\{"ready"/,
    nodeArgs: [...nodeFlags, ...profileArgs()],
  });
  const { listening } = JSON.parse(server.readyLine) as { listening: string };
  const port = Number(new URL(listening).port);
  return {
    port,
    pid: server.pid,
    signIn: () => signIn(port, data),
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function signIn(port: number, { email, password }: UsageData): Promise<string> {
  const connection = await Connection.open(port);
  try {
    const answer = await connection.send({
      method: 'POST',
      path: '/token',
      type: 'application/x-www-form-urlencoded',
      body: new URLSearchParams({
        client_id: 'counterfoil-portal',
        grant_type: 'password',
        username: email,
        password,
      }).toString(),
    });
    if (answer.status !== 200) throw new Error(`signing in answered ${answer.status}: ${answer.body}`);
    return (JSON.parse(answer.body) as { access_token: string }).access_token;
  } finally {
    connection.close();
  }
}
