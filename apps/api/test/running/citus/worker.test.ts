import { citusWorker } from '@counterfoil/testing/citus-worker.ts';
import { expect, it } from 'vitest';
import { reconcile } from '../../../src/features/payments/attempts/reconcile.ts';
import { fixture, moneyOf, post, rows } from '../../fixtures/paying/pay-fixture.ts';
import { signedIn } from '../../fixtures/signed-in.ts';

// Nobody else may use the cluster meanwhile.
const worker = citusWorker();
const PEOPLE = 8;
const ANSWERS_WITHIN_MS = 20_000;
const DAYS = 'dateFrom=2026-07-01&dateTo=2026-07-31';
const PAGE = 'pageNumber=1&pageSize=25';
const readsOf = (invoiceId: string, token: string) => [
  '/v1/ec/me',
  '/v1/ec/settings',
  '/v1/ec/agreements',
  '/v1/ec/preferences',
  '/v1/ec/sessions',
  `/v1/ec/invoices?${PAGE}`,
  '/v1/ec/invoices/overview',
  `/v1/ec/invoice/${invoiceId}`,
  `/v1/ec/invoice/${invoiceId}/lines?${PAGE}`,
  `/v1/ec/invoices/${invoiceId}`,
  `/v1/ec/payment/details/${token}`,
  '/v1/ec/payments/cards',
  '/v1/ec/credit',
  `/v1/ec/statement?${DAYS}`,
  `/v1/ec/statement/pdf?${DAYS}`,
  `/v1/ec/services?${PAGE}`,
  '/v1/ec/service-items/cost-centres',
  `/v1/ec/cost-centres/summary?${DAYS}`,
  `/v1/ec/usage?${DAYS}&${PAGE}`,
  `/v1/ec/usage/summary?${DAYS}`,
  '/v1/ec/reports',
  '/v1/ec/reports/jobs',
];

/** The port of the machine on which a customer's rows are. */
async function portOf(customerId: string): Promise<string | undefined> {
  const [found] = await rows<{ port: string }>(
    `select nodeport::text as port from citus_shards
      where shardid = get_shard_id_for_distribution_column('invoice', $1::uuid)`,
    [customerId],
  );
  return found?.port;
}

async function person() {
  const someone = await signedIn(fixture);
  const invoice = await fixture.seedPayable(someone.customer);
  const port = await portOf(someone.customer.id);
  const pay = () =>
    post('/v1/ec/pay', {
      uid: invoice.token,
      invoiceAmount: '110.00',
      invoiceNumber: invoice.number,
      cardToken: 'tok_visa',
    });
  return { ...someone, invoice, isOnWorker: port === worker?.port, pay };
}

const timed = async <T>(work: Promise<T>): Promise<readonly [T, number]> => {
  const begun = performance.now();
  return [await work, performance.now() - begun];
};

it.skipIf(worker === undefined)(
  'a dead worker: its customers are told to come again, others read all pages and pay, and nothing is lost or taken twice',
  async () => {
    const people = await Promise.all(Array.from({ length: PEOPLE }, person));
    const [hit, spared] = [people.filter((one) => one.isOnWorker), people.filter((one) => !one.isOnWorker)];
    expect([hit.length, spared.length].every((n) => n > 0)).toBe(true);
    const look = (some: typeof people) =>
      Promise.all(some.map(async (one) => (await one.get('/v1/ec/invoices')).statusCode));
    expect(new Set(await look(people))).toEqual(new Set([200]));
    const readAll = async ({ get, invoice }: (typeof people)[number]) =>
      Promise.all(
        readsOf(invoice.id, invoice.token).map(async (url) => [url, (await get(url)).statusCode] as const),
      );
    const before = await Promise.all(spared.map(readAll));
    expect(before.flat().filter(([, status]) => status !== 200)).toEqual([]);
    worker?.end();
    try {
      // Twice: what kept connections tell is another matter than what new ones do.
      for (const _ of [1, 2]) {
        const [answers, ms] = await timed(look(hit));
        expect([new Set(answers), ms < ANSWERS_WITHIN_MS]).toEqual([new Set([503]), true]);
        expect(new Set(await look(spared))).toEqual(new Set([200]));
      }
      expect(await Promise.all(spared.map(readAll))).toEqual(before);
      for (const one of hit) expect((await one.pay()).statusCode).toBe(503);
      for (const one of spared.slice(1)) expect((await one.pay()).json().data.status).toBe('succeeded');
    } finally {
      worker?.start();
    }
    await expect.poll(() => look(people), { timeout: 30_000 }).toEqual(people.map(() => 200));
    const openOf = async () => {
      fixture.clock.advance(30_000);
      await reconcile(fixture.engine);
      return (await rows('select 1 from claim where is_open', [])).length;
    };
    await expect.poll(openOf, { timeout: 60_000 }).toBe(0);
    for (const one of [...hit, ...spared.slice(0, 1)])
      expect((await one.pay()).json().data).toMatchObject({ status: 'succeeded' });
    for (const { customer, invoice } of people)
      expect(await moneyOf(customer.id, invoice.id)).toMatchObject({
        invoice: { paid: '11000', held: '0' },
        captures: [{ amount: '11000' }],
        openClaims: 0,
      });
    expect(fixture.gateway.taken.size).toBe(PEOPLE);
  },
  240_000,
);
