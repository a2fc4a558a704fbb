import type { Tx } from '../apps/api/src/db/database.ts';
import { type Sql, sql } from '../apps/api/src/db/sql.ts';
import { startBulkServer } from './bulk/server.ts';
import { Connection } from './signin/connection.ts';
import { printFigure, quantile } from './support/figure.ts';

/**
 * What needs a person now, and the money of the day, of a reseller with 100,000 payments today (TODAY_PAYMENTS) and as many on the
 * same day of the month before, by HTTP, beside the sums alone on a bare connection. One in a hundred needs review, one in twenty
 * was declined. About a minute.
 */
const PAYMENTS = Number(process.env['TODAY_PAYMENTS'] || 100_000);
const EACH = 50;
const MOST_MS = { today: 100, money: 50 };
const CUSTOMERS = 1_000;

const server = await startBulkServer();
const { db } = server;
const key = await server.addReseller(1);
const customer = sql.raw("('00000000-c000-7000-8000-' || lpad(to_hex(1 + n % 1000), 12, '0'))::uuid");
const id = (kind: string) =>
  sql.raw(
    `(substr(t.at, 1, 8) || '-' || substr(t.at, 9, 4) || '-7${kind}-8000-' || lpad(to_hex(n), 12, '0'))::uuid`,
  );

/** All payments of a day, at one moment of it. @param inReview what became of those that needed review */
async function payOn(tx: Tx, moment: Sql, inReview: 'needsReview' | 'declined'): Promise<void> {
  // Ids begin with their moment, as those that the product makes.
  const at = sql`(select ${moment} as moment, lpad(to_hex((extract(epoch from ${moment}) * 1000)::bigint), 12, '0') as at) t`;
  await tx.execute(sql`
    with paid as (
      insert into attempt (customer_id, id, session_id, reseller_id, gateway_account_id, gateway, direction, ref,
                           request_digest, kind, initiator, currency, amount_minor, state, labels, return_to, sent_at,
                           last_sent_at, updated_at)
      select ${customer}, ${id('a00')}, gen_random_uuid(), 1, g.id, 'stripe', 'charge', upper(substr(t.at, 7)) || upper(to_hex(n)),
             '', 'card', 'customer', case when n % 3 = 0 then 'NZD' else 'AUD' end, 5000,
             case when n % 100 = 0 then ${inReview} when n % 20 = 1 then 'declined' else 'succeeded' end, '{}', '/',
             t.moment, t.moment, t.moment
        from generate_series(1, ${PAYMENTS}) n cross join gateway_account g cross join ${at} returning *)
    insert into capture (customer_id, id, attempt_id, gateway_account_id, remote, currency, amount_minor, to_invoices_minor,
                         to_fee_minor, to_credit_minor, at)
    select customer_id, id, id, gateway_account_id, ref, currency, amount_minor, amount_minor, 0, 0, sent_at
      from paid where state = 'succeeded'`);
}

async function fill(): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`
      insert into customer (customer_id, reseller_id, label)
      select ${customer}, 1, 'Customer ' || n from generate_series(0, ${CUSTOMERS - 1}) n`);
    await tx.execute(
      sql`insert into gateway_account (id, reseller_id, gateway) values (gen_random_uuid(), 1, 'stripe')`,
    );
    await payOn(tx, sql`now() - interval '1 month'`, 'declined');
    await payOn(tx, sql`now()`, 'needsReview');
  });
  await db.execute(sql`vacuum analyze`);
}

/** What was captured from the beginning of a day until that moment. */
const sumsSince = (moment: Sql) =>
  db.many(sql`
    select currency, count(*), sum(amount_minor) from capture
     where at >= date_trunc('day', ${moment}) and at < ${moment}
       and gateway_account_id = (select id from gateway_account) group by currency`);

async function timesOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let n = 0; n < EACH; n += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return times.slice(5);
}

try {
  await fill();
  const get = (connection: Connection, path: string) => async () => {
    const { status, body } = await connection.send({ method: 'GET', path: `/v1/admin/${path}`, token: key });
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body}`);
    return body;
  };
  const bare = {
    today: () =>
      db.many(sql`
        select currency, count(*), sum(amount_minor) from attempt
         where reseller_id = 1 and is_open and state = 'needsReview' group by currency`),
    money: () => Promise.all([sumsSince(sql`now()`), sumsSince(sql`now() - interval '1 month'`)]),
  };
  for (const path of ['today', 'money'] as const) {
    const best = await timesOf(bare[path]);
    // The server closes one that asks nothing for long.
    const connection = await Connection.open(Number(new URL(server.url).port));
    const own = await timesOf(get(connection, path));
    connection.close();
    for (const share of [0.5, 0.95])
      printFigure({
        bench: 'today',
        figure: `${path}, ${PAYMENTS} payments, p${share * 100} (the sums alone ${quantile(best, share).toFixed(1)} ms)`,
        value: quantile(own, share),
        unit: 'ms',
        limit: MOST_MS[path],
        isMost: true,
      });
  }
} finally {
  await server.stop();
}
