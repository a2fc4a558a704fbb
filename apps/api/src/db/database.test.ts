import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { useDatabase } from '@counterfoil/testing/database.ts';
import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Database, DatabaseUnavailable, isUniqueViolation } from './database.ts';
import { sql, sqlOnce } from './sql.ts';

const server = useDatabase();
const open: { end(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.allSettled(open.splice(0).map((one) => one.end()));
});

function connect(url = server.url, statementTimeoutMs = 5_000): Database {
  const db = new Database({ url, name: 'test', max: 2, statementTimeoutMs });
  open.push(db);
  return db;
}

/** A proxy that can swallow everything, as a network that drops packets does. */
async function blackHole(target: URL) {
  const { connect: dial } = await import('node:net');
  const state = { swallow: false };
  const sockets = new Set<Socket>();
  const proxy = createServer((near) => {
    const far = dial(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => {
        if (!state.swallow) to.write(bytes);
      });
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const url = new URL(target);
  // Else it would lead to the server's own socket, past this proxy.
  url.searchParams.delete('host');
  url.port = String((proxy.address() as AddressInfo).port);
  open.push({
    async end() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  });
  return { url: url.href, state };
}

describe('values', () => {
  it('keeps money as bigint, quantities and days as text [decisions.10.minor-units]', async () => {
    const row = await connect().one(
      sql`select 9007199254740993::bigint as n, 1.100000::numeric as q, '2026-03-01'::date as d`,
    );
    expect(row).toEqual({ n: 9007199254740993n, q: '1.100000', d: '2026-03-01' });
  });

  it('keeps values out of the statement', async () => {
    const hostile = "'; drop table reseller; --";
    expect(await connect().one(sql`select ${hostile}::text as t`)).toEqual({ t: hostile });
  });
});

describe('transactions', () => {
  it('commit what they return from and undo what throws', async () => {
    const db = connect();
    await db.transaction((tx) => tx.execute(sql`insert into reseller (id, name) values (1, 'kept')`));
    await expect(
      db.transaction(async (tx) => {
        await tx.execute(sql`insert into reseller (id, name) values (2, 'undone')`);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await db.many(sql`select id from reseller`)).toEqual([{ id: 1 }]);
  });

  it('do nothing beside themselves where they cannot begin, also after that was passed over', async () => {
    const db = connect();
    const insert = (id: number) => sql`insert into reseller (id, name) values (${id}, 'outside')`;
    // One after the other, so on the only connection there is.
    await db.execute(sql`deallocate all`);
    const begin = db.transaction(async (tx) => {
      await tx.execute(insert(3)).catch(() => undefined);
      await tx.execute(insert(4));
    });
    await expect(begin).rejects.toThrow('"counterfoil_begin" does not exist');
    expect(await db.many(sql`select id from reseller where name = 'outside'`)).toEqual([]);
  });

  it('send what is asked at once in one message, each answered by itself and in its order', async () => {
    const db = connect();
    const sent = vi.spyOn(pg.Client.prototype, 'query');
    const insert = (id: number) => sql`insert into reseller (id, name) values (${id}, 'at once')`;
    const answers = await db.transaction((tx) =>
      Promise.all([
        tx.execute(insert(5)),
        tx.many(sqlOnce`select id from reseller where id >= ${5} order by id`),
        tx.execute(insert(6)),
        tx.maybeOne(sqlOnce`select id from reseller where id = ${7}`),
        tx.many(sqlOnce`select id from reseller where id >= ${5} order by id`),
      ]),
    );
    const messages = sent.mock.calls.length;
    sent.mockRestore();
    expect(answers).toEqual([1, [{ id: 5 }], 1, undefined, [{ id: 5 }, { id: 6 }]]);
    // Beside the two that set up a connection, and the commit.
    expect(messages).toBe(4);
  });

  const circle: Record<string, unknown> = {};
  circle['again'] = circle;
  it.each([
    [
      'the database refuses',
      () => sqlOnce`insert into reseller (id, name) values (${1}, 'again')`,
      'reseller_pkey',
    ],
    ['cannot be read', () => sql`select ${1}::int frm reseller`, 'syntax error'],
    ['has a value that cannot be sent', () => sqlOnce`select ${circle}::jsonb`, 'circular'],
  ])('carry out nothing that was asked with a statement before it which %s', async (_what, bad, words) => {
    const db = connect();
    const name = sqlOnce`select name from reseller where id = ${1} and name <> 'never'`;
    const insert = sql`insert into reseller (id, name) values (8, 'after a fault')`;
    // Whoever passes over the faults commits what there is.
    const answers = await db.transaction((tx) =>
      Promise.allSettled([
        tx.one(sql`select name from reseller where id = ${1}`),
        tx.one(bad()),
        tx.one(name),
        tx.execute(insert),
      ]),
    );
    const told = answers.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason)));
    const fault = expect.stringContaining(words);
    expect(told).toEqual([{ name: 'kept' }, fault, fault, fault]);
    // The connection is as it was, and knows which statements it has read.
    expect(await Promise.all([db.one(name), db.one(name)])).toEqual([{ name: 'kept' }, { name: 'kept' }]);
    expect(await db.transaction((tx) => Promise.all([tx.one(name), tx.one(name)]))).toHaveLength(2);
    expect(await db.maybeOne(sql`select 1 from reseller where id = 8`)).toBeUndefined();
  });

  it('take nothing after their end', async () => {
    const db = connect();
    const over = await db.transaction(async (tx) => {
      await tx.one(sql`select 1`);
      return { tx };
    });
    const late = over.tx.execute(sql`insert into reseller (id, name) values (9, 'late')`);
    await expect(late).rejects.toThrow('after the end of its transaction');
    expect(await db.maybeOne(sql`select 1 from reseller where id = 9`)).toBeUndefined();
  });

  it('tell a broken unique key from other faults', async () => {
    const error: unknown = await connect()
      .transaction((tx) => tx.execute(sql`insert into reseller (id, name) values (1, 'again')`))
      .catch((caught: unknown) => caught);
    expect([isUniqueViolation(error), isUniqueViolation(error, 'other')]).toEqual([true, false]);
  });

  it.each([
    ['its own', 'reseller_pkey', ''],
    [
      'a spread table’s, by its own words',
      undefined,
      'duplicate key value violates unique constraint "reseller_pkey_102008"',
    ],
    ['a spread table’s', 'reseller_pkey_102008', ''],
  ])('is known by its name: %s', (_whose, constraint, message) => {
    const error = Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '23505', constraint });
    expect([isUniqueViolation(error, 'reseller_pkey'), isUniqueViolation(error, 'reseller_pkey_1')]).toEqual([
      true,
      false,
    ]);
  });
});

