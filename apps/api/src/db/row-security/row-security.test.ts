import { randomUUID } from 'node:crypto';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { type CustomerSeed, factories } from '@counterfoil/testing/factories.ts';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readSnapshot } from '../cursor.ts';
import { Database, type Db } from '../database.ts';
import { sql, sqlOnce } from '../sql.ts';
import { tableClasses } from '../table-classes.ts';
import { asOwner, forCustomer } from './for-customer.ts';
import { readRowSecurity, setUpRowSecurity } from './set-up.ts';

const database = useDatabase();
const open = (url = database.url) =>
  new Database({ url, name: 'row security', max: 1, statementTimeoutMs: 10_000 });

const poolsOf = (db: Database) => ({ web: db, exports: db, jobs: db });

/** One connection for all: whatever stayed on it would be seen. */
let db: Database;
let [mine, others]: CustomerSeed[] = [];
const idOf = (customer: CustomerSeed | undefined): string => customer?.id ?? '';

beforeAll(async () => {
  db = open();
  const make = factories(database.pool());
  const reseller = await make.reseller();
  [mine, others] = [
    await make.customer({ resellerId: reseller.id }),
    await make.customer({ resellerId: reseller.id }),
  ];
  for (const { id, resellerId } of [mine, others]) await make.invoice({ customerId: id, resellerId });
  await setUpRowSecurity(poolsOf(db));
});
afterAll(() => db.end());

const count = sql<{ n: number }>`select count(distinct customer_id)::int as n from invoice`;
const countOnce = () => sqlOnce<{ n: number }>`select count(distinct customer_id)::int as n from invoice`;
const seenBy = async (on: Db, query = count) => (await on.one(query)).n;
const relabel = (customer: CustomerSeed | undefined) =>
  sql`update customer set label = 'changed' where customer_id = ${idOf(customer)}`;

describe.skipIf(clusterUrl() !== undefined)('work for a customer', () => {
  it('meets every table of customers’ rows with nothing of others in it, and nothing at all without a customer', async () => {
    const tables = Object.keys(tableClasses).filter((name) => tableClasses[name] === 'distributed');
    const rowsAs = async (customerId: string) => {
      const rows = [];
      for (const table of tables)
        rows.push(
          ...(await forCustomer(customerId, () =>
            db.many(
              sql<{
                table: string;
              }>`select ${table} as table from ${sql.id(table)} where customer_id is distinct from ${idOf(mine)}`,
            ),
          )),
        );
      return rows;
    };
    expect(await rowsAs(idOf(mine))).toEqual([]);
    expect(await rowsAs('')).toEqual([]);
    expect((await rowsAs(idOf(others))).map(({ table }) => table)).toContain('invoice');
    expect(await readRowSecurity(db)).toEqual({ is: 'on' });
  });

  it('sees and changes its own rows alone, in whatever way it asks', async () => {
    await forCustomer(idOf(mine), async () => {
      expect(await seenBy(db)).toBe(1);
      expect(await seenBy(db, countOnce())).toBe(1);
      expect(await db.execute(relabel(others))).toBe(0);
      expect(await db.execute(relabel(mine))).toBe(1);
      await db.transaction(async (tx) => {
        expect(await seenBy(tx)).toBe(1);
        expect(await tx.execute(relabel(others))).toBe(0);
      });
      expect(await readSnapshot(db, (snapshot) => seenBy(snapshot))).toBe(1);
      const given = sql`update invoice set customer_id = ${idOf(others)} where customer_id = ${idOf(mine)}`;
      await expect(db.execute(given)).rejects.toThrow('row-level security');
    });
  });

  it('leaves nothing of it on the connection, also after an error', async () => {
    const asMine = <T>(work: () => Promise<T>) => forCustomer(idOf(mine), work);
    const all = 2;
    await asMine(() => seenBy(db));
    expect(await seenBy(db)).toBe(all);
    await expect(asMine(() => db.many(sql`select 1 / 0`))).rejects.toThrow('division by zero');
    expect(await seenBy(db)).toBe(all);
    await expect(asMine(() => db.many(sql`no such statement`))).rejects.toThrow('syntax error');
    expect(await seenBy(db, countOnce())).toBe(all);
    await expect(asMine(() => db.many(sqlOnce`select nothing_of_that_name`))).rejects.toThrow(
      'does not exist',
    );
    await expect(asMine(() => db.many(sqlOnce`select nothing_of_that_name`))).rejects.toThrow(
      'does not exist',
    );
    await expect(asMine(() => db.transaction((tx) => tx.many(sql`select 1 / 0`)))).rejects.toThrow(
      'division',
    );
    expect(await seenBy(db)).toBe(all);
    await asMine(() => db.withConnection((client) => client.query('select 1')));
    expect(await seenBy(db)).toBe(all);
    await expect(
      asMine(() => db.withConnection(() => Promise.reject(new Error('broke off')))),
    ).rejects.toThrow('broke');
    expect(await seenBy(db)).toBe(all);
  });

  it('keeps to the customer after a statement of the owner, in a transaction and outside', async () => {
    const ofAll = () =>
      asOwner(sql<{ n: number }>`select count(distinct customer_id)::int as n from invoice`);
    await forCustomer(idOf(mine), async () => {
      expect(await seenBy(db, ofAll())).toBe(2);
      expect(await seenBy(db)).toBe(1);
      await db.transaction(async (tx) => {
        expect([
          await seenBy(tx),
          await seenBy(tx, ofAll()),
          await seenBy(tx, ofAll()),
          await seenBy(tx),
        ]).toEqual([1, 2, 2, 1]);
      });
    });
  });

  it('may not read what is of operators and programs', async () => {
    await forCustomer(idOf(mine), async () => {
      await expect(db.many(sql`select 1 from operator`)).rejects.toThrow('permission denied');
      await expect(db.many(sql`select 1 from api_key`)).rejects.toThrow('permission denied');
    });
  });
});

