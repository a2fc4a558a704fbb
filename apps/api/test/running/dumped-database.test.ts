import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { useDatabase } from '@counterfoil/testing/database.ts';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { migrate } from '../../src/db/migrate.ts';
import { refundPayment } from '../../src/features/payments/refunds/refund.ts';
import { signInAt } from '../access-matrix/tenants.ts';
import { migrationsBefore } from '../fixtures/earlier-migrations.ts';
import { brokenRules } from '../fixtures/paying/books.ts';
import { useFixture } from '../fixtures/test-fixture.ts';

/**
 * Data as the version with 40 migrations wrote it: a customer with two paid invoices, one of them refunded in part, one whose
 * charge was taken but whose answer was lost, one open, and one paid in bulk with a saved card; and one of everything else.
 * A line a table, after a line with the names of the rows.
 */
const DUMP = join(import.meta.dirname, 'before-0041.jsonl');

const tableLine = z.object({
  table: z.string(),
  columns: z.array(z.string()),
  rows: z.array(z.record(z.string(), z.unknown())),
});
const firstLine = z.object({ names: z.record(z.string(), z.union([z.string(), z.number()])) });

const [first = '', ...lines] = readFileSync(DUMP, 'utf8').trim().split('\n');
const { names } = z.parse(firstLine, JSON.parse(first));
const tables = lines.map((line) => z.parse(tableLine, JSON.parse(line)));
const name = (key: string): string => String(names[key]);

const common = useDatabase();
let url = '';
let pool: pg.Pool | undefined;
const database = {
  get url() {
    return url;
  },
  pool() {
    if (pool === undefined) {
      pool = new pg.Pool({ connectionString: url, max: 4 });
      // The database goes with its server.
      pool.on('error', () => undefined);
    }
    return pool;
  },
};

/** Loads the dump into a database of its version. Keys are as they were dumped, so that the order of tables is free. */
async function load(): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(
      `create table usage_record_2026_01 partition of usage_record for values from ('2026-01-01') to ('2026-02-01')`,
    );
    for (const { table, columns, rows } of tables) {
      const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
      const into = pg.escapeIdentifier(table);
      await client.query(
        `insert into ${into} (${list}) select ${list} from json_populate_recordset(null::${into}, $1)
           on conflict do nothing`,
        [JSON.stringify(rows)],
      );
    }
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  url = await common.emptyBeside();
  await migrate(url, await migrationsBefore('0041'));
  await load();
  await migrate(url);
});

const fixture = useFixture({ database, secretKey: 'ab'.repeat(32) });

const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await database.pool().query(text, values)).rows as T[];

const invoiceOf = async (key: string) =>
  (
    await rows<{ status: number; due: string }>(
      'select status, due_minor::text as due from invoice where customer_id = $1 and id = $2',
      [name('customerId'), name(key)],
    )
  )[0];

const chargesOf = async (key: string) =>
  (
    await rows<{ n: string }>(
      `select count(*)::text as n from allocation where customer_id = $1 and invoice_id = $2`,
      [name('customerId'), name(key)],
    )
  )[0]?.n;

describe('a database of the version before 0041, with its data', () => {
  it('is migrated whole: every row is there, and the books are right', async () => {
    const renamed: Readonly<Record<string, string>> = { method_saving: 'method_setup' };
    const counted = await Promise.all(
      tables.map(async ({ table, rows: dumped }) => {
        const now = renamed[table] ?? table;
        const [found] = await rows<{ n: number }>(
          `select count(*)::int as n from ${pg.escapeIdentifier(now)}`,
        );
        return [now, dumped.length - (found?.n ?? 0)] as const;
      }),
    );
    expect(counted.filter(([, missing]) => missing > 0)).toEqual([]);
    expect(await brokenRules(database.pool())).toEqual({});
  });

  it('finds out about the charge whose answer was lost, and books it once', async () => {
    expect(await invoiceOf('lost')).toEqual({ status: 10, due: '11000' });
    fixture.gateway.onLookup = async (charge) => fixture.gateway.take(charge);
    const info = await fixture.app.inject({ url: `/v1/ec/payment/details/${name('lostToken')}` });
    expect(info.json().data).toMatchObject({ attempt: { status: 'processing', reference: name('lostRef') } });
    fixture.clock.advance(24 * 60 * 60_000);
    await fixture.app.inject({ url: `/v1/ec/payment/details/${name('lostToken')}` });
    await expect.poll(() => invoiceOf('lost')).toEqual({ status: 11, due: '0' });
    expect(await chargesOf('lost')).toBe('1');
  });

  it('is paid: by the link that was mailed, and with the card that was saved', async () => {
    const link = await fixture.app.inject({
      method: 'POST',
      url: '/v1/ec/pay',
      payload: {
        uid: name('openToken'),
        invoiceAmount: '110.00',
        invoiceNumber: name('openNumber'),
        cardToken: 'tok_new',
      },
    });
    expect(link.json().data).toMatchObject({ status: 'succeeded' });
    expect(await invoiceOf('open')).toEqual({ status: 11, due: '0' });

    const { access_token: token } = await signInAt(fixture, name('userId'), 'test');
    const call = (path: string, payload: object) =>
      fixture.app.inject({
        method: 'POST',
        url: `/v1/ec/payments/${path}`,
        payload,
        headers: { authorization: `Bearer ${token}` },
      });
    const intent = await call('intents', { invoiceIds: [name('bulk')] });
    const body = { uid: intent.json().data.sessionId, cardId: name('card') };
    expect((await call('pay/bulk', body)).json().data).toMatchObject({ status: 'succeeded' });
    expect(await invoiceOf('bulk')).toEqual({ status: 11, due: '0' });
  });

  it('refunds the rest of a payment that was refunded in part', async () => {
    const asked: bigint[] = [];
    fixture.gateway.onRefund = async (refund) => {
      asked.push(refund.of.refundedBefore.minor, refund.amount.minor);
      return { is: 'succeeded', remote: remoteId(`b_${refund.ref}`), captured: refund.amount, state: {} };
    };
    const { attempt } = await refundPayment(fixture.engine, {
      customerId: name('customerId'),
      captureId: name('refundedCapture'),
      minor: undefined,
      by: 'op',
      note: 'paid twice',
      key: { by: 'caller', key: '2' },
    });
    expect(attempt.state).toBe('succeeded');
    expect(asked).toEqual([1_000n, 10_000n]);
    expect(await brokenRules(database.pool())).toEqual({});
  });
});
