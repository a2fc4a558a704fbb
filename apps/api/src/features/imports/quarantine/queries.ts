import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Cause } from '../report/causes.ts';

/** Entries of one round: of usage as many as an import names one by one. */
const SLICE = 10_000;
/** Documents of one round, which go in by one transaction: how many, and what they hold in bytes. */
const DOCUMENTS = { most: 100, bytes: 4 * 1024 ** 2 } as const;

/** Which entries are tried again. */
export type Choice =
  /** Those for which what was missing has come. */
  | { readonly only: 'due'; readonly resellerId?: number | undefined }
  /** All that can be. */
  | {
      readonly only: 'all';
      readonly resellerId?: number | undefined;
      /** Of one import only. */
      readonly fileId?: string | undefined;
      readonly cause?: Cause | undefined;
    }
  | { readonly only: 'these'; readonly ids: readonly string[] };

export interface RetryRow {
  readonly id: string;
  /** Of a document nothing: it is read when it is held. */
  readonly record: Buffer;
  readonly ordinal: number;
}

/** Entries of one file; documents, of which each is a file, of one reseller. */
export interface RetrySlice {
  readonly fileId: string;
  /** Of rows that are no usage: how they were read. */
  readonly columns: EntityMapping | null;
  readonly kind: 'usage' | 'invoice' | 'row';
  readonly resellerId: number;
  readonly fileName: string;
  /** When their file was imported. */
  readonly startedAt: Date;
  /** How rows of usage are read. */
  readonly source: {
    readonly mapping: UsageMapping;
    readonly columns: readonly string[] | null;
    readonly timeZone: string | null;
  };
  readonly rows: readonly RetryRow[];
}

const ofReseller = (resellerId: number | undefined): Sql =>
  resellerId === undefined ? sql`true` : sql`q.reseller_id = ${resellerId}`;

/** What was missing is there: one of the numbers or names, another form of the mapping; the rest waits for its time. */
const hasCome = sql`(
  q.cause in ('busy', 'agreement', 'month', 'reference')
  or q.cause = 'customer' and (
    exists (select 1 from customer_identity i
             where i.reseller_id = q.reseller_id and i.kind = 'externalRef' and i.value = any(q.missing))
    or exists (select 1 from reseller_customer c where c.reseller_id = q.reseller_id and c.label = any(q.missing)))
  or q.cause = 'owner' and (
    exists (select 1 from customer_identity i
             where i.reseller_id = q.reseller_id and i.kind = 'accountCode' and i.value = any(q.missing))
    or exists (select 1 from service_item_number n where n.reseller_id = q.reseller_id and n.number = any(q.missing)))
  or q.cause = 'buyer' and (
    exists (select 1 from customer_identity i
             where i.reseller_id = q.reseller_id and i.kind in ('endpoint', 'legalId', 'name')
               and i.value = any(q.missing))
    or exists (select 1 from reseller_customer c where c.reseller_id = q.reseller_id and c.label = any(q.missing)))
  or q.cause = 'mapping' and exists (
    select 1 from usage_mapping m join import_file f on f.id = q.file_id
     where m.reseller_id = q.reseller_id and m.name = f.format
       and m.changed_at > greatest(f.started_at, coalesce(q.tried_at, f.started_at))))`;

/** @param began entries that were tried since are left for the next time */
function chosen(choice: Choice, began: Date): Sql {
  const untried = sql`q.record is not null and (q.tried_at is null or q.tried_at < ${began})`;
  switch (choice.only) {
    case 'due':
      return sql`${untried} and q.next_try_at <= ${began} and ${ofReseller(choice.resellerId)} and ${hasCome}`;
    case 'all':
      return sql`${untried} and ${ofReseller(choice.resellerId)} and ${ofCause(choice.cause)}
        and (${choice.fileId ?? null}::uuid is null or q.file_id = ${choice.fileId ?? null})`;
    case 'these':
      return sql`${untried} and q.id = any(${[...choice.ids]}::uuid[])`;
  }
}

const ofCause = (cause: Cause | undefined): Sql =>
  cause === undefined ? sql`true` : sql`q.cause = ${cause}`;

