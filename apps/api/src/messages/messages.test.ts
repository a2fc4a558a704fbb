import { expect, it } from 'vitest';
import { programKey } from '../../test/fixtures/program.ts';
import { useFixture } from '../../test/fixtures/test-fixture.ts';
import { webhookProgram } from '../../test/fixtures/webhooks/webhook-program.ts';
import { tellOfDays } from './day-messages.ts';
import { tellOfInvoices } from './invoice-messages.ts';

const fixture = useFixture();
const DAY_MS = 24 * 60 * 60_000;
const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await fixture.database.pool().query(text, values)).rows as T[];

const values = {
  issuedOn: '2026-03-01',
  dueOn: '2026-03-15',
  currency: 'NZD',
  lines: [{ name: 'Fibre 300', price: '100.00', amount: '100.00', taxCategory: 'S', taxPercent: '15' }],
  taxes: [{ category: 'S', percent: '15', taxable: '100.00', amount: '15.00' }],
  subtotal: '100.00',
  tax: '15.00',
  total: '115.00',
  payable: '115.00',
};

it('tells of an invoice as it was at each step of its life', async () => {
  const { customer, reseller } = await fixture.seedPayer();
  const program = await webhookProgram(fixture, reseller.id);
  await program.listen();
  const steps: string[][] = [];
  const step = async (work: () => Promise<{ status: number }>) => {
    expect((await work()).status).toBeLessThan(300);
    steps.push(
      (await program.told()).map(
        ({ type, data }) => `${type} ${data['status']} ${data['due'] ?? data['amount']}`,
      ),
    );
  };
  const put =
    (over: object, headers = {}) =>
    () =>
      program.call(
        'PUT',
        '/invoices/by-reference/INV-1',
        { ...values, customer: customer.id, ...over },
        headers,
      );
  await step(put({}));
  await step(put({}));
  await step(put({ dueOn: '2026-03-20' }, { 'if-match': '*' }));
  const { id } = (await program.call('GET', '/invoices/by-reference/INV-1')).data;
  const act = (what: string, more: object) => () => program.call('POST', `/invoices/${id}/${what}`, more);
  await step(act('dispute', { note: 'wrong' }));
  await step(act('reopen', { note: 'right after all' }));
  await step(act('void', { note: 'wrong' }));
  await step(act('void', { note: 'wrong' }));
  await step(act('reopen', { note: 'right after all' }));
  const payment = { reference: 'CHQ-1', method: 'cheque', receivedOn: '2026-03-01' };
  await step(act('settle', payment));
  await step(act('settle', payment));
  expect(steps).toEqual([
    ['invoice.created open 115.00'],
    [],
    ['invoice.updated open 115.00'],
    ['invoice.disputed disputed 115.00'],
    ['invoice.reopened open 115.00'],
    ['invoice.voided void 115.00'],
    [],
    ['invoice.reopened open 115.00'],
    ['invoice.paid paid 0.00', 'external_payment.recorded booked 115.00'],
    [],
  ]);
});

it('writes a file of invoices in a few statements, each for each endpoint that wants it', async () => {
  const { customer, reseller } = await fixture.seedPayer();
  const program = await webhookProgram(fixture, reseller.id);
  await program.listen('https://one.example/');
  await program.listen('https://two.example/', ['invoice.created', 'invoice.paid']);
  await program.listen('https://three.example/', ['payment.failed']);
  const lines = Array.from({ length: 30 }, (_, n) =>
    JSON.stringify({ ...values, reference: `B-${n}`, customer: customer.id }),
  );
  const answer = await fixture.app.inject({
    method: 'POST',
    url: '/v1/admin/invoices/bulk',
    headers: {
      authorization: `Bearer ${await programKey(fixture, reseller.id, 'bulk')}`,
      'content-type': 'application/x-ndjson',
    },
    payload: lines.join('\n'),
  });
  expect(answer.body.split('\n').filter((line) => line.includes('"created"'))).toHaveLength(30);
  expect(new Set((await program.told()).map(({ data }) => data['number'])).size).toBe(30);
  const found = await rows<{ url: string; n: number }>(
    `select e.url, count(d.*)::int as n from webhook_endpoint e left join webhook_delivery d on d.endpoint_id = e.id
      where e.reseller_id = $1 group by e.id, e.url order by e.id`,
    [reseller.id],
  );
  expect(found.map(({ n }) => n)).toEqual([30, 30, 0]);
});

