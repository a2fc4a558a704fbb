import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyOut } from '../../apps/api/src/db/copy/copy-out.ts';
import type { Database } from '../../apps/api/src/db/database.ts';

/** Files of one transaction, as an import has it. */
const SET = 100;

/** All that an import of invoices writes, with how rows are told from those of other sets, `$1` being the invoices' ids. */
const tables: readonly (readonly [name: string, whose: string])[] = [
  ['invoice_identity', 'invoice_id = any($1)'],
  ['invoice', 'id = any($1)'],
  ['invoice_line', 'invoice_id = any($1)'],
  ['pay_link', 'invoice_id = any($1)'],
  ['invoice_pay_link', 'invoice_id = any($1)'],
  ['import_file', 'id in (select file_id from import_change where ids[1] = any($1))'],
  ['import_change', 'ids[1] = any($1)'],
];

/**
 * The least that writing could cost: the rows that an import made are copied into tables with the same columns and indexes, which
 * hold nothing else, in transactions of as many files, without a look at anything and without foreign keys.
 * @returns seconds
 */
export function secondsOfInserting(db: Database, numbers: string): Promise<number> {
  return db.withConnection(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from invoice where number like $1 order by id',
      [`${numbers}%`],
    );
    const ids = rows.map(({ id }) => id);
    for (const [table] of tables)
      await client.query(`create table bench_${table} (like ${table} including all)`);
    let seconds = 0;
    for (let at = 0; at < ids.length; at += SET) {
      const set = await rowsOf(client, ids.slice(at, at + SET));
      seconds += await timed(async () => {
        await client.query('begin');
        for (const { table, columns, text } of set)
          await pipeline(
            Readable.from([text]),
            client.query(copyFrom(`copy bench_${table} (${columns}) from stdin`)),
          );
        await client.query('commit');
      });
    }
    for (const [table] of tables) await client.query(`drop table bench_${table}`);
    return seconds;
  });
}

interface Rows {
  readonly table: string;
  readonly columns: string;
  readonly text: Buffer;
}

async function rowsOf(client: pg.PoolClient, ids: readonly string[]): Promise<readonly Rows[]> {
  const set: Rows[] = [];
  const list = `'{${ids}}'::uuid[]`;
  for (const [table, whose] of tables) {
    const { rows } = await client.query<{ columns: string }>(
      `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
        where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    );
    const columns = rows[0]?.columns ?? '';
    const select = `select ${columns} from ${table} where ${whose.replace('$1', list)}`;
    const text = await buffer(copyOut(client, `copy (${select}) to stdout`));
    if (text.length === 0) throw new Error(`an import writes ${table}`);
    set.push({ table, columns, text });
  }
  return set;
}

/** @returns seconds */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
