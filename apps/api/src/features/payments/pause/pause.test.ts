import { money } from '@counterfoil/domain/money/money.ts';
import type { Charge, ListedCharge, Outcome } from '@counterfoil/gateways/port/gateway.ts';
import { gatewayRef, newGatewayRef, remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixture, lines, paid, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';
import { doAfterEnd } from '../after-end/rounds.ts';
import { reconcile } from '../attempts/reconcile.ts';
import { RefundRefused, refundPayment } from '../refunds/refund.ts';
import { listPauses, pausePayments, resumePayments } from './pause.ts';
import { scanPaused } from './scan.ts';

const { gateway, clock } = fixture;
const DAY = 24 * 3_600_000;
type Paid = Awaited<ReturnType<typeof paid>>;

/** What the gateway lists; `cut` after this many. */
let list: ListedCharge[] = [];
let cutAfter = Number.POSITIVE_INFINITY;
let askedSince: Date[] = [];

beforeEach(async () => {
  list = [];
  cutAfter = Number.POSITIVE_INFINITY;
  askedSince = [];
  await rows('delete from payment_pause');
  gateway.onListCharges = async function* (since) {
    askedSince.push(since);
    for (const [n, charge] of list.entries()) {
      if (n >= cutAfter) throw new Error('cut');
      yield charge;
    }
  };
});
afterEach(() => {
  gateway.onListCharges = undefined;
});

const inTransaction = <T>(
  work: Parameters<typeof fixture.deps.databases.web.transaction<T>>[0],
): Promise<T> => fixture.deps.databases.web.transaction(work);

async function pauseOf({ reseller }: Pick<Paid, 'reseller'>, since = clock.now()): Promise<void> {
  await inTransaction((tx) => pausePayments(tx, { since, note: 'restored', now: clock.now() }));
  // Accounts of other tests are theirs.
  const own = await rows<{ id: string }>('select id from gateway_account where reseller_id = $1', [
    reseller.id,
  ]);
  await rows('delete from payment_pause where gateway_account_id <> all ($1)', [own.map(({ id }) => id)]);
}

/** An invoice that is not paid, with another one of the same customer that is. */
async function unpaid() {
  const one = await paid();
  const invoice = await fixture.seedPayable(one.customer);
  const body = { uid: invoice.token, invoiceAmount: '110.00', invoiceNumber: invoice.number };
  const pay = async (cardToken = 'tok_x') =>
    (await fixture.app.inject({ method: 'POST', url: '/v1/ec/pay', payload: { ...body, cardToken } })).json();
  const stand2 = async () =>
    (
      await rows<{ status: number; due: number; held: number }>(
        'select status, due_minor::int as due, held_minor::int as held from invoice where id = $1',
        [invoice.id],
      )
    )[0];
  return { ...one, second: invoice, paySecond: pay, secondStands: stand2 };
}

const forgotten = (
  one: Awaited<ReturnType<typeof unpaid>>,
  over: Partial<ListedCharge> = {},
  outcome: 'succeeded' | 'pending' | 'requiresAction' = 'succeeded',
): ListedCharge => {
  const ref = newGatewayRef();
  const remote = remoteId(`r_${ref}`);
  const amount = over.amount ?? money(11_165n, 'USD');
  const action = { do: 'redirect', to: 'https://gateway.example/challenge' } as const;
  return {
    ref,
    amount,
    kind: 'card',
    at: clock.now(),
    labels: { customer: one.customer.id, invoice: one.second.number },
    outcome:
      outcome === 'succeeded'
        ? { is: outcome, remote, captured: amount, state: {} }
        : outcome === 'pending'
          ? { is: outcome, because: 'bank', remote, state: {} }
          : { is: outcome, action, remote, state: {} },
    ...over,
  };
};

describe('while payments are paused after a restored backup', () => {
  it('nobody is charged or refunded, and nothing is sent again', async () => {
    const one = await unpaid();
    await pauseOf(one);
    const { charge } = gateway.calls;
    expect(await one.paySecond()).toMatchObject({ code: 'payments.paused' });
    expect(gateway.calls.charge).toBe(charge);
    const details = await fixture.app.inject(`/v1/ec/payment/details/${one.second.token}`);
    expect(details.json().data).toMatchObject({ apiStatus: false });
    expect(await fixture.engine.accounts.standingFor(one.reseller.id)).toBe('paused');
    const account = await fixture.engine.accounts.activeFor(one.reseller.id);
    expect(account && (await fixture.engine.accounts.isWorking(account))).toBe(false);
    const [capture] = await rows<{ id: string }>('select id from capture where customer_id = $1', [
      one.customer.id,
    ]);
    await expect(
      refundPayment(fixture.engine, {
        customerId: one.customer.id,
        captureId: capture?.id ?? '',
        minor: undefined,
        note: 'n',
        by: 'ops',
        key: { by: 'amount', after: null },
      }),
    ).rejects.toThrow(RefundRefused);
  });

  it('a payment that was begun before the pause is not written after it', async () => {
    const one = await unpaid();
    clock.advance(61_000);
    gateway.onVerifyCredentials = async () => {
      await pauseOf(one);
      return { ok: true, rights: [] };
    };
    const { charge } = gateway.calls;
    expect(await one.paySecond()).toMatchObject({ code: 'payments.paused' });
    gateway.onVerifyCredentials = () => ({ ok: true, rights: [] });
    expect(gateway.calls.charge).toBe(charge);
    expect(await one.secondStands()).toMatchObject({ held: 0 });
  });

  it('an open attempt is looked up, and not by sending it again', async () => {
    const one = await unpaid();
    const strategies = gateway.module.manifest.capabilities.lookup;
    const asked: string[] = [];
    gateway.setStrategies(
      strategies.flatMap((strategy) => [strategy, { ...strategy, by: 'replay' as const, mayCharge: true }]),
    );
    gateway.onCharge = async () => ({ is: 'unknown', evidence: 'cut' });
    gateway.onLookup = async (_, strategy) => {
      asked.push(strategy?.by ?? '');
      return { is: 'inconclusive', why: 'nothing to see' };
    };
    try {
      await one.paySecond();
      await pauseOf(one);
      clock.advance(60_000);
      await reconcile(fixture.engine);
      expect(asked).toEqual(['ref']);
      await inTransaction((tx) => resumePayments(tx, one.reseller.id));
      clock.advance(60_000);
      await reconcile(fixture.engine);
      expect(asked).toEqual(['ref', 'ref', 'replay']);
    } finally {
      gateway.setStrategies(strategies);
    }
  });
});

describe('scanning a gateway from the backup’s time', () => {
  it('books what was forgotten with its fee, in spite of a list that breaks off, and once', async () => {
    const one = await unpaid();
    const since = clock.now();
    list = [forgotten(one)];
    list.push({ ...forgotten(one), ref: gatewayRef('FOREIGN0000000000X'), labels: {} });
    cutAfter = 1;
    await pauseOf(one, since);
    clock.advance(DAY);
    expect(await scanPaused(fixture.engine)).toBe(0);
    expect(askedSince[0]?.getTime()).toBeLessThan(since.getTime());
    expect(await fixture.engine.accounts.standingFor(one.reseller.id)).toBe('paused');
    expect(await one.paySecond()).toMatchObject({ code: 'payment.alreadyPaid' });
    cutAfter = Number.POSITIVE_INFINITY;
    clock.advance(60_000);
    expect(await scanPaused(fixture.engine)).toBe(1);
    expect(await one.secondStands()).toEqual({ status: 11, due: 0, held: 0 });
    expect(await one.balances()).toEqual({ gateway: 22_330, receivable: -22_000, feeIncome: -330 });
    // Ours by its look, and no customer of ours: a person is told.
    expect(lines.join('')).toContain('its customer is not known');
    expect(await one.paySecond()).toMatchObject({ code: 'payment.alreadyPaid' });
  });

  it('leaves alone what carries no reference of ours, and what is another reseller’s', async () => {
    const [one, other] = [await unpaid(), await unpaid()];
    const { ref: _none, ...without } = forgotten(one);
    list = [without, forgotten(other)];
    await pauseOf(one);
    await scanPaused(fixture.engine);
    expect(await one.secondStands()).toMatchObject({ status: 10 });
    expect(await other.secondStands()).toMatchObject({ status: 10 });
  });

  it('keeps as credit what the invoices do not need', async () => {
    const one = await unpaid();
    list = [forgotten(one, { amount: money(20_000n, 'USD') }), forgotten(one)];
    await pauseOf(one);
    await scanPaused(fixture.engine);
    expect(await one.secondStands()).toEqual({ status: 11, due: 0, held: 0 });
    expect(await one.balances()).toMatchObject({ gateway: 42_330, customerCredit: -20_165 });
  });

  it('holds the invoice of a forgotten debit until it has come', async () => {
    const one = await unpaid();
    list = [forgotten(one, { kind: 'bank', amount: money(11_000n, 'USD') }, 'pending')];
    await pauseOf(one);
    expect(await scanPaused(fixture.engine)).toBe(1);
    expect(await one.secondStands()).toEqual({ status: 10, due: 11_000, held: 11_000 });
    expect(await one.paySecond()).toMatchObject({ data: { status: 'processing' } });
    gateway.onLookup = async (charge) => gateway.take(charge);
    clock.advance(2 * 3_600_000);
    await reconcile(fixture.engine);
    expect(await one.secondStands()).toEqual({ status: 11, due: 0, held: 0 });
  });

  it('cancels a challenge that its payer has left, so that it cannot take the money later', async () => {
    const one = await unpaid();
    list = [forgotten(one, {}, 'requiresAction')];
    const cancelled: Charge['ref'][] = [];
    gateway.onCancel = async ({ ref }) => {
      cancelled.push(ref);
      return { is: 'closed' };
    };
    await pauseOf(one);
    expect(await scanPaused(fixture.engine)).toBe(1);
    clock.advance(31 * 60_000);
    await reconcile(fixture.engine);
    expect(cancelled).toEqual([list[0]?.ref]);
    expect(await one.paySecond()).toMatchObject({ data: { status: 'succeeded' } });
  });

  it('tells a known attempt what became of it since, also one that had ended', async () => {
    const one = await unpaid();
    gateway.onCharge = async (charge) => ({ is: 'unknown', evidence: charge.ref });
    await one.paySecond();
    const [attempt] = await rows<{ ref: string }>(
      "select ref from attempt where customer_id = $1 and state = 'unknown'",
      [one.customer.id],
    );
    list = [forgotten(one, { ref: gatewayRef(attempt?.ref ?? '') })];
    await pauseOf(one);
    await scanPaused(fixture.engine);
    expect(await one.secondStands()).toEqual({ status: 11, due: 0, held: 0 });
  });

  it.each<[string, Outcome]>([
    ['is open', { is: 'unknown', evidence: 'cut' }],
    ['had ended', { is: 'declined', why: { class: 'otherMethod', code: 'no', text: 'No' } }],
  ])(
    'keeps what was kept of an attempt that %s, so that what was made for it is removed',
    async (_, answer) => {
      const one = await unpaid();
      const seen: unknown[] = [];
      gateway.onCleanUp = async (_, state) => void seen.push(state);
      let ref: Charge['ref'] | undefined;
      gateway.onCharge = async (charge, saveState) => {
        ref = charge.ref;
        await saveState({ temporary: 'p_1', step: 'sent' });
        return answer;
      };
      await one.paySecond();
      const listed = forgotten(one, ref && { ref });
      const found = { ...listed.outcome, state: { id: 'c_1', step: 'listed' } };
      list = [{ ...listed, outcome: found }];
      await pauseOf(one);
      await scanPaused(fixture.engine);
      clock.advance(60_000);
      await doAfterEnd(fixture.engine);
      gateway.onCleanUp = undefined;
      expect(seen).toEqual([{ temporary: 'p_1', id: 'c_1', step: 'listed' }]);
    },
  );
});

it('a gateway that cannot list charges is named, and a person’s decision turns payments on', async () => {
  const one = await unpaid();
  gateway.onListCharges = undefined;
  await pauseOf(one);
  expect(await scanPaused(fixture.engine)).toBe(0);
  expect(await listPauses(fixture.deps.databases.web)).toMatchObject([
    { resellerId: one.reseller.id, gateway: 'scripted', problem: 'its gateway cannot list charges' },
  ]);
  clock.advance(DAY);
  await scanPaused(fixture.engine);
  expect(lines.filter((line) => line.includes('until a person decides'))).toHaveLength(1);
  expect(await one.paySecond()).toMatchObject({ code: 'payments.paused' });
  expect(await inTransaction((tx) => resumePayments(tx, one.reseller.id))).toEqual(['scripted']);
  expect(await one.paySecond()).toMatchObject({ data: { status: 'succeeded' } });
});
