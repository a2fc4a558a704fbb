import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { tellOfImport } from '../../messages/import-messages.ts';
import type { Cause } from './report/causes.ts';
import type { MergeCounts } from './usage/merge.ts';
import type { RejectedLine } from './usage/row.ts';

/** What makes two imports of the same bytes the same import. */
export interface RunKey {
  readonly resellerId: number;
  /** sha256 of the file's bytes. */
  readonly digest: Buffer;
  readonly mapping: Pick<UsageMapping, 'name'>;
  readonly customerId: string | null;
  readonly timeZone: string | undefined;
  /** How rows that are no usage are read. */
  readonly columns?: EntityMapping | undefined;
}

/** One import of a file, as the table `import_file` has it. */
export interface ImportRun {
  readonly id: string;
  /** What an earlier attempt that broke off had taken in. */
  readonly before: Pick<MergeCounts, 'created' | 'updated'>;
}

const optionsOf = ({ mapping, customerId, timeZone, columns }: RunKey) =>
  JSON.stringify({
    mapping: mapping.name,
    customerId,
    timeZone: timeZone ?? null,
    ...(columns && { columns }),
  });

/** Holds for as long as the connection lives, so that a process that was killed holds nothing. */
const lockOf = (id: string) => sql`hashtextextended(${id}, 7061)`;

const tryLock = async (tx: Tx, id: string): Promise<boolean> =>
  (await tx.one<{ is: boolean }>(sql`select pg_try_advisory_lock(${lockOf(id)}) as is`)).is;

/**
 * Ends an import that was asked to stop, where no process is at it: it was killed, or has not begun. What its slices took
 * in stays.
 * @returns whether it has ended
 */
export async function endIdle(tx: Tx, id: string, now: Date): Promise<boolean> {
  const { isFree } = await tx.one<{ isFree: boolean }>(sql`
    select pg_try_advisory_xact_lock(${lockOf(id)}) as "isFree"`);
  if (!isFree) return false;
  const ended = await tx.execute(sql`
    update import_file
       set state = 'stopped', is_stopped = true, unchanged_n = greatest(0, merged_n - created_n - updated_n),
           finished_at = ${now}
     where id = ${id} and state in ('waiting', 'running', 'stopping')`);
  if (ended > 0) await tellOfImport(tx, id, now);
  return true;
}

/** Whether it was asked to stop. */
export async function isStopping(db: Db, { id }: ImportRun): Promise<boolean> {
  const row = await db.maybeOne<{ state: string }>(sql`select state from import_file where id = ${id}`);
  return row?.state === 'stopping';
}

/** Lets another process take this import up. */
export const release = (tx: Tx, { id }: ImportRun) => tx.many(sql`select pg_advisory_unlock(${lockOf(id)})`);

/**
 * Begins the import of a file, or takes up one of the same file that broke off. It is 'running' from here until all of
 * it is in.
 * @param tx the connection that imports
 * @param known the import an upload has begun already
 */
export async function beginRun(
  tx: Tx,
  key: RunKey,
  name: string,
  now: Date,
  known: string | undefined,
): Promise<ImportRun | null> {
  if (known !== undefined) return takeUp(tx, known, key);
  const broken = await tx.many<{ id: string }>(sql`
    select id from import_file where reseller_id = ${key.resellerId} and digest = ${key.digest} and state = 'running'
       and options = ${optionsOf(key)}::jsonb and file_key is null order by started_at desc limit 5`);
  for (const { id } of broken) {
    const run = await takeUp(tx, id, key);
    if (run !== null) return run;
  }
  const id = newId(now.getTime());
  // Before others can see it: one that is not held is ended at once when it is stopped.
  await tryLock(tx, id);
  await tx.execute(sql`
    insert into import_file (id, reseller_id, name, digest, format, state, options, corrected_n, started_at)
    values (${id}, ${key.resellerId}, ${name}, ${key.digest}, ${key.mapping.name}, 'running', ${optionsOf(key)}, 0, ${now})`);
  return { id, before: { created: 0, updated: 0 } };
}

/** @returns null when another process is at it, or it is finished */
async function takeUp(tx: Tx, id: string, key: RunKey): Promise<ImportRun | null> {
  if (!(await tryLock(tx, id))) return null;
  const row = await tx.maybeOne<{ created: number; updated: number }>(sql`
    update import_file set state = 'running', digest = ${key.digest}, format = ${key.mapping.name}, read_n = 0, merged_n = 0
     where id = ${id} and state in ('waiting', 'running')
    returning created_n as created, updated_n as updated`);
  if (row !== undefined) return { id, before: row };
  await tx.many(sql`select pg_advisory_unlock(${lockOf(id)})`);
  return null;
}

/** Says how many rows were read so far. @returns whether it was asked to stop */
export const sayRead = (db: Database, run: ImportRun, rows: number): Promise<boolean> =>
  db.transaction(async (tx) => {
    await keepRead(tx, run, rows);
    return isStopping(tx, run);
  });

/** The same in a transaction that goes on. */
export const keepRead = (tx: Tx, run: ImportRun, rows: number): Promise<number> =>
  tx.execute(sql`update import_file set read_n = ${rows} where id = ${run.id}`);

/** Adds a slice to what is in, in the slice's own transaction. @param merged rows dealt with so far */
export const addSlice = (tx: Tx, { id }: ImportRun, counts: MergeCounts, merged: number): Promise<number> =>
  tx.execute(sql`
    update import_file
       set created_n = created_n + ${counts.created}, updated_n = updated_n + ${counts.updated},
           corrected_n = corrected_n + ${counts.updated},
           units = units + ${counts.units}::numeric, price = price + ${counts.price}::numeric, merged_n = ${merged}
     where id = ${id}`);

export interface RunEnd {
  readonly state: 'done' | 'failed' | 'stopped';
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly quarantined: number;
  readonly warnings: readonly string[];
  /** Lines that are named one by one, in file order. */
  readonly listed: readonly (Omit<RejectedLine, 'line'> & { readonly line: number | null })[];
  /** All that were not taken, by cause. */
  readonly causes: ReadonlyMap<Cause, number>;
  /** What the file's own header calls its columns. */
  readonly columns: readonly string[] | null;
}

/** The end of an import: all of it is in, nothing of it can be, or it was stopped in between. */
export async function endRun(tx: Tx, { id }: ImportRun, end: RunEnd, now: Date): Promise<void> {
  await tx.execute(sql`
    update import_file
       set state = ${end.state}, is_stopped = ${end.state === 'stopped'}, created_n = ${end.created}, updated_n = ${end.updated}, unchanged_n = ${end.unchanged},
           quarantined_n = ${end.quarantined}, warnings = ${JSON.stringify(end.warnings)}, finished_at = ${now}
     where id = ${id}`);
  const rows = end.listed.map((entry) => ({ ...entry, id: newId(now.getTime()) }));
  await tx.execute(sql`delete from import_quarantine where file_id = ${id}`);
  await tx.execute(sql`
    insert into import_quarantine (id, file_id, line, reason, cause, at)
    select q.id, ${id}, q.line, q.reason, q.cause, ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as q(id uuid, line int, reason text, cause text)`);
}

/** Takes back the record of an import that did nothing. */
export const forgetRun = (tx: Tx, { id }: ImportRun): Promise<number> =>
  tx.execute(sql`delete from import_file where id = ${id}`);
