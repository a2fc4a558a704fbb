import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { startProcess } from '@counterfoil/testing/processes.ts';
import pino from 'pino';
import { afterAll, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { binaryRows } from '../../src/db/copy/copy-binary.ts';
import { readSnapshot } from '../../src/db/cursor.ts';
import { sql } from '../../src/db/sql.ts';
import { guardedFetch } from '../../src/features/sso/guarded-fetch.ts';
import { post } from '../../src/features/webhook-endpoints/sending/post.ts';
import { createApp } from '../../src/http/app.ts';
import { startLoop, startWorker } from '../../src/jobs/worker.ts';
import { createMailer } from '../../src/mail/mailer.ts';
import { tracedFetch } from '../../src/tracing/gateways.ts';
import { traced } from '../../src/tracing/spans.ts';
import { startTracing } from '../../src/tracing/start.ts';
import { operationsFixture } from '../fixtures/operations-fixture.ts';
import { cards } from '../fixtures/paying/gateways/gateway-faults.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { receiveTraces } from '../fixtures/trace-receiver.ts';
import { faultRun } from '../processes/fault-runs.ts';

const receiver = await receiveTraces();
const silent = pino({ level: 'silent' });
const env = {
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=s%20ecret',
  OTEL_SERVICE_NAME: 'bills',
  TRACE_PARENT: '1',
};
const tracing = await startTracing(readConfig(env).tracing, 'serve', silent);
const sandbox = useSandboxFixture({}, { env: () => env, timeoutMs: 5_000 });
const run = faultRun(sandbox);
const operations = operationsFixture(sandbox, run, () => 0);
const database = useDatabase();
afterAll(() => receiver.stop());

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = `00-${TRACE}-00f067aa0ba902b7-01`;
const named = (name: string) => receiver.spans.filter((span) => span.name === name);

/** The spans are sent some seconds later; all of this file's are there when tracing has ended. */
it('shows what a payment was made of, and nothing of anybody', async () => {
  const { fixture } = sandbox;
  const { request, customerId, invoices } = await operations.publicPay(cards.good);
  const paid = await fixture.app.inject({
    method: 'POST',
    url: `${request.path}?from=mail-of-mia`,
    headers: { ...request.headers, traceparent: CALLER, 'user-agent': 'Mias Browser' },
    payload: request.body,
  });
  expect(paid.json().data.status).toBe('succeeded');
  await fixture.app.inject({ method: 'GET', url: '/healthz' });
  await fixture.app.inject({ method: 'GET', url: '/v1/ec/payment/details/no-such-link-of-anybody' });

  const shy = createApp({ config: readConfig({}), log: silent });
  shy.get('/plain', { config: { access: 'public' } }, async () => 'x');
  await shy.inject({ method: 'GET', url: '/plain', headers: { traceparent: CALLER } });
  await shy.close();

  const job = { name: 'mailing', run: () => mailer.send(mail).then(() => undefined) };
  const mailer = createMailer(readConfig({ DATA_DIR: mkdtempSync(join(tmpdir(), 'mails-')) }));
  const mail = {
    to: 'mia@harbour.example',
    from: { name: 'Northline', address: 'bills@northline.example' },
    subject: 'Bill of Mia',
    text: 'Mia',
    html: 'Mia',
    messageId: '<1@x>',
  };
  const worker = await startWorker({ url: fixture.database.url, log: silent }, [job]);
  await fixture.database.pool().query("select graphile_worker.add_job('mailing', '{}'::json)");
  const { web } = fixture.deps.databases;
  const stopLoop = startLoop('looking', 60_000, silent, () =>
    web.one(sql`select 1/0 as mias_secret from customer`),
  );
  await expect
    .poll(
      async () =>
        (
          await web.one<{ n: bigint }>(sql`
    select count(*) as n from graphile_worker._private_jobs`)
        ).n,
    )
    .toBe(0n);
  await worker.stop();
  await stopLoop();

  const seen: IncomingHttpHeaders[] = [];
  const elsewhere = createServer((asked, answer) => {
    seen.push(asked.headers);
    answer.end();
  }).listen(0, '127.0.0.1');
  await once(elsewhere, 'listening');
  const { port } = elsewhere.address() as AddressInfo;
  await tracedFetch('stripe')?.(`http://127.0.0.1:${port}/v1/customers/cus_mia`);
  const address = new URL(`http://127.0.0.1:${port}/hooks/of-mia`);
  await post(address, 'Mia', {}, { allowsPrivate: true });
  await guardedFetch(AbortSignal.timeout(5_000))(address.href, { method: 'GET' } as never);
  elsewhere.close();
  // Rows by a cursor and by COPY, as exports and pages of usage read them.
  await traced('internal', 'exporting', {}, () =>
    readSnapshot(web, async ({ stream }) => {
      for await (const _row of stream(sql`select label from customer`)) break;
    }),
  );
  await traced('internal', 'copying', {}, () => binaryRows(web, sql`select label from customer`));
  await tracing.stop();

  const [request1] = named('POST /v1/ec/pay');
  expect(request1).toMatchObject({
    trace: TRACE,
    parent: '00f067aa0ba902b7',
    kind: 2,
    facts: { 'http.request.method': 'POST', 'http.route': '/v1/ec/pay', 'http.response.status_code': 200 },
    resource: { 'service.name': 'bills', 'counterfoil.process': 'serve' },
    isError: false,
  });
  const trace = receiver.spans.filter((span) => span.trace === TRACE);
  const ids = new Set(trace.map(({ id }) => id));
  expect(trace.filter(({ parent, id }) => id !== request1?.id && !ids.has(parent))).toEqual([]);
  const [charge] = trace.filter(({ name }) => name === 'stripe charge');
  expect(charge?.facts).toEqual({
    'counterfoil.gateway': 'stripe',
    'counterfoil.operation': 'charge',
    'counterfoil.outcome': 'succeeded',
  });
  const calls = trace.filter(({ parent }) => parent === charge?.id);
  expect(calls.map(({ facts }) => facts['server.address'])).toContain('127.0.0.1');
  const statements = trace.filter(({ facts }) => facts['db.system.name'] === 'postgresql');
  expect(new Set(statements.map(({ kind }) => kind))).toEqual(new Set([3]));
  expect(statements.map(({ facts }) => facts['db.collection.name'])).toContain('invoice');

  expect(named('GET /healthz')).toEqual([]);
  expect(named('GET /v1/ec/payment/details/:token')[0]?.facts['http.response.status_code']).toBe(404);
  // Whose proxy does not say who calls is not told by anybody which trace it belongs to.
  expect(named('GET /plain')[0]).toMatchObject({ parent: '' });
  expect(named('GET /plain')[0]?.trace).not.toBe(TRACE);
  const [sent] = named('send mail');
  expect(sent?.parent).toBe(named('job mailing')[0]?.id);
  expect(named('round looking')[0]).toMatchObject({ isError: true, facts: { 'error.type': '22012' } });
  expect(named('SELECT customer').find(({ isError }) => isError)?.facts).toMatchObject({
    'db.response.status_code': '22012',
  });
  for (const name of ['send webhook', 'ask sign-on provider'])
    expect(named(name)[0]?.facts, name).toMatchObject({ 'http.response.status_code': 200 });
  for (const [within, name] of [
    ['exporting', 'SELECT customer'],
    ['copying', 'COPY customer'],
  ] as const)
    expect(named(name).map(({ parent }) => parent)).toContain(named(within)[0]?.id);
  expect(seen).toHaveLength(3);
  for (const headers of seen) {
    expect(headers).not.toHaveProperty('traceparent');
    expect(headers).not.toHaveProperty('baggage');
  }
  expect(receiver.headers[0]).toMatchObject({ 'x-collector-key': 's ecret' });

  const [invoice] = invoices;
  const secrets = [
    'mia',
    'Mia',
    customerId,
    invoice?.id,
    invoice?.number,
    invoice?.token,
    'no-such-link',
    'tok_',
    'pi_',
  ];
  expect(secrets.filter((word) => word !== undefined && receiver.text().includes(word))).toEqual([]);
  expect(receiver.text()).toContain('/v1/ec/pay');
});

const hook = join(import.meta.dirname, '../processes/loaded-modules-process.ts');

it.each(['taken', 'refused', 'silent'] as const)(
  'a collector by which traces are %s holds up no answer and no stop',
  async (answers) => {
    const collector = await receiveTraces(answers);
    const server = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    const { listening } = JSON.parse(server.readyLine) as { listening: string };
    for (let n = 0; n < 20; n += 1)
      expect((await fetch(`${listening}/v1/brands-settings?d=x`)).status).toBe(404);
    expect(await server.stop()).toBe(0);
    expect(server.lines.includes('loaded @opentelemetry/sdk-trace')).toBe(true);
    if (answers === 'taken')
      expect(collector.spans.filter(({ name }) => name === 'GET /v1/brands-settings')).toHaveLength(20);
    await collector.stop();
  },
);

it('without an endpoint nothing of it is loaded', async () => {
  const server = await startServer({});
  expect(await server.stop()).toBe(0);
  // The library of metrics loads the interface, which does nothing by itself.
  const loaded = server.lines.filter((line) => line.startsWith('loaded @opentelemetry/'));
  expect(loaded.filter((line) => line !== 'loaded @opentelemetry/api')).toEqual([]);
});

const startServer = (settings: Readonly<Record<string, string>>) =>
  startProcess({
    command: ['apps/api/src/main.ts', 'serve', '--json'],
    nodeArgs: ['--import', hook],
    env: {
      DATA_DIR: mkdtempSync(join(tmpdir(), 'traced-')),
      DATABASE_URL: database.url,
      SECRET_KEY: 'traced-traced-traced-traced-traced-traced',
      PORT: '0',
      ...settings,
    },
    ready: /"listening"/,
  });
