import { sql } from '../../apps/api/src/db/sql.ts';
import { sumAccount } from '../../apps/api/src/features/statement/account-sums.ts';
import { printFigure, quantile } from '../support/figure.ts';
import { reader, timesOf } from './measure.ts';
import { type LargeWorld, sizes } from './world.ts';

const MOST_MS = 15;
/** A day of the running account: what it takes is what stands before it. */
const DAY = 'dateFrom=2026-06-01&dateTo=2026-06-01';

/** The opening balance and the statement of a day, when the worker has summed the account up. */
export async function statements(world: LargeWorld): Promise<void> {
  const { customerId } = world;
  const { db } = world.server;
  await db.execute(sql`
    insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
    select customer_id, gen_random_uuid(), 'gateway', 'receivable', currency, payable_minor, 'capture', id, 'invoice',
           issued_on + interval '10 days 10 hours'
      from invoice where customer_id = ${customerId} and kind = 'invoice' and payable_minor > 0`);
  await sumAccount(db, customerId);
  await db.execute(sql`vacuum analyze`);
  const { get, close } = await reader(world);
  try {
    for (const [what, path] of [
      ['opening balance', '/v1/ec/opening-balance'],
      ['statement of a day', `/v1/ec/statement?${DAY}`],
    ] as const)
      printFigure({
        bench: 'large',
        figure: `${what}, ${sizes.invoices} invoices and as many payments, p50`,
        value: quantile(await timesOf(() => get(path)), 0.5),
        unit: 'ms',
        limit: MOST_MS,
        isMost: true,
      });
  } finally {
    close();
  }
}
