import { useDatabase } from '@counterfoil/testing/database.ts';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { afterEach, expect, it } from 'vitest';
import { Database } from './database.ts';
import { inIndexOrder } from './index-order.ts';
import { sql } from './sql.ts';

const server = useDatabase();
const open: Database[] = [];
afterEach(() => Promise.all(open.splice(0).map((db) => db.end())));

/** All of a test happens on one connection. */
const connect = (): Database => {
  const db = new Database({ url: server.url, name: 'test', max: 1, statementTimeoutMs: 5_000 });
  open.push(db);
  return db;
};

const settings = (value = 1) => sql<{ plans: string; sorts: string }>`
  select current_setting('plan_cache_mode') as plans, current_setting('enable_sort') as sorts where ${value}::int > 0`;
const usual = { plans: 'auto', sorts: 'on' };
const ofWalks = { plans: clusterUrl() === undefined ? 'force_generic_plan' : 'auto', sorts: 'off' };

it('sets how a walk is planned for its own statement alone, also when it fails', async () => {
  const db = connect();
  expect(await db.one(inIndexOrder(settings()))).toEqual(ofWalks);
  expect(await db.one(settings())).toEqual(usual);
  await expect(db.one(inIndexOrder(sql`select 1 / ${0}::int`))).rejects.toThrow('division by zero');
  expect(await db.one(settings())).toEqual(usual);
});

it.skipIf(clusterUrl() !== undefined)('plans it once, whatever the values', async () => {
  const db = connect();
  for (let n = 1; n <= 3; n += 1) await db.one(inIndexOrder(settings(n)));
  expect(
    await db.many(sql`select generic_plans::int as kept, custom_plans::int as others from pg_prepared_statements
                       where statement like '%plan_cache_mode%' and statement like '%::int > 0%'`),
  ).toEqual([{ kept: 3, others: 0 }]);
});

it('leaves a transaction as it is', async () => {
  const db = connect();
  await db.transaction(async (tx) => {
    expect(await tx.one(inIndexOrder(settings()))).toEqual(usual);
    expect(await tx.one(settings())).toEqual(usual);
  });
  expect(
    await db.one(
      sql`select count(*)::int as n from pg_prepared_statements where statement like '%::int > 0%'`,
    ),
  ).toEqual({ n: 0 });
});
