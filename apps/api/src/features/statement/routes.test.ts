import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { statementRows } from '../../../test/fixtures/statement-rows.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const { post, bill, statement } = statementRows(fixture);

beforeAll(() => fixture.clock.set('2026-05-10T12:00:00Z'));

describe('GET /v1/ec/statement', () => {
  it('opens with what was owed before, lists what moved it, and closes with the sum', async () => {
    const person = await signedIn(fixture);
    const { id } = person.customer;
    await bill(person, 'S-1', '2026-02-01', 10_000n);
    await post(id, 'external', 'receivable', 4_000n, '2026-02-15T10:00:00Z');
    const march = await bill(person, 'S-2', '2026-03-01', 5_000n);
    await post(id, 'external', 'receivable', 6_000n, '2026-03-20T10:00:00Z');
    await bill(person, 'S-3', '2026-04-01', 1n);
    expect(await statement(person, '2026-03-01', '2026-03-31')).toMatchObject({
      currency: 'USD',
      currencies: ['USD'],
      opening: 60,
      closing: 50,
      billed: 50,
      paidAndCredited: -60,
      entries: [
        {
          kind: 'invoice',
          date: '2026-03-01',
          reference: 'S-2',
          invoiceId: march.id,
          amount: 50,
          balance: 110,
        },
        { kind: 'payment', date: '2026-03-20', invoiceId: null, amount: -60, balance: 50 },
      ],
    });
    // The next span opens where this one closed.
    expect(await statement(person, '2026-04-01', '2026-04-30')).toMatchObject({
      opening: 50,
      closing: 50.01,
    });
  });

  it('of thousands of entries is sent entry by entry and says the same', async () => {
    const person = await signedIn(fixture);
    await bill(person, 'L-1', '2026-03-01', 500_000n);
    const many = 1_100;
    await fixture.database.pool().query(
      `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
       select $1, id, 'external', 'receivable', 'USD', 1, 'external', id, 'x', '2026-03-05T00:00:00Z'
         from (select gen_random_uuid() as id from generate_series(1, $2::int)) ids`,
      [person.customer.id, many],
    );
    const path = '/v1/ec/statement?dateFrom=2026-03-01&dateTo=2026-03-31';
    const answer = await person.get(path);
    expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, undefined]);
    const { entries, ...rest } = answer.json().data;
    // What stands around the entries is what a span without them has, but for what they come to.
    const { entries: _, ...before } = (
      await person.get(path.replaceAll('-03-', '-02-').replace('-31', '-28'))
    ).json().data;
    expect(Object.keys(rest)).toEqual(Object.keys(before));
    expect(rest).toMatchObject({
      opening: 0,
      billed: 5_000,
      paidAndCredited: -11,
      closing: 4_989,
      currencies: ['USD'],
    });
    expect(rest.ageing).toEqual(before.ageing);
    expect(entries.map(({ balance }: { balance: number }) => balance)).toEqual(
      Array.from({ length: many + 1 }, (_, at) => (500_000 - at) / 100),
    );
    expect(
      new Set(
        entries.map(({ receiptOf, kind, ...entry }: Record<string, unknown>) => Object.keys(entry).length),
      ).size,
    ).toBe(1);
  });

  it('counts credit kept for the customer, and moving it to a bill changes nothing', async () => {
    const person = await signedIn(fixture);
    const { id } = person.customer;
    await bill(person, 'C-1', '2026-03-01', 5_000n);
    await post(id, 'gateway', 'customerCredit', 700n, '2026-03-02T00:00:00Z');
    await post(id, 'customerCredit', 'receivable', 200n, '2026-03-03T00:00:00Z');
    const { entries, closing, ageing } = await statement(person, '2026-03-01', '2026-03-31');
    expect([entries.length, closing, ageing.credit]).toEqual([2, 43, 5]);
  });

  it('never mixes currencies: the brand’s by default, another by choice [decisions.5.currency-not-mixed-balances]', async () => {
    const person = await signedIn(fixture);
    await bill(person, 'M-1', '2026-03-01', 5_000n);
    await bill(person, 'M-2', '2026-03-02', 900n, { currency: 'EUR' });
    const mine = await statement(person, '2026-03-01', '2026-03-31');
    expect([mine.currency, mine.currencies, mine.closing]).toEqual(['USD', ['EUR', 'USD'], 50]);
    expect(await statement(person, '2026-03-01', '2026-03-31', '&currency=EUR')).toMatchObject({
      closing: 9,
    });
  });

  it('what comes back on the day it was paid stands below the payment', async () => {
    const person = await signedIn(fixture);
    await bill(person, 'R-1', '2026-03-01', 5_000n);
    await post(person.customer.id, 'external', 'receivable', 5_000n, '2026-03-20T10:00:00Z');
    await fixture.database.pool().query(
      `insert into ledger (customer_id, id, debit, credit, currency, amount_minor, source, source_id, leg, at)
       values ($1, $2, 'receivable', 'gateway', 'USD', 5000, 'reversal', $2, 'x', '2026-03-20T11:00:00Z')`,
      [person.customer.id, randomUUID()],
    );
    const { entries, closing } = await statement(person, '2026-03-01', '2026-03-31');
    expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual([
      'invoice',
      'payment',
      'paymentReturned',
    ]);
    expect(closing).toBe(50);
  });

  it('leaves out void bills', async () => {
    const person = await signedIn(fixture);
    await bill(person, 'V-1', '2026-03-01', 5_000n, { status: 13 });
    expect(await statement(person, '2026-03-01', '2026-03-31')).toMatchObject({ entries: [], closing: 0 });
  });

  it('sorts what is open by how long it has been due', async () => {
    const person = await signedIn(fixture);
    const open = (number: string, dueOn: string | null, minor: bigint, over: object = {}) =>
      bill(person, number, '2026-01-01', minor, { dueOn, ...over });
    await open('A-1', '2026-05-10', 1n);
    await open('A-2', null, 2n);
    await open('A-3', '2026-05-09', 10n);
    await open('A-4', '2026-04-10', 20n);
    await open('A-5', '2026-04-09', 100n);
    await open('A-6', '2026-03-10', 1_000n);
    await open('A-7', '2026-02-08', 10_000n);
    await open('A-8', '2026-02-08', 5_000n, { status: 13 });
    const { ageing } = await statement(person, '2026-05-01', '2026-05-31');
    expect(ageing).toEqual({
      notDue: 0.03,
      days1To30: 0.3,
      days31To60: 1,
      days61To90: 10,
      over90: 100,
      total: 111.33,
      credit: 0,
    });
  });

  it('is empty for a customer with nothing, and refuses a reversed span and days that do not exist', async () => {
    const person = await signedIn(fixture);
    expect(await statement(person, '2026-03-01', '2026-03-31')).toMatchObject({
      opening: 0,
      entries: [],
      closing: 0,
    });
    const refused = await person.get('/v1/ec/statement?dateFrom=2026-03-02&dateTo=2026-03-01');
    expect([refused.statusCode, refused.json().code]).toEqual([400, 'usage.badRange']);
    for (const query of ['', '?dateFrom=2026-03-01', '?dateFrom=2026-02-30&dateTo=2026-03-01']) {
      expect((await person.get(`/v1/ec/statement${query}`)).statusCode).toBe(400);
    }
  });

  it('shows nothing of another customer', async () => {
    const [mine, other] = [await signedIn(fixture), await signedIn(fixture)];
    await bill(other, 'O-1', '2026-03-01', 5_000n);
    await post(other.customer.id, 'external', 'receivable', 10n, '2026-03-02T00:00:00Z');
    expect(await statement(mine, '2026-01-01', '2026-12-31')).toMatchObject({ entries: [], closing: 0 });
  });
});