/** The next entries to be tried. @param takesRows those that are no usage too @returns undefined when there are none */
export async function nextRetrySlice(
  db: Db,
  choice: Choice,
  began: Date,
  takesRows: boolean,
): Promise<RetrySlice | undefined> {
  const first = await db.maybeOne<{
    kind: RetrySlice['kind'];
    file_id: string;
    reseller_id: number;
    name: string;
    started_at: Date;
    source: RetrySlice['source'];
    columns: EntityMapping | null;
  }>(sql`
    select q.kind, q.file_id, q.reseller_id, f.name, f.started_at, f.source, f.options -> 'columns' as columns
      from quarantine_entry q join import_file f on f.id = q.file_id
     where ${chosen(choice, began)} and ${takesRows ? sql`true` : sql`q.kind <> 'row'`} limit 1`);
  if (first === undefined) return undefined;
  const rows = await db.many<RetryRow>(
    first.kind === 'invoice'
      ? sql`
        select id, ''::bytea as record, ordinal
          from (select id, ordinal, sum(bytes) over (order by id) - bytes as before
                  from (select q.id, q.ordinal, octet_length(q.record) as bytes from quarantine_entry q
                         where q.reseller_id = ${first.reseller_id} and q.kind = 'invoice' and ${chosen(choice, began)}
                         limit ${DOCUMENTS.most}) first_ones) sized
         where before < ${DOCUMENTS.bytes} order by id`
      : sql`
        select q.id, q.record, q.ordinal from quarantine_entry q
         where q.file_id = ${first.file_id} and q.kind = ${first.kind} and ${chosen(choice, began)}
         order by q.line, q.id limit ${SLICE}`,
  );
  const { kind, file_id: fileId, reseller_id: resellerId, name: fileName, started_at: startedAt } = first;
  const { source, columns } = first;
  return { kind, fileId, resellerId, fileName, startedAt, source, columns, rows };
}

export interface EntryFilter {
  readonly resellerId?: number | undefined;
  readonly cause?: Cause | undefined;
}

const filtered = ({ resellerId, cause }: EntryFilter): Sql =>
  sql`${ofReseller(resellerId)} and ${ofCause(cause)}`;

export interface ListedEntry {
  readonly id: string;
  readonly reseller_id: number;
  readonly file: string;
  readonly format: string | null;
  readonly line: number | null;
  readonly cause: Cause;
  readonly reason: string;
  readonly first_seen_at: Date;
  readonly tries: number;
  readonly tried_at: Date | null;
  /** Whether it can be tried again as it is kept. */
  readonly is_kept: boolean;
  /** As it stands in its file; of an invoice nothing. */
  readonly record: string | null;
}

/** What waits, newest first. */
export async function listEntries(db: Db, filter: EntryFilter, limit: number): Promise<ListedEntry[]> {
  const rows = await db.many<Omit<ListedEntry, 'record'> & { record: Buffer | null }>(sql`
    select q.id, q.reseller_id, f.name as file, f.format, q.line, q.cause, q.reason, q.first_seen_at, q.tries, q.tried_at,
           q.record is not null as is_kept,
           case when q.kind in ('usage', 'row') then q.record end as record
      from quarantine_entry q join import_file f on f.id = q.file_id
     where ${filtered(filter)} order by q.first_seen_at desc, q.file_id, q.line, q.id limit ${limit}`);
  return rows.map((row) => ({ ...row, record: row.record?.toString() ?? null }));
}

/** How many wait, by cause, most first. */
export const countEntries = (db: Db, filter: EntryFilter) =>
  db.many<{ cause: Cause; count: number }>(sql`
    select q.cause, count(*)::int as count from quarantine_entry q where ${filtered(filter)}
     group by q.cause order by 2 desc, 1`);

/** How many entries of one import still wait. */
export const countOfFile = async (db: Db, fileId: string): Promise<number> =>
  (
    await db.one<{ n: number }>(
      sql`select count(*)::int as n from quarantine_entry where file_id = ${fileId}`,
    )
  ).n;

/** Takes entries away for good. @returns what was known of them, for the record */
export const dropEntries = (tx: Tx, ids: readonly string[]) =>
  tx.many<{ id: string; reseller_id: number; file: string; line: number | null; reason: string }>(sql`
    delete from quarantine_entry q using import_file f
     where f.id = q.file_id and q.id = any(${[...ids]}::uuid[])
    returning q.id, q.reseller_id, f.name as file, q.line, q.reason`);

/** Enough to see that something is wrong; counting more would cost more than it tells. */
const COUNTED_AT_MOST = 50_000;

/** How many entries wait in quarantine, of all resellers. */
export async function countWaiting(db: Db): Promise<number> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from (select from quarantine_entry limit ${COUNTED_AT_MOST}) as q`,
  );
  return count;
}
