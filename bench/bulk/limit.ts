import { createReadStream, createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { copyOut } from '../../apps/api/src/db/copy/copy-out.ts';
import type { Database } from '../../apps/api/src/db/database.ts';
import type { BulkLines } from './lines.ts';

/**
 * The least that lines could cost: they are parsed, and the rows that came of them, lines of the audit trail included, are copied
 * into empty tables with the same indexes, without a look at anything.
 * @param file the lines
 * @param folder for the rows on their way
 * @returns seconds
 */
export async function secondsOfLimit(
  db: Database,
  { kind, tables }: BulkLines,
  resellerId: number,
  file: string,
  folder: string,
): Promise<number> {
  let seconds = await timed(async () => {
    for (const line of (await readFile(file, 'utf8')).split('\n')) if (line !== '') JSON.parse(line);
  });
  const rows = join(folder, 'rows.copy');
  for (const table of [...tables, 'audit_event'])
    await db.withConnection(async (client) => {
      const { rows: stored } = await client.query<{ name: string }>(
        `select attname as name from pg_attribute
          where attrelid = '${table}'::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`,
      );
      const columns = stored.map(({ name }) => name);
      const select = `select ${columns.map((name) => `t.${name}`)} from ${table} t where ${whose(table, kind, resellerId)}`;
      await pipeline(copyOut(client, `copy (${select}) to stdout`), createWriteStream(rows));
      await client.query(`create table bench_copy (like ${table} including all)`);
      seconds += await timed(() =>
        pipeline(
          createReadStream(rows, { highWaterMark: 1 << 20 }),
          client.query(copyFrom(`copy bench_copy (${columns}) from stdin`)),
        ),
      );
      await client.query('drop table bench_copy');
    });
  await rm(rows, { force: true });
  return seconds;
}

function whose(table: string, kind: string, resellerId: number): string {
  if (table === 'audit_event') return `t.reseller_id = ${resellerId} and t.action = '${kind}.added'`;
  if (table === 'app_user') return `t.reseller_id = ${resellerId}`;
  if (table === 'provider_reference') return `t.reseller_id = ${resellerId} and t.kind = '${kind}'`;
  if (table === 'invoice_line' && kind === 'charge')
    return `t.invoice_id is null and ${ownCustomer(resellerId)}`;
  if (table === 'invoice_line') return `t.invoice_id is not null and ${ownCustomer(resellerId)}`;
  return ownCustomer(resellerId);
}

const ownCustomer = (resellerId: number): string =>
  `exists (select from reseller_customer r where r.customer_id = t.customer_id and r.reseller_id = ${resellerId})`;

/** @returns seconds */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
}