describe('GET /v1/ec/opening-balance', () => {
  it('is what was owed at the start of the current month: positive is owed [portal.dashboard.{field.opening-balance.balance,call.opening-balance}, decisions.3.opening-balance-sign]', async () => {
    const person = await signedIn(fixture);
    await bill(person, 'B-1', '2026-04-30', 5_000n);
    await bill(person, 'B-2', '2026-05-01', 300n);
    await post(person.customer.id, 'external', 'receivable', 1_250n, '2026-04-30T23:59:59Z');
    await post(person.customer.id, 'external', 'receivable', 100n, '2026-05-01T00:00:00Z');
    expect((await person.get('/v1/ec/opening-balance')).json()).toEqual({ data: { balance: 37.5 } });
  });

  it('counts months and days in the brand’s zone [decisions.5.zone-periods]', async () => {
    const person = await signedIn(fixture);
    await fixture.database
      .pool()
      .query("update brand set time_zone = 'Pacific/Auckland' where id = $1", [person.reseller.brandId]);
    await bill(person, 'Z-1', '2026-03-31', 1_000n);
    // Noon UTC on the last of April is May in Auckland: paid after the month had begun.
    await post(person.customer.id, 'external', 'receivable', 400n, '2026-04-30T12:30:00Z');
    expect((await person.get('/v1/ec/opening-balance')).json().data).toEqual({ balance: 10 });
    expect((await statement(person, '2026-05-01', '2026-05-31')).entries).toMatchObject([
      { kind: 'payment', date: '2026-05-01', amount: -4 },
    ]);
    await bill(person, 'Z-2', '2026-04-15', 100n);
    const openingAt = async (moment: string) => {
      fixture.clock.set(moment);
      return (await person.get('/v1/ec/opening-balance')).json().data.balance;
    };
    expect(await openingAt('2026-04-30T11:30:00Z')).toBe(10);
    expect(await openingAt('2026-04-30T12:30:00Z')).toBe(11);
    fixture.clock.set('2026-05-10T12:00:00Z');
  });

  it('is 0 where there is none, and negative where the customer is owed', async () => {
    const person = await signedIn(fixture);
    expect((await person.get('/v1/ec/opening-balance')).json().data).toEqual({ balance: 0 });
    await post(person.customer.id, 'gateway', 'customerCredit', 1n, '2026-04-01T00:00:00Z');
    expect((await person.get('/v1/ec/opening-balance')).json().data).toEqual({ balance: -0.01 });
  });
});
