import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { DatabaseUnavailable, type Db, sqlState } from './database.ts';
import { sql } from './sql.ts';

const FOLDER = join(import.meta.dirname, '../../migrations');
/** The last migration of the queue's library. A test compares it with the library. */
export const QUEUE_SCHEMA = 20;
/** Held by whoever migrates. Any number will do, as long as every process takes the same one. */
export const MIGRATION_LOCK = 7_263_401;

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** The database was migrated by a newer version of this program, or a landed migration was edited. */
export class SchemaMismatch extends Error {
  override readonly name = 'SchemaMismatch';
}

/** The numbered migrations, in order. @throws {Error} on a gap or a double number */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(
    files.map(async (file, index) => {
      const version = Number(file.slice(0, 4));
      if (version !== index + 1) throw new Error(`migration ${file} should have the number ${index + 1}`);
      const text = await readFile(join(folder, file), 'utf8');
      return { version, name: file, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Whether all migrations ran, the queue's too: one query. @param db as whoever asks may work in it */
export async function isUpToDate(db: Db): Promise<boolean> {
  const wanted = (await readMigrations()).map(({ checksum }) => checksum);
  try {
    const { applied, queue } = await db.one<{ applied: string[] | null; queue: number | null }>(sql`
      select (select array_agg(checksum order by version) from schema_migration) as applied,
             (select max(id) from graphile_worker.migrations) as queue`);
    return queue === QUEUE_SCHEMA && applied?.join() === wanted.join();
  } catch (error) {
    // No such table or schema yet, or not allowed to look there: then the long way says what is wrong.
    if (['42P01', '3F000', '42501'].includes(sqlState(error)?.code ?? '')) return false;
    throw error;
  }
}

/**
 * Brings the schema up to date: one transaction per migration, one process at a time (advisory lock).
 * @param last the migration after which to stop, for data that is loaded as it was then; all of them unless given
 * @returns the names of the migrations that ran now
 * @throws {DatabaseUnavailable}
 * @throws {SchemaMismatch} when the database is newer than this program or an applied migration differs
 */
export async function migrate(url: string, folder = FOLDER, last?: number): Promise<string[]> {
  const migrations = (await readMigrations(folder)).slice(0, last);
  const client = new pg.Client({ connectionString: url, application_name: 'counterfoil migrate' });
  try {
    await client.connect();
  } catch (error) {
    throw new DatabaseUnavailable('no connection', { cause: error });
  }
  try {
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await client.query(
      `create table if not exists schema_migration (
         version integer primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`,
    );
    const applied = await appliedVersions(client);
    refuseMismatch(applied, migrations);
    const ran: string[] = [];
    for (const migration of migrations.slice(applied.length)) {
      await apply(client, migration);
      ran.push(migration.name);
    }
    // The job queue brings a schema of its own (graphile_worker), versioned by its library.
    const { Logger, runMigrations } = await import('graphile-worker');
    await runMigrations({ connectionString: url, logger: new Logger(() => () => undefined) });
    return ran;
  } finally {
    await client.end();
  }
}

interface Applied {
  version: number;
  checksum: string;
}

async function appliedVersions(client: pg.Client): Promise<Applied[]> {
  const { rows } = await client.query<Applied>(
    'select version, checksum from schema_migration order by version',
  );
  return rows;
}

function refuseMismatch(applied: readonly Applied[], migrations: readonly Migration[]): void {
  const newest = applied.at(-1);
  if (newest !== undefined && newest.version > migrations.length) {
    throw new SchemaMismatch(
      `the database has schema ${newest.version}, this program knows ${migrations.length}: install the newer version`,
    );
  }
  for (const row of applied) {
    const known = migrations[row.version - 1];
    if (known !== undefined && known.checksum !== row.checksum) {
      throw new SchemaMismatch(`migration ${known.name} differs from the one that was applied`);
    }
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
      migration.version,
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`migration ${migration.name} failed`, { cause: error });
  }
}
