import type { Snapshot } from '../../db/cursor.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { FileStore } from '../../files/file-store.ts';
import { ZipFile } from '../../files/zip.ts';
import { type HandedOut, heldTables, tablesAbout } from './held.ts';
import { type ExportedFile, type ExportHead, indexPage } from './index-page.ts';

/** More than a ZIP file holds: such a customer has to be asked for in another way. */
const MOST_BYTES = 4_000_000_000;
const MOST_DOCUMENTS = 60_000;

/** The export would be larger than a ZIP file can be. */
export class ExportTooLarge extends Error {
  override readonly name = 'ExportTooLarge';
}

/**
 * All that is held about a user or a customer as a ZIP file: a file of JSON lines for each table, stored documents, a list
 * of them as JSON, and an index for people. Of one moment; some hundred rows are in memory at a time.
 * @throws {ExportTooLarge}
 */
export async function* exportArchive(
  snapshot: Snapshot,
  files: FileStore,
  head: ExportHead,
): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile();
  const listed: ExportedFile[] = [];
  let bytes = 0;
  const taken = function* () {
    for (const chunk of zip.taken()) {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) throw new ExportTooLarge('the export is larger than a ZIP file can be');
      yield chunk;
    }
  };
  const columns = await readColumns(snapshot);
  for (const { table, held, where } of tablesAbout(head.subject)) {
    const file = `data/${table}.ndjson`;
    let records = 0;
    for await (const { line } of snapshot.stream(linesOf(table, held, where, columns))) {
      if (records === 0) zip.begin(file);
      zip.add(`${line}\n`);
      records += 1;
      yield* taken();
    }
    if (records === 0) continue;
    zip.end();
    listed.push({ file, about: held.about, records });
  }
  const missing: string[] = [];
  if (head.subject.kind === 'customer')
    for (const { number, file_key: key } of await documentsOf(snapshot, head.subject.id)) {
      const stored = await files.read(key);
      if (stored === undefined) {
        missing.push(number);
        continue;
      }
      const file = `documents/${fileNameOf(number)}.pdf`;
      zip.begin(listed.some((other) => other.file === file) ? `documents/${key.replaceAll('/', '-')}` : file);
      for await (const chunk of stored.content) {
        zip.addBytes(chunk as Uint8Array);
        yield* taken();
      }
      zip.end();
      listed.push({ file, about: `the document of ${number}`, records: 1 });
    }
  const archivedMonths = head.subject.kind === 'customer' ? await archivedMonthsOf(snapshot) : [];
  const told = { ...head, files: listed, missing, archivedMonths, left: leftOut() };
  zip.begin('index.json');
  zip.add(`${JSON.stringify(told, undefined, 2)}\n`);
  zip.end();
  zip.begin('index.html');
  zip.add(indexPage(told));
  zip.end();
  zip.close();
  yield* taken();
}

/** Columns of a table that can be handed out at all, in their order. */
type Columns = ReadonlyMap<string, readonly string[]>;

async function readColumns(snapshot: Snapshot): Promise<Columns> {
  const rows = await snapshot.many<{ table: string; columns: string[] }>(sql`
    select table_name::text as table, array_agg(column_name::text order by ordinal_position) as columns
      from information_schema.columns
     where table_schema = current_schema() and data_type <> 'bytea'
       and not (data_type = 'ARRAY' and udt_name = '_bytea')
     group by table_name`);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** People of the provider are told by what they are: `operator`, `key`, `cli`, `support`. */
const ACTOR = sql`case when x.actor like '%:%' then split_part(x.actor, ':', 1)
  when x.actor is not null then 'support' end as actor`;

/** Rows as JSON; numbers as the database writes them, so that none is rounded. */
function linesOf(
  table: string,
  { without = [] }: HandedOut,
  where: Sql<boolean>,
  columns: Columns,
): Sql<{ line: string }> {
  const shown = (columns.get(table) ?? []).filter((column) => !without.includes(column));
  const list = shown.map((column) => (column === 'actor' ? ACTOR : sql`${sql.ref(`x.${column}`)}`));
  return sql<{ line: string }>`
    select row_to_json(r)::text as line from (select ${sql.join(list)} from ${sql.id(table)} x where ${where}) r`;
}

/** Stored documents, by the numbers of their invoices. @throws {ExportTooLarge} */
async function documentsOf(snapshot: Snapshot, customerId: string) {
  const rows = await snapshot.many<{ number: string; file_key: string }>(sql`
    select i.number, d.file_key from invoice_document d join invoice i on i.customer_id = d.customer_id and i.id = d.invoice_id
     where d.customer_id = ${customerId} order by i.issued_on, i.number limit ${MOST_DOCUMENTS + 1}`);
  if (rows.length > MOST_DOCUMENTS)
    throw new ExportTooLarge('there are more documents than a ZIP file holds');
  return rows;
}

const fileNameOf = (number: string): string =>
  number.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').slice(0, 100) || 'document';

/** Months whose usage records are in files of all customers; 'YYYY-MM'. */
const archivedMonthsOf = async (snapshot: Snapshot): Promise<readonly string[]> =>
  (
    await snapshot.many<{ month: string }>(
      sql`select to_char(month, 'YYYY-MM') as month from usage_month where state = 'archived' order by 1`,
    )
  ).map(({ month }) => month);

/** Why tables are not handed out; those of one reason together. */
function leftOut(): readonly { readonly why: string; readonly tables: readonly string[] }[] {
  const byReason = new Map<string, string[]>();
  for (const [table, held] of Object.entries(heldTables))
    if (typeof held === 'string') byReason.set(held, [...(byReason.get(held) ?? []), table]);
  return [...byReason].map(([why, tables]) => ({ why, tables }));
}