it('writes nothing that nobody wants, and nothing of what was rolled back', async () => {
  const [one, other] = [await fixture.seedPayer(), await fixture.seedPayer()];
  const program = await webhookProgram(fixture, one.reseller.id);
  const { id: customerId } = one.customer;
  const invoice = await fixture.seedPayable(one.customer);
  const tell = (type: 'invoice.paid' | 'invoice.due', fault?: Error) =>
    fixture.deps.databases.web.transaction(async (tx) => {
      await tellOfInvoices(tx, one.reseller.id, [{ type, customerId, id: invoice.id }], fixture.clock.now());
      if (fault !== undefined) throw fault;
    });
  await (await webhookProgram(fixture, other.reseller.id)).listen();
  await tell('invoice.paid');
  const { id } = await program.listen('https://a.example/', ['invoice.due']);
  await tell('invoice.paid');
  await expect(tell('invoice.due', new Error('no'))).rejects.toThrow('no');
  await program.endpoints('PATCH', `/${id}`, { state: 'disabled' }, { 'if-match': '*' });
  await tell('invoice.due');
  expect(
    await rows('select 1 from webhook_message where reseller_id = any($1)', [
      [one.reseller.id, other.reseller.id],
    ]),
  ).toEqual([]);
  await program.endpoints('PATCH', `/${id}`, { state: 'paused' }, { 'if-match': '*' });
  await tell('invoice.due');
  expect((await program.told()).length).toBe(1);
});

it('tells once of what a day brings: due, overdue, expiring; days without a worker are made up for', async () => {
  const { customer, reseller, accountId } = await fixture.seedPayer();
  const program = await webhookProgram(fixture, reseller.id);
  await program.listen();
  const start = fixture.clock.now();
  const day = (n: number) => new Date(start.getTime() + n * DAY_MS).toISOString().slice(0, 10);
  const due = { number: 'D-1', dueOn: day(1) };
  await fixture.seedPayable(customer, due);
  await fixture.seedPayable(customer, { number: 'D-2', dueOn: day(3) });
  await rows(
    `insert into payment_method (customer_id, id, gateway_account_id, kind, token_digest, gateway_state_sealed, show, expires,
                                 usable, state, created_at, updated_at)
     select $1, gen_random_uuid(), $2, 'card', gen_random_uuid()::text::bytea, '', '{}', e, 'now', s, now(), now()
       from (values ('2026-04', 'active'), ('2026-04', 'gone'), ('2026-05', 'active')) as v(e, s)`,
    [customer.id, accountId],
  );
  const round = async (n: number) => {
    await tellOfDays(fixture.deps.databases.jobs, new Date(start.getTime() + n * DAY_MS));
    return (await program.told()).map(({ type, data }) => `${type} ${data['number'] ?? data['expires']}`);
  };
  expect(await round(0)).toEqual([]);
  expect(await round(1)).toEqual(['invoice.due D-1']);
  expect(await round(1)).toEqual([]);
  // Day 2 has no worker.
  expect(await round(3)).toEqual(['invoice.due D-2', 'invoice.overdue D-1']);
  await rows(
    "update invoice set paid_minor = payable_minor, status = 11 where customer_id = $1 and number = 'D-2'",
    [customer.id],
  );
  expect(await round(4)).toEqual([]);
  expect(await round(30)).toEqual(['payment_method.expiring 2026-04']);
  expect(await round(31)).toEqual([]);
  // What fell due while nobody listened is not told.
  const [endpoint] = (await program.endpoints('GET')).data;
  await program.endpoints('DELETE', `/${endpoint.id}`);
  await fixture.seedPayable(customer, { number: 'D-3', dueOn: day(38) });
  fixture.clock.advance(40 * DAY_MS);
  await program.listen();
  await tellOfDays(fixture.deps.databases.jobs, fixture.clock.now());
  const { rows: written } = await fixture.database
    .pool()
    .query("select 1 from webhook_message where reseller_id = $1 and data ->> 'number' = 'D-3'", [
      reseller.id,
    ]);
  expect(written).toEqual([]);
});
