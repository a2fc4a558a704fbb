import { documentFormats } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type { EntityMapping, ImportColumns } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { UsageImport } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfImport } from '../../../messages/import-messages.ts';
import type { Cause } from '../report/causes.ts';

export interface NewUpload {
  readonly id: string;
  readonly resellerId: number;
  readonly name: string;
  readonly digest: Buffer;
  /** Where the file lies. */
  readonly key: string;
  readonly mapping: string;
  /** Of usage records; null: a document. */
  readonly format: 'csv' | 'ndjson' | null;
  readonly customerId: string | null;
  readonly timeZone: string | null;
  /** How rows that are no usage are read. */
  readonly columns: ImportColumns | null;
  /** It is only looked at. */
  readonly isDryRun: boolean;
  readonly addedBy: string;
  readonly sizeBytes: number;
  readonly now: Date;
}

/** Who brings a file waits here for others of the same provider, so that none slips through a count. */
export const lockReseller = async (tx: Tx, resellerId: number): Promise<void> => {
  await tx.one(sql`select 1 from reseller where id = ${resellerId} for no key update`);
};

/** How many files of a provider that came after `since` wait or are being taken in. */
export async function countUnfinished(db: Db, resellerId: number, since: Date): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select count(*)::int as n from import_file
     where reseller_id = ${resellerId} and state in ('checking', 'checked', 'waiting', 'running', 'stopping') and file_key is not null
       and started_at > ${since}`);
  return n;
}

/** What is kept of how rows are read. */
export const optionsOfColumns = (columns: ImportColumns | null): object => {
  if (columns === null) return {};
  const { mapping, ...head } = columns;
  return { columns: mapping, head };
};

const stateOf = ({ isDryRun, columns }: NewUpload): string => {
  if (columns !== null && columns.questions.length > 0) return 'checked';
  return isDryRun ? 'checking' : 'waiting';
};

/** Makes an upload known that waits for its job, or for what only a person can say. */
export const insertUpload = (tx: Tx, upload: NewUpload): Promise<number> => {
  const { mapping, format, customerId, timeZone } = upload;
  const options = JSON.stringify({
    mapping,
    format,
    customerId,
    timeZone,
    ...optionsOfColumns(upload.columns),
  });
  return tx.execute(sql`
    insert into import_file (id, reseller_id, name, digest, format, state, options, file_key, added_by, size_bytes,
                             corrected_n, started_at)
    values (${upload.id}, ${upload.resellerId}, ${upload.name}, ${upload.digest}, ${mapping},
            ${stateOf(upload)}, ${options}, ${upload.key}, ${upload.addedBy},
            ${upload.sizeBytes}, 0, ${upload.now})`);
};

export interface UploadJobRow {
  reseller_id: number;
  name: string;
  digest: Buffer;
  file_key: string;
  state: 'checking' | 'waiting' | 'running' | 'stopping' | 'stopped';
  added_by: string | null;
  options: {
    mapping: string;
    /** Of rows that are no usage. */
    columns?: EntityMapping;
    /** Null: a document. */
    format: 'csv' | 'ndjson' | null;
    customerId: string | null;
    timeZone: string | null;
  };
}

/** What the job of an upload needs, while there is something to do. */
export const findUploadJob = (db: Db, id: string) =>
  db.maybeOne<UploadJobRow>(sql`
    select reseller_id, name, digest, file_key, state, options, added_by from import_file
     where id = ${id} and state in ('checking', 'waiting', 'running', 'stopping', 'stopped') and file_key is not null`);

/** Ends an upload of which nothing can be taken in. */
export async function failUpload(tx: Tx, id: string, now: Date): Promise<void> {
  const isEnd = await tx.execute(sql`
    update import_file set state = 'failed', finished_at = ${now} where id = ${id} and state in ('checking', 'waiting', 'running')`);
  if (isEnd > 0) await tellOfImport(tx, id, now);
}

/** Says how many rows a dry run has read. */
export const sayPreviewed = (tx: Tx, id: string, rows: number): Promise<number> =>
  tx.execute(sql`update import_file set read_n = ${rows} where id = ${id} and state = 'checking'`);

export interface UploadRow {
  id: string;
  name: string;
  format: string | null;
  state: UsageImport['state'];
  read_n: bigint;
  merged_n: bigint;
  created_n: number;
  updated_n: number;
  unchanged_n: number;
  quarantined_n: number;
  units: string;
  price: string;
  warnings: string[];
  started_at: Date;
  finished_at: Date | null;
}

/** An upload of the reseller's. */
export const findUpload = (db: Db, resellerId: number, id: string) =>
  db.maybeOne<UploadRow>(sql`
    select id, name, format, state, read_n, merged_n, created_n, updated_n, unchanged_n, quarantined_n,
           units::text as units, price::text as price, warnings, started_at, finished_at
      from import_file
     where id = ${id} and reseller_id = ${resellerId} and file_key is not null and (format is null or format <> all(${[...documentFormats]}::text[]))
       and state in ('waiting', 'running', 'stopping', 'stopped', 'done', 'failed')`);

/** The first thousand lines that were not taken. */
export const listQuarantine = (db: Db, id: string) =>
  db.many<{ line: number | null; reason: string; cause: Cause | null }>(sql`
    select line, reason, cause from import_quarantine where file_id = ${id} order by line nulls first, id limit 1000`);
