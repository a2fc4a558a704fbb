import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import pg from 'pg';
import { copyOut } from '../db/copy/copy-out.ts';
import type { BackupManifest, BackupTable, TableContent } from './manifest.ts';

const pack = promisify(gzip);
/** Of text, before it is compressed: so much of a table is in memory. */
const PIECE_BYTES = 4 * 1024 * 1024;
const NEW_LINE = 10;

/** The schemas that are ours: that of the product and that of its job queue. */
export const SCHEMAS = ['public', 'graphile_worker'] as const;

/** How values are written, whatever the server's own settings; a policy that hides rows raises an error. */
export const PLAIN_VALUES = `
  set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = 0;
  set local datestyle = iso; set local intervalstyle = postgres; set local timezone = 'UTC'; set local bytea_output = hex;
  set local extra_float_digits = 3; set local synchronize_seqscans = off; set local row_security = off;
  set local search_path = public`;

/** A name as it stands in a statement. */
export const quoted = ({ schema, name }: Pick<BackupTable, 'schema' | 'name'>): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;

/** Columns as they stand in a statement. */
export const listed = (columns: readonly string[]): string => columns.map(pg.escapeIdentifier).join(', ');

/**
 * Every table that holds rows, as the catalogue knows them: a partitioned one by its partitions. Left out is what the queue's library
 * writes down of its own schema, which is made with that schema.
 */
export async function readTables(client: pg.ClientBase): Promise<readonly BackupTable[]> {
  const { rows } = await client.query<{
    schema: string;
    name: string;
    columns: string[];
    isMonth: boolean;
    month: string | null;
    checks: Record<string, string>;
  }>(
    `select n.nspname::text as schema, c.relname::text as name,
            array(select a.attname::text from pg_attribute a
                   where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
                   order by a.attnum) as columns,
            n.nspname = 'public' and c.relname ~ '^usage_record_\\d{4}_\\d\\d$' as "isMonth",
            (select pg_get_expr(c.relpartbound, c.oid) from pg_inherits i
              where i.inhrelid = c.oid and not i.inhdetachpending) as month,
            coalesce((select jsonb_object_agg(k.conname, pg_get_constraintdef(k.oid)) from pg_constraint k
                       where k.conrelid = c.oid and k.contype = 'c'), '{}') as checks
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = any($1) and c.relkind = 'r' and (n.nspname, c.relname) <> ('graphile_worker', 'migrations')
        and not exists (select from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'e')
      order by 1, 2`,
    [SCHEMAS],
  );
  return rows.map(({ isMonth, month, checks, ...table }) => (isMonth ? { ...table, month, checks } : table));
}

/** How far the sequences that were used have come. They never go back, so it may be later than a snapshot. */
export async function readSequences(client: pg.ClientBase): Promise<BackupManifest['sequences']> {
  const { rows } = await client.query<{ schema: string; name: string; last: string }>(
    `select schemaname::text as schema, sequencename::text as name, last_value::text as last
       from pg_sequences where schemaname = any($1) and last_value is not null order by 1, 2`,
    [SCHEMAS],
  );
  return rows;
}

/**
 * Writes a table's rows in pieces, each whole lines of what COPY writes as text, compressed with gzip.
 * @param add called for one piece after another, from 1
 */
export async function writeRows(
  client: pg.ClientBase,
  table: BackupTable,
  add: (piece: number, content: Buffer) => Promise<void>,
): Promise<TableContent> {
  const hash = createHash('sha256');
  const content = { rows: 0, bytes: 0 };
  let pieces = 0;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const flush = async (text: Buffer) => {
    if (text.length === 0) return;
    pieces += 1;
    await add(pieces, await pack(text, { level: constants.Z_BEST_SPEED }));
  };
  const source = copyOut(client, `copy ${quoted(table)} (${listed(table.columns)}) to stdout`);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk);
    content.bytes += chunk.length;
    content.rows += linesIn(chunk);
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < PIECE_BYTES) continue;
    const text = Buffer.concat(held);
    const end = text.lastIndexOf(NEW_LINE) + 1;
    await flush(text.subarray(0, end));
    held = [text.subarray(end)];
    heldBytes = text.length - end;
  }
  await flush(Buffer.concat(held));
  return { ...content, sha256: hash.digest('hex') };
}

/** Line ends inside values are written as \n, so that every line is a row. */
export function linesIn(chunk: Uint8Array): number {
  let lines = 0;
  for (let at = chunk.indexOf(NEW_LINE); at >= 0; at = chunk.indexOf(NEW_LINE, at + 1)) lines += 1;
  return lines;
}
