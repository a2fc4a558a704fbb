import { createHash } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { mergeUsage, type UsageThings, usageThings } from '../../../test/fixtures/usage/usage-records.ts';

const fixture = useFixture();
type Person = Awaited<ReturnType<typeof signedIn>>;
const late: { person?: Person; things?: UsageThings; port?: number } = {};
const person = () => late.person as Person;
const things = () => late.things as UsageThings;
/** More than buffers hold on the way to a reader who does not read. */
const RECORDS = 50_000;
/** Of the text that each of them has (see `repeat`). */
const LEAST_BYTES = RECORDS * 700;
const parameters = { startDate: '2026-01-01 00:00:00', endDate: '2026-01-31 23:59:59', byteOrderMark: false };

beforeAll(async () => {
  late.person = await signedIn(fixture);
  const { customer, reseller } = person();
  late.things = await usageThings(fixture, { customerId: customer.id, resellerId: reseller.id }, 4);
  const { recordTypes, agreements, serviceItems } = things();
  await mergeUsage(fixture, [
    {
      customerId: customer.id,
      at: '2026-01-01T00:00:00Z',
      agreementId: agreements[0],
      recordTypeId: recordTypes[0],
      serviceItemId: serviceItems[0],
      number: '',
      third: '',
      units: '1',
      price: '1',
    },
  ]);
  const pool = fixture.database.pool();
  await pool.query(
    `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id,
       service_item2, service_item3, units, price, content_hash)
     select $1, '2026-01-01T00:00:01Z'::timestamptz + n * interval '53 seconds', gen_random_uuid(), $2, $3, $4, 'x',
            repeat('long ', 140), n, 1, 1 from generate_series(1, $5) n`,
    [customer.id, agreements[0], recordTypes[0], serviceItems[0], RECORDS - 1],
  );
  await pool.query(
    `insert into usage_day (customer_id, day, n, units, price)
     select customer_id, (started_at at time zone 'UTC')::date, count(*), 0, 0 from usage_record where customer_id = $1
      group by 1, 2 on conflict (customer_id, day) do update set n = excluded.n`,
    [customer.id],
  );
  await fixture.app.listen({ port: 0, host: '127.0.0.1' });
  late.port = (fixture.app.server.address() as AddressInfo).port;
});

const asked = new Set<IncomingMessage>();
// A test that failed holds up none of those after it.
afterEach(() => {
  for (const answer of asked) answer.destroy();
  asked.clear();
});

/** Asks for the file and reads nothing of it yet. */
function ask(who = person()): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { ...who.headers, 'content-type': 'application/json' };
    const path = '/v1/ec/usage/download';
    const answered = (answer: IncomingMessage) => {
      asked.add(answer);
      resolve(answer);
    };
    httpRequest({ method: 'POST', port: late.port, path, headers, agent: false }, answered)
      .on('error', reject)
      .end(JSON.stringify(parameters));
  });
}

async function read(answer: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of answer) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

const exporting = async (how = "state <> 'idle'"): Promise<number> => {
  const { rows } = await fixture.database
    .pool()
    .query(
      `select from pg_stat_activity where application_name = 'exports' and datname = current_database() and ${how}`,
    );
  return rows.length;
};

/** How many bytes the server has taken from its database on the connections of exports, from now on. */
function bytesTaken(): () => number {
  const before = new Map<Socket, number>();
  fixture.deps.databases.exports.pool.on('acquire', (client) => {
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    if (!before.has(stream)) before.set(stream, stream.bytesRead);
  });
  return () => [...before].reduce((sum, [stream, bytes]) => sum + stream.bytesRead - bytes, 0);
}

/** All connections are back, and none of them does anything. */
const isQuiet = () =>
  vi.waitFor(
    async () => {
      const { pool } = fixture.deps.databases.exports;
      expect([pool.totalCount - pool.idleCount, pool.waitingCount, await exporting()]).toEqual([0, 0, 0]);
    },
    { timeout: 5_000, interval: 20 },
  );

/** A second connection reads along; not on Citus, where its moment would be another. */
const READERS = clusterUrl() === undefined ? 2 : 1;
const allRead = () =>
  vi.waitFor(async () => expect(await exporting()).toBe(READERS), { timeout: 5_000, interval: 5 });

const count = (text: string): number => text.split('\r\n').length - 2;