describe.skipIf(clusterUrl() !== undefined)('row-level security', () => {
  it('is set up again where something of it is missing', async () => {
    const admin = (text: string) => database.pool().query(text);
    const isSetUpAgain = async () => {
      expect(await setUpRowSecurity(poolsOf(db))).toEqual({ is: 'on' });
      expect(await readRowSecurity(db)).toEqual({ is: 'on' });
      expect(await forCustomer(idOf(mine), () => seenBy(db))).toBe(1);
    };
    await admin('alter table invoice disable row level security; drop policy rows_of_customer on attempt');
    const why = 'tables are not ready for it: attempt, invoice';
    expect(await readRowSecurity(db)).toEqual({ is: 'off', why });
    await isSetUpAgain();
    // As on servers where not everybody may look into every schema.
    await admin('revoke usage on schema public from public');
    expect(await readRowSecurity(db)).toEqual({
      is: 'off',
      why: 'counterfoil_customer may not use the schema',
    });
    await isSetUpAgain();
  });

  it('is set up by several that start at once', async () => {
    await database.pool().query(
      Object.keys(tableClasses)
        .map(
          (name) =>
            `revoke all on ${name} from counterfoil_customer; alter table ${name} disable row level security`,
        )
        .join(';'),
    );
    const starting = [open(), open(), open()];
    const done = await Promise.all(starting.map((one) => setUpRowSecurity(poolsOf(one))));
    await Promise.all(starting.map((one) => one.end()));
    expect(done).toEqual([{ is: 'on' }, { is: 'on' }, { is: 'on' }]);
  });

  it('is off with a reason where the role of the database may not set it up', async () => {
    const name = `limited_${randomUUID().slice(0, 8)}`;
    await database.pool().query(`create role ${name} login password 'x'`);
    const url = new URL(database.url);
    [url.username, url.password] = [name, 'x'];
    const limited = open(url.href);
    try {
      expect(await setUpRowSecurity(poolsOf(limited))).toEqual({
        is: 'off',
        why: expect.stringContaining('may not'),
      });
    } finally {
      await limited.end();
      await database.pool().query(`drop role ${name}`);
    }
  });
});
