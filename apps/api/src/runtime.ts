import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attachOrStart } from '@counterfoil/postgres/server.ts';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { Database } from './db/database.ts';
import type { Clock, Deps } from './deps.ts';
import { createLogger } from './logger.ts';
import { createSecrets } from './secrets.ts';

/** What every command works with: the database, the keys, the clock, the log. */
export interface Runtime extends Deps {
  readonly databaseUrl: string;
  /** Gives connections back and, where this process started it, ends the embedded database. */
  close(): Promise<void>;
}

const WEB_STATEMENT_MS = 10_000;
const JOB_STATEMENT_MS = 120_000;
const EXPORT_STATEMENT_MS = 600_000;

const systemClock: Clock = { now: () => new Date() };

/** Opens the database (embedded: starts or attaches), reads or makes the secret key. */
export async function openRuntime(
  config: Config,
  log: Logger = createLogger(config.logLevel),
): Promise<Runtime> {
  mkdirSync(config.dataDir, { recursive: true });
  const embedded =
    config.databaseUrl === undefined
      ? await attachOrStart({
          dataDir: config.dataDir,
          onNotice: (line) => log.warn({ source: 'postgres' }, line),
        })
      : undefined;
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? '';
  const pool = (name: string, max: number, statementTimeoutMs: number) =>
    new Database({
      url: databaseUrl,
      name: `counterfoil ${name}`,
      max,
      statementTimeoutMs,
      onIdleError: (error) => log.warn({ err: error, pool: name }, 'an idle connection ended'),
    });
  const databases = {
    web: pool('web', 16, WEB_STATEMENT_MS),
    exports: pool('exports', 4, EXPORT_STATEMENT_MS),
    jobs: pool('jobs', 10, JOB_STATEMENT_MS),
  };
  return {
    config,
    log,
    clock: systemClock,
    secrets: createSecrets(config.secretKey ?? localSecretKey(config.dataDir)),
    databases,
    databaseUrl,
    async close() {
      await Promise.allSettled([databases.web.end(), databases.exports.end(), databases.jobs.end()]);
      await embedded?.stop();
    },
  };
}

/** The generated key of an installation with the embedded database; readable by its owner only. */
function localSecretKey(dataDir: string): string {
  const path = join(dataDir, 'secret.key');
  if (!existsSync(path)) {
    // `wx`: of two processes that start together one writes, and both read what was written.
    try {
      writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' });
    } catch (error) {
      if (!existsSync(path)) throw error;
    }
  }
  chmodSync(path, 0o600);
  return readFileSync(path, 'utf8').trim();
}