describe('a long file', () => {
  it('is read in parts, and is in order and whole', async () => {
    const answer = await ask();
    await allRead();
    const text = await read(answer);
    const { rows } = await fixture.database
      .pool()
      .query<{ units: string }>(
        'select trim_scale(units)::text as units from usage_record order by started_at, id',
      );
    const units = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[6]);
    expect(units).toEqual(rows.map((row) => row.units));
    await isQuiet();
  });

  it('is of one moment: what two imports bring meanwhile is in none of it', async () => {
    const { pool } = fixture.deps.databases.exports;
    const connect = pool.connect.bind(pool) as () => ReturnType<typeof pool.connect>;
    const imported = Promise.withResolvers<void>();
    // The second connection comes when the imports are over: its moment is still the first one's.
    const spy = vi.spyOn(pool, 'connect').mockImplementationOnce(connect as never);
    spy.mockImplementationOnce((async () => {
      await imported.promise;
      return connect();
    }) as never);
    const answer = await ask();
    const { customer } = person();
    const { agreements, recordTypes, serviceItems } = things();
    const bring = (day: string) =>
      mergeUsage(fixture, [
        ...['05', '28'].map((other) => ({
          customerId: customer.id,
          at: `2026-01-${other}T12:00:00Z`,
          agreementId: agreements[0],
          recordTypeId: recordTypes[0],
          serviceItemId: serviceItems[1] ?? '',
          number: `new ${day}`,
          third: '',
          units: '1',
          price: null,
        })),
      ]);
    await Promise.all([bring('a'), bring('b')]);
    imported.resolve();
    await allRead();
    const text = await read(answer);
    expect(spy).toHaveBeenCalledTimes(READERS);
    spy.mockRestore();
    expect([count(text), text.includes('new ')]).toEqual([RECORDS, false]);
    const after = await read(await ask());
    expect([count(after), after.match(/new /g)?.length]).toEqual([RECORDS + 4, 4]);
    await fixture.database.pool().query("delete from usage_record where service_item2 like 'new %'");
  });

  it('waits for its reader, and its statements end when the reader goes away', async () => {
    const taken = bytesTaken();
    const answer = await ask();
    await allRead();
    // What the kernel holds between the two is not bounded here: the database may have sent all of it.
    await vi.waitFor(
      async () => {
        const before = taken();
        await sleep(500);
        expect(taken()).toBe(before);
      },
      { timeout: 15_000 },
    );
    expect(taken()).toBeGreaterThan(0);
    expect(taken()).toBeLessThan(LEAST_BYTES / 2);
    expect(await exporting()).toBe(READERS);
    answer.destroy();
    await isQuiet();
    expect(count(await read(await ask()))).toBe(RECORDS);
  });

  it('is given up where its reader goes away before the first row', async () => {
    const pool = fixture.database.pool();
    const holder = await pool.connect();
    await holder.query('begin; lock table record_type in access exclusive mode');
    const abort = new AbortController();
    const asked = fetch(`http://127.0.0.1:${late.port}/v1/ec/usage?dateFrom=2026-01-01&dateTo=2026-01-31`, {
      headers: person().headers,
      signal: abort.signal,
    }).catch((error: Error) => error.name);
    await vi.waitFor(async () => expect(await exporting()).toBeGreaterThan(0), { timeout: 5_000 });
    abort.abort();
    expect(await asked).toBe('AbortError');
    await isQuiet();
    await holder.query('rollback');
    holder.release();
    expect(count(await read(await ask()))).toBe(RECORDS);
  });

  it('is seen to be broken when the database fails on the way', async () => {
    const answer = await ask();
    await allRead();
    const { rows } = await fixture.database
      .pool()
      .query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'exports' and datname = current_database()",
      );
    expect(rows.length).toBeGreaterThan(0);
    await expect(read(answer)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await isQuiet();
    const digest = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(digest(await read(await ask()))).toBe(digest(await read(await ask())));
  });

  it('is refused to a customer who has two on the way, not to another one; a place is free again afterwards', async () => {
    const [first, second] = [await ask(), await ask()];
    const refused = await ask();
    const problem = JSON.parse(await read(refused));
    expect([refused.statusCode, problem.code, refused.headers['retry-after']]).toEqual([
      429,
      'usage.tooManyExports',
      '10',
    ]);
    const other = await signedIn(fixture);
    expect(count(await read(await ask(other)))).toBe(0);
    first.destroy();
    expect(count(await read(second))).toBe(RECORDS);
    await isQuiet();
    expect((await ask().then(read)).length).toBeGreaterThan(0);
  });
});
