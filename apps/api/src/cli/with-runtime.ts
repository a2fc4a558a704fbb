import pino from 'pino';
import { type Config, readSettings } from '../config.ts';
import type { Tx } from '../db/database.ts';
import { createLogger } from '../logger.ts';
import type { Runtime } from '../runtime.ts';
import { open, prepareDatabase } from './begin.ts';
import { readRunningServer } from './running-server.ts';

/** Opens what a command works with; what is logged goes to standard error, apart from the command's answer. */
export const openQuietly = (config: Config): Promise<Runtime> =>
  open(config, ['command'], createLogger(config.logLevel, pino.destination({ dest: 2, sync: true })));

/**
 * The settings of a command that prints or mails links. Where neither PUBLIC_URL nor PORT says where the portal is, the
 * server that runs on this DATA_DIR does.
 */
export async function readLinkSettings(): Promise<Config> {
  const config = readSettings();
  if (config.saysWhere) return config;
  const server = await readRunningServer(config.dataDir);
  return server === undefined ? config : { ...config, publicUrl: new URL(server.url) };
}

/** Runs a command's work on the database of the settings, brought up to date first, and gives everything back. */
export const withRuntime = <T>(work: (runtime: Runtime) => Promise<T>): Promise<T> =>
  runOn(readSettings(), work);

/** The same for what prints or mails links. */
export const withLinks = async <T>(work: (runtime: Runtime) => Promise<T>): Promise<T> =>
  runOn(await readLinkSettings(), work);

async function runOn<T>(config: Config, work: (runtime: Runtime) => Promise<T>): Promise<T> {
  const runtime = await openQuietly(config);
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

/** The same for what prints or mails links. */
export const inTransactionWithLinks = <T>(work: (tx: Tx, runtime: Runtime) => Promise<T>): Promise<T> =>
  withLinks((runtime) => runtime.databases.web.transaction((tx) => work(tx, runtime)));
