import type {
  AdminImport,
  ImportPreview,
  ImportState,
} from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type { EntityMapping, ImportColumns } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';

/** An import as the provider sees it. */
export interface ImportRow {
  id: string;
  reseller_id: number;
  name: string;
  format: string | null;
  state: ImportState;
  file_key: string | null;
  added_by: string | null;
  size_bytes: bigint | null;
  read_n: bigint;
  merged_n: bigint;
  created_n: number;
  updated_n: number;
  unchanged_n: number;
  quarantined_n: number;
  corrected_n: number | null;
  undone_n: number;
  undo_refused: string | null;
  waiting: number;
  units: string;
  price: string;
  warnings: AdminImport['warnings'];
  preview: ImportPreview | null;
  /** Of rows that are no usage: how they are read, and what the file looks like. */
  columns: EntityMapping | null;
  head: Omit<ImportColumns, 'mapping'> | null;
  started_at: Date;
  finished_at: Date | null;
}

const select = sql`
  select f.id, f.reseller_id, f.name, f.format, f.state, f.file_key, f.added_by, f.size_bytes, f.read_n, f.merged_n,
         f.created_n, f.updated_n, f.unchanged_n, f.quarantined_n, f.corrected_n, f.undone_n, f.undo_refused,
         (select count(*)::int from quarantine_entry q where q.file_id = f.id) as waiting,
         f.units::text as units, f.price::text as price, f.warnings, f.preview, f.options -> 'columns' as columns, f.options -> 'head' as head, f.started_at, f.finished_at
    from import_file f`;

/** Undefined: of all resellers. */
const ofReseller = (resellerId: number | undefined): Sql =>
  resellerId === undefined ? sql`true` : sql`f.reseller_id = ${resellerId}`;

export interface ImportFilter {
  readonly resellerId: number | undefined;
  readonly state?: ImportState | undefined;
  /** The id after which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Imports, the newest first. */
export const listImports = (db: Db, of: ImportFilter) =>
  db.many<ImportRow>(sql`
    ${select} where ${ofReseller(of.resellerId)}
       and (${of.state ?? null}::text is null or f.state = ${of.state ?? null})
       and (${of.before ?? null}::uuid is null or f.id < ${of.before ?? null})
     order by f.id desc limit ${of.limit}`);

/** @param resellerId whose it has to be; undefined: anybody's */
export const findImport = (db: Db, resellerId: number | undefined, id: string) =>
  db.maybeOne<ImportRow>(sql`${select} where f.id = ${id} and ${ofReseller(resellerId)}`);

/** The same, locked until the transaction ends. */
export const lockImport = (tx: Tx, resellerId: number | undefined, id: string) =>
  tx.maybeOne<ImportRow>(sql`${select} where f.id = ${id} and ${ofReseller(resellerId)} for update of f`);

export const setState = (tx: Tx, id: string, state: ImportState): Promise<number> =>
  tx.execute(sql`update import_file set state = ${state} where id = ${id}`);

/** Says how the columns of an uploaded file are read; it is looked at again, where nothing is open. */
export const keepColumns = (tx: Tx, id: string, columns: ImportColumns): Promise<number> => {
  const { mapping, ...head } = columns;
  const options = JSON.stringify({ mapping: mapping.entity, format: mapping.format, columns: mapping, head });
  return tx.execute(sql`
    update import_file
       set options = options || ${options}::jsonb, format = ${mapping.entity}, preview = null, read_n = 0,
           state = ${columns.questions.length === 0 ? 'checking' : 'checked'}
     where id = ${id}`);
};

/** Ends a dry run. @returns 0 where it was given up meanwhile */
export const keepPreview = (tx: Tx, id: string, preview: ImportPreview): Promise<number> =>
  tx.execute(sql`
    update import_file set state = 'checked', preview = ${JSON.stringify(preview)} where id = ${id} and state = 'checking'`);

/** Imports of which nobody takes up what was looked at, and given-up ones whose file is still there. */
export const listLeft = (db: Db, before: Date, limit: number) =>
  db.many<{ id: string; file_key: string }>(sql`
    select id, file_key from import_file
     where file_key is not null and (state = 'discarded' or state = 'checked' and started_at < ${before}) limit ${limit}`);

/** Imports that were asked to stop, and have not ended. */
export const listStopping = (db: Db, limit: number) =>
  db.many<{ id: string }>(
    sql`select id from import_file where state = 'stopping' order by id limit ${limit}`,
  );

/** Says that an import was given up, and that its file is gone. */
export const forgetUpload = (tx: Tx, id: string, now: Date): Promise<number> =>
  tx.execute(sql`
    update import_file set state = 'discarded', file_key = null, finished_at = coalesce(finished_at, ${now}) where id = ${id}`);

/** Forgets what imports made before a moment; they cannot be undone from then on. */
export const forgetChanges = (tx: Tx, before: Date): Promise<number> =>
  tx.execute(sql`
    delete from import_change c using import_file f
     where f.id = c.file_id and f.state <> 'undoing' and c.made_at < ${before}`);
