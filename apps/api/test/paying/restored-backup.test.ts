import type { PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { pausePayments } from '../../src/features/payments/pause/pause.ts';
import { scanPaused } from '../../src/features/payments/pause/scan.ts';
import { brokenRules } from '../fixtures/paying/books.ts';
import { useGatewayRun } from '../fixtures/paying/gateways/gateway-run.ts';
import { useSandboxFixture } from '../fixtures/paying/gateways/sandbox-fixture.ts';
import { testedGateways } from '../fixtures/paying/gateways/tested-gateways.ts';
import { backUp } from '../fixtures/paying/table-copy.ts';

/**
 * A backup is restored that knows nothing of what was paid since. Over the real adapter and its sandbox, whose journal says what
 * was taken.
 */
describe('in every part, at Stripe', () => {
  const sandbox = useSandboxFixture({ cardFee: { basisPoints: 150, fixedMinor: 0, capMinor: null } });
  const { fixture } = sandbox;

  const rows = async <T>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await fixture.database.pool().query(text, values)).rows as T[];

  async function payable() {
    const invoice = await fixture.seedPayable(sandbox.customer);
    const pay = async () => {
      const cardToken = await sandbox.cardToken('4242424242424242');
      const payload = {
        uid: invoice.token,
        invoiceAmount: '110.00',
        invoiceNumber: invoice.number,
        cardToken,
      };
      const answer = await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload });
      return answer.json() as { code?: string; message?: string; data?: { status: string } };
    };
    const stand = async () =>
      (
        await rows<{ status: number; due: number }>(
          'select status, due_minor::int as due from invoice where id = $1',
          [invoice.id],
        )
      )[0];
    return { ...invoice, pay, stand };
  }

  const pause = (since: Date) =>
    fixture.deps.databases.web.transaction((tx) =>
      pausePayments(tx, { since, note: 'restored', now: fixture.clock.now() }),
    );

  beforeEach(async () => {
    await rows('delete from payment_pause');
  });

  it('what was paid after the backup is booked once, and until then nothing can be paid', async () => {
    const [before, after, later] = [await payable(), await payable(), await payable()];
    expect(await before.pay()).toMatchObject({ data: { status: 'succeeded' } });
    const restore = await backUp(fixture.database.pool());
    const since = fixture.clock.now();
    await sandbox.advance(60_000);
    expect(await after.pay()).toMatchObject({ data: { status: 'succeeded' } });
    await sandbox.webhooksDelivered();
    const taken = (await sandbox.charges()).length;

    await restore();
    expect(await after.stand()).toEqual({ status: 10, due: 11_000 });
    await pause(since);
    for (const one of [after, later])
      expect(await one.pay()).toMatchObject({
        code: 'payments.paused',
        message: expect.stringContaining('Nothing was charged'),
      });
    expect(await sandbox.charges()).toHaveLength(taken);
    const page = await fixture.app.inject(`/v1/ec/payment/details/${after.token}`);
    expect(page.json().data).toMatchObject({ apiStatus: false, paymentsPaused: true, brandSettings: null });

    expect(await scanPaused(fixture.engine)).toBe(1);
    expect(await after.stand()).toEqual({ status: 11, due: 0 });
    const captures = await rows(
      `select p.to_invoices_minor::int as invoices, p.to_fee_minor::int as fee, p.to_credit_minor::int as credit
       from capture p where p.customer_id = $1 order by p.at`,
      [sandbox.customer.id],
    );
    expect(captures).toEqual([
      { invoices: 11_000, fee: 165, credit: 0 },
      { invoices: 11_000, fee: 165, credit: 0 },
    ]);
    expect(await rows("select 1 from outbox where kind = 'receipt'")).toHaveLength(0);

    expect(await scanPaused(fixture.engine)).toBe(0);
    expect(await after.pay()).toMatchObject({ code: 'payment.alreadyPaid' });
    expect(await later.pay()).toMatchObject({ data: { status: 'succeeded' } });
    expect(await sandbox.charges()).toHaveLength(taken + 1);
    expect(await brokenRules(fixture.database.pool())).toEqual({});
  });
});

/** Gateways whose interface has no list of payments: a person decides (`payments resume`). */
const WITHOUT_LIST = ['moneris'];

describe.each(testedGateways)('$name', (gateway) => {
  const me = useGatewayRun(gateway);
  const { sandbox, run } = me;
  const { id, capabilities } = gateway.manifest;
  const { good } = gateway;
  const isListed = !WITHOUT_LIST.includes(id);

  it(
    isListed ? 'what it took since is booked again, once' : 'payments stay off until a person decides',
    async () => {
      const { fixture } = sandbox;
      const who = await me.person();
      const saved = await who.save(good);
      const byMethod = await who.bill();
      const isLinked = capabilities.oneOff !== 'no';
      const byLink = isLinked ? await who.bill() : undefined;
      const invoices = [byMethod, ...(byLink ? [byLink] : [])];
      const stand = () =>
        run.rows<{ status: number; due: number; held: number }>(
          'select status, due_minor::int as due, held_minor::int as held from invoice where id = any($1)',
          [invoices.map((one) => one.id)],
        );
      const PAID = invoices.map(() => ({ status: 11, due: 0, held: 0 }));
      const charges = async () => (await sandbox.charges()).map(({ remote, minor }) => ({ remote, minor }));
      const scan = () => scanPaused(fixture.engine);

      const restore = await backUp(fixture.database.pool());
      const since = fixture.clock.now();
      await sandbox.advance(60_000);
      expect((await me.send(await who.bulk([byMethod], saved.id))).status).toBe(200);
      if (byLink) expect((await me.send(await me.link(byLink, good))).status).toBe(200);
      await me.settle();
      expect(await stand()).toEqual(PAID);
      const taken = await charges();

      await restore();
      expect((await stand()).map(({ status }) => status)).toEqual(invoices.map(() => 10));
      await fixture.deps.databases.web.transaction((tx) =>
        pausePayments(tx, { since, note: 'restored', now: fixture.clock.now() }),
      );
      const intent = await who.call('POST', '/v1/ec/payments/intents', { invoiceIds: [byMethod.id] });
      const paying = { uid: (intent.data as PaymentIntent).sessionId, cardId: saved.id };
      expect((await who.call('POST', '/v1/ec/payments/pay/bulk', paying)).text).toContain('payments.paused');
      // Lists show a payment some time after it was made.
      await sandbox.advance(10 * 60_000);
      expect(await scan()).toBe(isListed ? 1 : 0);
      if (isListed) {
        await me.settle();
        expect(await stand()).toEqual(PAID);
        // By their sums: some gateways have another name for a payment than the sandbox's journal.
        const booked = await run.rows<{ minor: number }>('select amount_minor::int as minor from capture');
        const sums = (of: readonly { readonly minor: number }[]) => of.map(({ minor }) => minor).sort();
        expect(sums(booked)).toEqual(sums(taken));
        expect(await scan()).toBe(0);
      } else {
        const [pause] = await run.rows<{ problem: string }>('select problem from payment_pause');
        expect(pause?.problem).toBe('its gateway cannot list charges');
      }
      expect(await charges()).toEqual(taken);
      expect(await brokenRules(fixture.database.pool())).toEqual({});
    },
  );
});