describe('a database that does not answer', () => {
  it('ends a statement that takes too long, and goes on with the next', async () => {
    const db = connect(server.url, 200);
    await expect(db.many(sql`select pg_sleep(5)`)).rejects.toThrow(DatabaseUnavailable);
    expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 });
  });

  it('survives connections cut from the other side', async () => {
    const db = connect();
    await db.one(sql`select 1 as one`);
    await server
      .pool()
      .query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test'");
    const answers = [];
    for (let n = 0; n < 3; n += 1)
      answers.push(await db.one(sql`select 1 as one`).catch((error: unknown) => error));
    expect(answers.at(-1)).toEqual({ one: 1 });
    for (const answer of answers) {
      if (answer instanceof Error) expect(answer).toBeInstanceOf(DatabaseUnavailable);
    }
  });

  it('says so when nothing listens', async () => {
    await expect(connect('postgres://x:y@127.0.0.1:1/none').one(sql`select 1`)).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      message: 'the database cannot be reached',
    });
  });

  it('gives up on a black hole and works again when it is gone', async () => {
    const hole = await blackHole(new URL(server.url));
    const db = connect(hole.url, 300);
    expect(await db.one(sql`select 1 as one`)).toEqual({ one: 1 });
    hole.state.swallow = true;
    await expect(db.one(sql`select 2 as two`)).rejects.toThrow(DatabaseUnavailable);
    hole.state.swallow = false;
    expect(await db.one(sql`select 3 as three`)).toEqual({ three: 3 });
  });
});

describe('transactions that stand in each other’s way', () => {
  const inTheWay = { name: 'DatabaseUnavailable', message: "two transactions stood in each other's way" };
  const ends = (both: readonly Promise<unknown>[]) =>
    Promise.allSettled(both).then((all) =>
      all.map((one) => (one.status === 'rejected' ? one.reason : 'done')),
    );
  /** Each transaction goes on when the other one has got as far, however slow the machine is. */
  const bothThere = () => {
    const met = Promise.withResolvers<void>();
    let missing = 2;
    return () => {
      missing -= 1;
      if (missing === 0) met.resolve();
      return met.promise;
    };
  };

  it('a deadlock can be tried again, and undoes all of its own', async () => {
    const db = connect();
    // Of a table that each machine has whole, Citus would have only one of the two there.
    await server.pool().query('create table berth (id int primary key, name text)');
    await server.pool().query("insert into berth values (70, 'a'), (71, 'b')");
    const arrive = bothThere();
    const rename = (first: number, second: number) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`update berth set name = ${`by ${first}`} where id = ${first}`);
        await arrive();
        await tx.execute(sql`update berth set name = ${`by ${first}`} where id = ${second}`);
      });
    const told = await ends([rename(70, 71), rename(71, 70)]);
    expect(told).toEqual(expect.arrayContaining(['done', expect.objectContaining(inTheWay)]));
    const names = await db.many<{ name: string }>(sql`select name from berth where id in (70, 71)`);
    expect(new Set(names.map(({ name }) => name)).size).toBe(1);
  });

  it('what could not be put in an order can be tried again', async () => {
    const db = connect();
    await db.transaction((tx) => tx.execute(sql`insert into reseller (id, name) values (80, 'a')`));
    const arrive = bothThere();
    const rename = () =>
      db.transaction(
        async (tx) => {
          await tx.one(sql`select name from reseller where id = 80`);
          await arrive();
          await tx.execute(sql`update reseller set name = name || '!' where id = 80`);
        },
        { isolation: 'repeatable read' },
      );
    const told = await ends([rename(), rename()]);
    expect(told).toEqual(expect.arrayContaining(['done', expect.objectContaining(inTheWay)]));
    expect(await db.one(sql`select name from reseller where id = 80`)).toEqual({ name: 'a!' });
  });
});
