import type pg from 'pg';
import { bookOf, rowsOf } from './book-rows.ts';

/**
 * Fills a migrated database without customers with books that are true: about half of the invoices were paid through a gateway, some of
 * them late, in part, with credit or in vain, some of it was refunded or taken back; others were paid outside or credited. Every
 * twentieth is of one customer, the others are of 499.
 * @param client may do anything; a connection that nobody else uses meanwhile
 * @param say told how many rows each table got
 */
export async function fillBooks(
  client: pg.ClientBase,
  invoices: number,
  say: (line: string) => void = () => undefined,
): Promise<void> {
  // The rows are of each other by the way they are made: keys into other tables need not be looked up for each.
  await client.query('set session_replication_role = replica');
  await client.query("insert into reseller (id, name) values (1, 'Books')");
  await client.query(bookOf(invoices));
  for (const [table, rows] of Object.entries(rowsOf)) {
    const { rowCount } = await client.query(`insert into ${table} ${rows}`);
    say(`${table}: ${rowCount} rows`);
  }
  await client.query('drop table book');
  await client.query('vacuum analyze');
  await client.query('set session_replication_role = origin');
}
