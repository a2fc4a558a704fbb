import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { Database } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { createSecrets } from '../secrets.ts';

/** What the server is built from, to be described and never to serve: its pools are not connected. */
export function describeRuntime(config: Config, log: Logger): Deps {
  const pool = () =>
    new Database({
      url: 'postgres://nobody@127.0.0.1:9/none',
      name: 'none',
      max: 1,
      statementTimeoutMs: 1_000,
    });
  return {
    config,
    log,
    clock: { now: () => new Date() },
    secrets: createSecrets(randomBytes(32).toString('hex')),
    databases: { web: pool(), exports: pool(), jobs: pool() },
  };
}
