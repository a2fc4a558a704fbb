import { finished } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { BackupDamaged, type BackupManifest, type BackupTable } from './manifest.ts';
import { listed, quoted, readTables, SCHEMAS } from './tables.ts';

/** The database is not one that a backup can be restored into; the message says why. */
export class RestoreRefused extends Error {
  override readonly name = 'RestoreRefused';
}

/** Tables that are not empty in a database nobody has used: made by migrations, and by the first start. */
const OF_ITS_OWN = new Set([
  'public.schema_migration',
  'public.key_check',
  'public.usage_month',
  'public.queue_worker',
  'public.background_round',
]);

/** @throws {RestoreRefused} where somebody has used the database, or uses it now */
export async function refuseUsed(client: pg.ClientBase): Promise<void> {
  // The connection of a process that was killed may take a moment to be noticed.
  for (let tries = 0; await isInUse(client); tries += 1) {
    if (tries === TRIES)
      throw new RestoreRefused(
        'servers, workers or commands of Counterfoil work in this database: stop them first',
      );
    await sleep(PAUSE_MS);
  }
  for (const table of await readTables(client)) {
    const name = `${table.schema}.${table.name}`;
    if (table.schema !== 'public' || OF_ITS_OWN.has(name)) continue;
    // The brand of those who have none comes with the schema.
    const where = name === 'public.brand' ? 'where reseller_id is not null' : '';
    const { rows } = await client.query(`select 1 from ${quoted(table)} ${where} limit 1`);
    if (rows.length > 0)
      throw new RestoreRefused(
        `the database is in use: ${table.name} has rows. A backup is restored into an empty one only`,
      );
  }
}

const TRIES = 10;
const PAUSE_MS = 500;

async function isInUse(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'counterfoil %'`,
  );
  return rows.length > 0;
}

/** A restoration under way, in one transaction: until it is committed nothing of it is seen. */
export interface LoadingTables {
  /** Adds rows to a table. @param text whole lines */
  load(table: string, text: Buffer): Promise<void>;
  /** Puts keys and sequences back; compares what came with what the backup says. @throws {BackupDamaged} */
  finish(): Promise<void>;
}

/** Empties the tables, makes the months of usage records, and takes foreign keys away until all rows are there. */
export async function beginTables(client: pg.ClientBase, manifest: BackupManifest): Promise<LoadingTables> {
  await makeMonths(client, manifest.tables);
  const there = await readTables(client);
  refuseOtherTables(there, manifest.tables);
  const keys = await dropForeignKeys(client);
  const triggered = await tablesWithTriggers(client);
  for (const name of triggered) await client.query(`alter table ${name} disable trigger user`);
  await client.query(`truncate ${there.map(quoted).join(', ')}`);
  const known = new Map(manifest.tables.map((table) => [`${table.schema}.${table.name}`, table]));
  const loaded = new Map<string, number>();
  return {
    async load(name, text) {
      const table = known.get(name);
      if (table === undefined) throw new BackupDamaged(`table ${name} is not in its manifest`);
      loaded.set(name, (loaded.get(name) ?? 0) + (await copyIn(client, table, text)));
    },
    async finish() {
      for (const [name, { rows }] of known)
        if ((loaded.get(name) ?? 0) !== rows)
          throw new BackupDamaged(`${loaded.get(name) ?? 0} of ${rows} rows came of table ${name}`);
      await addChecks(client, manifest.tables);
      for (const add of keys) await client.query(add);
      for (const name of triggered) await client.query(`alter table ${name} enable trigger user`);
      for (const { schema, name, last } of manifest.sequences)
        await client.query('select setval($1::regclass, $2::bigint, true)', [quoted({ schema, name }), last]);
    },
  };
}

async function copyIn(client: pg.ClientBase, table: BackupTable, text: Buffer): Promise<number> {
  // Emptied in this transaction, so its rows can be written as old already: no vacuum has to do it later.
  const into = client.query(
    copyFrom(`copy ${quoted(table)} (${listed(table.columns)}) from stdin with (freeze)`),
  );
  into.end(text);
  await finished(into);
  return into.rowCount;
}

/** The table of each month as it was: part of the usage records or not. */
async function makeMonths(client: pg.ClientBase, tables: readonly BackupTable[]): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select relname::text as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname ~ '^usage_record_\\d{4}_\\d\\d$'`,
  );
  for (const { name } of rows) await client.query(`drop table ${quoted({ schema: 'public', name })}`);
  for (const table of tables) {
    if (table.month === undefined) continue;
    const name = quoted(table);
    await client.query(
      `create table ${name} (like public.usage_record including defaults including constraints)`,
    );
    if (table.month !== null)
      await client.query(`alter table public.usage_record attach partition ${name} ${table.month}`);
  }
}

/** What a month's table checks beyond the others: a closed one takes no rows, so this comes after its own. */
async function addChecks(client: pg.ClientBase, tables: readonly BackupTable[]): Promise<void> {
  for (const table of tables)
    for (const [check, definition] of Object.entries(table.checks ?? {})) {
      const name = quoted(table);
      const { rowCount } = await client.query(
        'select 1 from pg_constraint where conrelid = $1::regclass and conname = $2',
        [name, check],
      );
      if (rowCount === 0)
        await client.query(`alter table ${name} add constraint ${pg.escapeIdentifier(check)} ${definition}`);
    }
}

/** Of the same migrations, tables are the same; what somebody else has made beside them is not ours to make. */
function refuseOtherTables(there: readonly BackupTable[], wanted: readonly BackupTable[]): void {
  const columns = new Map(there.map((table) => [`${table.schema}.${table.name}`, table.columns]));
  for (const table of wanted) {
    const name = `${table.schema}.${table.name}`;
    const known = columns.get(name);
    if (known === undefined)
      throw new RestoreRefused(`the backup has a table ${name}, which is none of Counterfoil’s`);
    const lost = table.columns.filter((column) => !known.includes(column));
    if (lost.length > 0)
      throw new RestoreRefused(`table ${name} has no column ${lost.join(', ')} here, which the backup has`);
  }
}

/** Takes the foreign keys of all tables away, in a transaction. @returns the statements that put them back */
export async function dropForeignKeys(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ schema: string; table: string; name: string; definition: string }>(
    `select n.nspname::text as schema, c.relname::text as "table", k.conname::text as name, pg_get_constraintdef(k.oid) as definition
       from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_namespace n on n.oid = c.relnamespace
      where k.contype = 'f' and k.conparentid = 0 and n.nspname = any($1) order by 1, 2, 3`,
    [SCHEMAS],
  );
  const adds: string[] = [];
  for (const { schema, table, name, definition } of rows) {
    const alter = `alter table ${quoted({ schema, name: table })}`;
    await client.query(`${alter} drop constraint ${pg.escapeIdentifier(name)}`);
    adds.push(`${alter} add constraint ${pg.escapeIdentifier(name)} ${definition}`);
  }
  return adds;
}

async function tablesWithTriggers(client: pg.ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query<{ schema: string; name: string }>(
    `select distinct n.nspname::text as schema, c.relname::text as name
       from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
      where not t.tgisinternal and n.nspname = any($1) and c.relkind in ('r', 'p')`,
    [SCHEMAS],
  );
  return rows.map(quoted);
}
