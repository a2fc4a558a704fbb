import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closeDataDir, makeDataDir } from '@counterfoil/postgres/data-dir.ts';
import { attachOrStart } from '@counterfoil/postgres/server.ts';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { Database } from './db/database.ts';
import type { Clock, Deps } from './deps.ts';
import { closeToOthers, PRIVATE_FILE } from './files/private.ts';
import { createLogger } from './logger.ts';
import { createSecrets } from './secrets.ts';
import { WorldFault } from './world-fault.ts';

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
  openDataDir(config, log);
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
    web: pool('web', 10, WEB_STATEMENT_MS),
    exports: pool('exports', 4, EXPORT_STATEMENT_MS),
    jobs: pool('jobs', 10, JOB_STATEMENT_MS),
  };
  return {
    config,
    log,
    clock: systemClock,
    secrets: createSecrets(secretKeyOf(config), config.secretKeyFallback),
    databases,
    databaseUrl,
    async close() {
      await Promise.allSettled([databases.web.end(), databases.exports.end(), databases.jobs.end()]);
      await embedded?.stop();
    },
  };
}

/** Makes the data folder, or takes from others what an earlier version let them read in it. */
function openDataDir({ dataDir, databaseUrl }: Config, log: Logger): void {
  makeDataDir(dataDir);
  // With the embedded database its launcher does, one process at a time.
  if (databaseUrl !== undefined) closeDataDir(dataDir);
  const [first, ...more] = closeToOthers(dataDir);
  if (first !== undefined)
    log.warn({ first, count: more.length + 1 }, 'other accounts could read files of DATA_DIR');
}

const LEAST_KEY = 32;

/** The key of this installation: that of the settings, or the one in its data folder, which is made where there is none. */
export const secretKeyOf = ({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): string =>
  secretKey ?? localSecretKey(dataDir);

/** Whether there is a key already. */
export const hasSecretKey = ({ secretKey, dataDir }: Pick<Config, 'secretKey' | 'dataDir'>): boolean =>
  secretKey !== undefined || existsSync(join(dataDir, KEY_FILE));

const KEY_FILE = 'secret.key';

/** The generated key of an installation with the embedded database; readable by its owner only. */
function localSecretKey(dataDir: string): string {
  const path = join(dataDir, KEY_FILE);
  if (!existsSync(path)) {
    // Written beside and linked to its place: never half, and of two that start together both have the first one's.
    const draft = `${path}.${process.pid}.part`;
    rmSync(draft, { force: true });
    try {
      writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: PRIVATE_FILE, flag: 'wx' });
      linkSync(draft, path);
    } catch (error) {
      if (!existsSync(path)) throw error;
    } finally {
      rmSync(draft, { force: true });
    }
  }
  const key = readFileSync(path, 'utf8').trim();
  if (key.length >= LEAST_KEY) return key;
  throw new WorldFault(
    `${path} (DATA_DIR) holds no key; put back the one of this installation, or remove it where nothing is stored yet`,
  );
}
