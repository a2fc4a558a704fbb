import { readFile, rm } from 'node:fs/promises';
import pg from 'pg';
import { transactionOn } from '../db/database.ts';
import { migrate, readMigrations } from '../db/migrate.ts';
import { markRestored, readRestored } from '../features/payments/pause/restored.ts';
import type { FileStore } from '../files/file-store.ts';
import { writePrivateFile } from '../files/private.ts';
import { archiveParts } from './archive-in.ts';
import type { Opener } from './locked.ts';
import { type BackupHead, type BackupManifest, PARTS, tableOfPiece } from './manifest.ts';
import { beginTables, RestoreRefused, refuseUsed } from './restore-tables.ts';
import { PLAIN_VALUES } from './tables.ts';
import { noteOf, unfinishedRestore } from './unfinished.ts';
import { rowsOfPiece } from './verify-backup.ts';

/** Where a backup is restored to. */
export interface RestoreTarget {
  readonly databaseUrl: string;
  readonly files: FileStore;
  /** Holds the note of a restoration that has not ended. */
  readonly dataDir: string;
}

/** A backup of a later version, or of another line of versions, is refused. @throws {RestoreRefused} */
export async function refuseOtherSchema({ version, migrations }: BackupHead): Promise<void> {
  const known = (await readMigrations()).map(({ checksum }) => checksum);
  if (migrations.length > known.length)
    throw new RestoreRefused(
      `the backup is of version ${version} with schema ${migrations.length}, this program knows ${known.length}: install that version or a later one`,
    );
  const other = migrations.findIndex((checksum, at) => checksum !== known[at]);
  if (other >= 0) throw new RestoreRefused(`migration ${other + 1} of the backup differs from the one here`);
}

/**
 * Restores a backup that was verified into an empty installation: its files, then its rows in one transaction at the schema they were
 * written with, and then the migrations since. Killed at any point, it can be run again.
 * @param path the same file that was verified
 * @throws {RestoreRefused} where something is there already
 */
export async function restoreBackup(
  path: string,
  opener: Opener,
  manifest: BackupManifest,
  target: RestoreTarget,
): Promise<void> {
  const begun = await readNote(target.dataDir);
  if (begun === undefined || !(await isLoaded(target, manifest))) {
    await refuseFull(target, begun !== undefined);
    await writePrivateFile(noteOf(target.dataDir), `${manifest.takenAt}\n`);
    await load(path, opener, manifest, target);
  }
  await migrate(target.databaseUrl);
  await rm(noteOf(target.dataDir), { force: true });
}

async function readNote(dataDir: string): Promise<string | undefined> {
  const path = unfinishedRestore(dataDir);
  return path === undefined ? undefined : (await readFile(path, 'utf8')).trim();
}

/** Whether a run before this one came as far as the rows of this backup. */
async function isLoaded({ databaseUrl }: RestoreTarget, { takenAt }: BackupManifest): Promise<boolean> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ is: boolean }>(
      "select to_regclass('public.key_check') is not null as is",
    );
    return rows[0]?.is === true && (await readRestored(transactionOn(client))) === takenAt;
  });
}

async function refuseFull({ databaseUrl, files }: RestoreTarget, isAgain: boolean): Promise<void> {
  await withClient(databaseUrl, (client) => refuseUsed(client));
  if (isAgain) return;
  for await (const { key } of files.list())
    throw new RestoreRefused(
      `FILES_URL is in use: ${key} is there. A backup is restored into an empty one only`,
    );
}

async function load(
  path: string,
  opener: Opener,
  manifest: BackupManifest,
  { databaseUrl, files }: RestoreTarget,
): Promise<void> {
  const { length } = manifest.head.migrations;
  await migrate(databaseUrl, undefined, length);
  const dropped = new Set(manifest.files.dropped);
  await withClient(databaseUrl, async (client) => {
    await client.query('begin');
    await client.query(PLAIN_VALUES);
    // On a cluster: after several connections to a machine Citus changes no table that each of them has whole.
    await client.query("set local citus.multi_shard_modify_mode = 'sequential'");
    const tables = await beginTables(client, manifest);
    for await (const part of archiveParts(path, opener)) {
      const { name } = part;
      if (name.startsWith(PARTS.tables)) await tables.load(tableOfPiece(name), await rowsOfPiece(part));
      const key = name.startsWith(PARTS.files) ? name.slice(PARTS.files.length) : undefined;
      if (key !== undefined && !dropped.has(key)) await files.write(key, part.content);
      else for await (const _ of part.content);
    }
    await tables.finish();
    await markRestored(transactionOn(client), manifest.takenAt);
    await client.query('commit');
  });
}

/** A connection whose statements may take hours. */
async function withClient<T>(url: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, application_name: 'counterfoil restore', max: 1 });
  pool.on('error', () => undefined);
  const client = await pool.connect();
  try {
    return await work(client);
  } finally {
    // What it did not commit is undone.
    client.release(true);
    await pool.end();
  }
}
