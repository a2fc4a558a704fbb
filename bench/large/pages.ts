import { type Sql, sql } from '../../apps/api/src/db/sql.ts';
import { printBeside, reader, timesOf } from './measure.ts';
import type { LargeWorld } from './world.ts';

/** A page as the portal asks for it, and the best statements that answer the same. */
interface PageCase {
  readonly name: string;
  readonly path: string;
  readonly best: readonly Sql[];
}

const MOST_MS = 20;

const cases = ({ customerId: customer }: LargeWorld): readonly PageCase[] => [
  {
    name: 'invoices, first page',
    path: '/v1/ec/invoices?pageNumber=1&pageSize=25',
    best: [
      sql`select * from invoice where customer_id = ${customer} order by issued_on desc, id desc limit 25`,
      sql`select count(*) from invoice where customer_id = ${customer}`,
    ],
  },
];

/** Pages of the lists, each beside the best statements on a bare connection. */
export async function pagesOfLists(world: LargeWorld): Promise<void> {
  const { get, close } = await reader(world);
  for (const { name, path, best } of cases(world)) {
    const bare = await timesOf(async () => {
      for (const statement of best) await world.server.db.many(statement);
    });
    printBeside(name, await timesOf(() => get(path)), bare, MOST_MS);
  }
  close();
}
