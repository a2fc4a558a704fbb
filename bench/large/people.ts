import { sql } from '../../apps/api/src/db/sql.ts';
import { printFigure, quantile } from '../support/figure.ts';
import { reader, timesOf } from './measure.ts';
import type { LargeWorld } from './world.ts';

const CUSTOMERS = 5_000;
const MOST_MS = 3;

/** The smallest call of a person who acts for thousands, and the list of these. */
export async function manyCustomers(world: LargeWorld): Promise<void> {
  const { db } = world.server;
  await db.execute(sql`
    with made as (
      insert into customer (customer_id, reseller_id, label)
      select gen_random_uuid(), ${world.resellerId}, 'Customer ' || n from generate_series(1, ${CUSTOMERS}) n returning *
    ), listed as (
      insert into reseller_customer (reseller_id, customer_id, label)
      select reseller_id, customer_id, label from made)
    insert into membership (user_id, customer_id)
    select m.user_id, made.customer_id from made cross join membership m where m.customer_id = ${world.customerId}`);
  await db.execute(sql`vacuum analyze`);
  const { get, close } = await reader(world);
  const print = async (what: string, path: string, limit: number) =>
    printFigure({
      bench: 'large',
      figure: `${what}, a person of ${CUSTOMERS} customers, p50`,
      value: quantile(await timesOf(() => get(path)), 0.5),
      unit: 'ms',
      limit,
      isMost: true,
    });
  try {
    await print('smallest call', '/v1/ec/preferences', MOST_MS);
    await print('smallest call about the first customer', '/v1/ec/credit', MOST_MS);
    await print('list of the customers', '/v1/ec/me', 10 * MOST_MS);
  } finally {
    close();
  }
}
