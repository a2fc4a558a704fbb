import pino from 'pino';
import { type Config, readSettings } from '../config.ts';
import type { Tx } from '../db/database.ts';
import { createLogger } from '../logger.ts';
import type { Runtime } from '../runtime.ts';
import { open, prepareDatabase } from './begin.ts';

/** Opens what a command works with; what is logged goes to standard error, apart from the command's answer. */
export const openQuietly = (config: Config): Promise<Runtime> =>
  open(config, ['command'], createLogger(config.logLevel, pino.destination({ dest: 2, sync: true })));

/** Runs a command's work on the database of the settings, brought up to date first, and gives everything back. */
export async function withRuntime<T>(work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const runtime = await openQuietly(readSettings());
  try {
    await prepareDatabase(runtime);
    return await work(runtime);
  } finally {
    await runtime.close();
  }
}

/** A command's work in one transaction: a refused command has changed nothing. */
export const inTransaction = <T>(work: (tx: Tx, runtime: Runtime) => Promise<T>): Promise<T> =>
  withRuntime((runtime) => runtime.databases.web.transaction((tx) => work(tx, runtime)));
