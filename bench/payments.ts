import { cpus } from 'node:os';
import { brokenRules } from '../apps/api/test/fixtures/paying/books.ts';
import { testedGateways } from '../apps/api/test/fixtures/paying/gateways/tested-gateways.ts';
import { payThrough } from './payments/through.ts';
import { type Payable, startPayments } from './payments/world.ts';
import { Connection } from './signin/connection.ts';
import { printFigure, quantile } from './support/figure.ts';

/**
 * Payments by link through the gateway's sandbox, which takes 20 ms for each call and writes each to its journal. A
 * payment is two calls: the token is traded, and the charge is made. Load, server, database and sandbox share the
 * machine. Afterwards the journal has each payment once, and the books hold. Then fewer through each gateway, with all
 * that its page asks for before a payment. About a minute.
 */
const PAYMENTS = 3_000;
const WARM_UP = 300;
const CONNECTIONS = 48;
const GATEWAY_MS = 20;
const A_SECOND = 200;
/** Through each gateway; what is wanted of the slowest, whose forms are prepared before anything is typed. */
const EACH = 300;
const EACH_A_SECOND = 20;

const print = (figure: string, value: number, unit: string, limit: number, isMost = true): void =>
  printFigure({ bench: 'payments', figure, value: Math.max(value, 1e-6), unit, limit, isMost });

const [stripe] = testedGateways.filter(({ manifest }) => manifest.id === 'stripe');
if (stripe === undefined) throw new Error('Stripe is not in the registry');
const world = await startPayments([stripe], PAYMENTS + WARM_UP);
const payables = world.shops.flatMap((shop) => shop.payables);
const connections: Connection[] = [];
try {
  for (let n = 0; n < CONNECTIONS; n += 1) connections.push(await Connection.open(world.port));
  await world.control('POST', 'settings', { delayMs: GATEWAY_MS });

  let nextPayer = 0;
  const succeeded = new Set<string>();
  const pay = async (connection: Connection, { token: uid, number }: Payable): Promise<number> => {
    const body = { uid, invoiceAmount: '50.00', invoiceNumber: number, cardToken: 'tok_visa' };
    nextPayer += 1;
    const answer = await connection.send({
      method: 'POST',
      path: '/v1/ec/pay',
      body: JSON.stringify(body),
      from: `10.${(nextPayer >> 16) & 255}.${(nextPayer >> 8) & 255}.${nextPayer & 255}`,
    });
    if (answer.status !== 200) throw new Error(`a payment answered ${answer.status}: ${answer.body}`);
    const { data } = JSON.parse(answer.body) as { data: { status: string; reference: string } };
    if (data.status === 'succeeded') succeeded.add(data.reference);
    return answer.ms;
  };
  const payAll = async (payables: readonly Payable[]): Promise<number[]> => {
    const waits: number[] = [];
    const queue = payables.values();
    const payer = async (connection: Connection) => {
      for (const payable of queue) waits.push(await pay(connection, payable));
    };
    await Promise.all(connections.map(payer));
    return waits;
  };

  await payAll(payables.slice(0, WARM_UP));
  // As the database does by itself within a minute of work: plans made for empty tables fit no provider.
  await world.pool.query(
    'analyze attempt, claim, capture, transition, pay_session, ledger, allocation, invoice',
  );
  const before = { ...world.processor(), load: process.cpuUsage() };
  const start = performance.now();
  const waits = await payAll(payables.slice(WARM_UP));
  const seconds = (performance.now() - start) / 1_000;
  const after = world.processor();
  const load = process.cpuUsage(before.load);

  print('payments through the sandbox at 20 ms a call', waits.length / seconds, '1/s', A_SECOND, false);
  print('answer, p50', quantile(waits, 0.5), 'ms', 500);
  print('answer, p95', quantile(waits, 0.95), 'ms', 1_000);
  const each = (ms: number) => ms / waits.length;
  const spent = {
    server: each(after.server - before.server),
    database: each(after.database - before.database),
    sandbox: each(after.sandbox - before.sandbox),
    load: each((load.user + load.system) / 1_000),
  };
  // All that the cores have for a payment, at the rate that is wanted.
  const most = (cpus().length * 1_000) / A_SECOND;
  for (const [who, ms] of Object.entries(spent))
    print(`processor time of the ${who}, a payment`, ms, 'ms', most);

  const charges = await world.charges();
  const references = new Set(charges.map(({ reference }) => reference));
  const isOnce =
    references.size === charges.length && charges.every(({ minor }) => BigInt(minor) === stripe.minor);
  if (!isOnce) throw new Error(`${charges.length} charges for ${references.size} payments`);
  print('charged exactly once, of all payments', charges.length, 'payments', PAYMENTS + WARM_UP, false);
  const { rows } = await world.pool.query<{ paid: number; open: number; booked: number }>(
    `select (select count(*) from invoice where status = 11)::int as paid,
            (select count(*) from attempt where is_open)::int as open,
            (select count(*) from capture c join attempt a on a.customer_id = c.customer_id and a.id = c.attempt_id
              where a.ref = any($1))::int as booked`,
    [[...references]],
  );
  const [books] = rows;
  print('booked exactly once, of all charges', books?.booked ?? 0, 'payments', charges.length, false);
  print('told succeeded at once', succeeded.size, 'payments', PAYMENTS + WARM_UP, false);
  print('invoices paid', books?.paid ?? 0, 'invoices', PAYMENTS + WARM_UP, false);
  const broken = await brokenRules(world.pool);
  if (Object.keys(broken).length > 0) throw new Error(`the books are wrong: ${JSON.stringify(broken)}`);
} finally {
  for (const connection of connections) connection.close();
  await world.stop();
}

// Through each gateway.
const all = await startPayments(testedGateways, EACH);
try {
  await all.control('POST', 'settings', { delayMs: GATEWAY_MS });
  for (const shop of all.shops) {
    const { name, manifest } = shop.gateway;
    const { seconds, waits } = await payThrough(all, shop);
    print(`payments through ${name}`, waits.length / seconds, '1/s', EACH_A_SECOND, false);
    print(`answer of ${name}, p95`, quantile(waits, 0.95), 'ms', 2_000);
    const charges = (await all.charges()).filter(({ gateway }) => gateway === manifest.id);
    const references = new Set(charges.map(({ reference }) => reference));
    if (references.size !== charges.length) throw new Error(`${name} was charged twice`);
    print(`asked of ${name} exactly once`, waits.length, 'payments', EACH, false);
  }
  const broken = await brokenRules(all.pool);
  if (Object.keys(broken).length > 0) throw new Error(`the books are wrong: ${JSON.stringify(broken)}`);
} finally {
  await all.stop();
}
