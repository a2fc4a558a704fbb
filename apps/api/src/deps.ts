import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { SecretKeys } from './secrets.ts';

export interface Clock {
  now(): Date;
}

/** Three pools with limits of their own, so that an export or a job never starves a page. */
export interface Databases {
  readonly web: Database;
  readonly exports: Database;
  readonly jobs: Database;
}

/** What every feature receives. Services that only some features need are passed to these by the composition root. */
export interface Deps {
  readonly config: Config;
  readonly databases: Databases;
  readonly clock: Clock;
  readonly secrets: SecretKeys;
  readonly log: Logger;
}
