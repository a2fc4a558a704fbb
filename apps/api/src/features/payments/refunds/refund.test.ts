import { money } from '@counterfoil/domain/money/money.ts';
import type { Outcome } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it, vi } from 'vitest';
import { fixture, hook, rows } from '../../../../test/fixtures/paying/engine-fixture.ts';
import { done, orders, paid } from '../../../../test/fixtures/paying/refund-fixture.ts';
import { webhookProgram } from '../../../../test/fixtures/webhooks/webhook-program.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { findPayment } from '../../admin-payments/queries.ts';
import { reconcile } from '../attempts/reconcile.ts';
import { RefundRefused, refundPayment, settleRefund } from './refund.ts';

describe('refunding', () => {
  it('refunds in parts up to what was taken, names who and why, and leaves the invoice paid', async () => {
    const one = await paid();
    const first = await one.back(1_000n);
    expect(first).toMatchObject({ state: 'succeeded', direction: 'refund' });
    await one.back();
    expect(orders.map(({ amount, of }) => [amount.minor, of.refundedBefore.minor])).toEqual([
      [1_000n, 0n],
      [10_000n, 1_000n],
    ]);
    expect(await one.reversals()).toEqual([
      { kind: 'refund', n: '1000' },
      { kind: 'refund', n: '10000' },
    ]);
    expect(await one.invoiceNow()).toEqual({ status: 11, due: '0' });
    const [told] = await rows('select evidence, cause from transition where attempt_id = $1 and seq = 0', [
      first.id,
    ]);
    expect(told).toEqual({ evidence: { by: 'op', note: 'paid twice' }, cause: 'operator' });
    await expect(one.back()).rejects.toThrow('nothing of this payment is left');
  });

  it('is one with its webhook, whichever comes first', async () => {
    const one = await paid();
    const { ref } = await one.back(500n);
    const [capture] = await rows<{ remote: string }>('select remote from capture where customer_id = $1', [
      one.customer.id,
    ]);
    const of = remoteId(capture?.remote ?? '');
    const late = {
      kind: 'refund',
      remote: remoteId(`b_${ref}`),
      of,
      amount: money(500n, 'USD'),
      code: 'x',
    } as const;
    fixture.gateway.onWebhook = () => [
      { id: `e_${ref}`, about: 'refund', remote: late.remote, reversal: late },
    ];
    await hook(one.reseller.id);
    expect(await one.reversals()).toHaveLength(1);
  });

  it.each([
    [0n, 'nothing, or less, cannot be refunded'],
    [11_001n, 'no more than 110.00 USD of this payment is left'],
    [-5n, 'nothing, or less, cannot be refunded'],
  ])('refuses %s, and nothing is written', async (minor, message) => {
    const one = await paid();
    await expect(one.back(minor)).rejects.toThrow(RefundRefused);
    await expect(one.back(minor)).rejects.toThrow(message);
    expect(
      await rows("select 1 from attempt where customer_id = $1 and direction = 'refund'", [one.customer.id]),
    ).toEqual([]);
  });

  it('refuses what the gateway cannot refund so finely, and says so', async () => {
    const one = await paid();
    const { capabilities } = fixture.gateway.module.manifest as unknown as {
      capabilities: { amountIncrement?: Record<string, number> };
    };
    capabilities.amountIncrement = { USD: 10 };
    await expect(one.back(1_005n)).rejects.toThrow('refunds USD only in steps of 0.10 USD');
    expect(await one.back(1_000n)).toMatchObject({ state: 'succeeded' });
    delete capabilities.amountIncrement;
  });

  it('ordered by many at once gives no more than was taken; the same key is the same order', async () => {
    const one = await paid();
    const many = await Promise.allSettled(Array.from({ length: 8 }, () => one.back(3_000n)));
    expect(many.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const same = await Promise.all(
      Array.from({ length: 4 }, () => one.back(100n, { by: 'caller', key: 'k' })),
    );
    expect(new Set(same.map(({ ref }) => ref)).size).toBe(1);
    expect(orders).toHaveLength(4);
  });

  it.each([
    ['it went back', true, 'succeeded', 1],
    ['it did not', false, 'absent', 0],
  ] as const)('with an unknown outcome is found out: %s', async (_name, isThere, state, count) => {
    const one = await paid();
    fixture.gateway.onRefund = async (order) => {
      orders.push(order);
      return { is: 'unknown', evidence: 'cut' };
    };
    fixture.gateway.onLookupRefund = async (order) =>
      isThere ? done(order) : { is: 'absent', proven: true };
    const row = await one.back(700n);
    expect(row.state).toBe('unknown');
    // What may have gone back cannot be refunded again meanwhile.
    await expect(one.back()).resolves.toMatchObject({ amount_minor: 10_300n });
    fixture.clock.advance(60_000);
    await reconcile(fixture.engine);
    const [after] = await rows<{ state: string }>('select state from attempt where id = $1', [row.id]);
    expect(after?.state).toBe(state);
    expect((await one.reversals()).filter(({ n }) => n === '700')).toHaveLength(count);
  });

  describe('by a process that stands still between its commit and its call', () => {
    const stalled = async (one: Awaited<ReturnType<typeof paid>>) => {
      const isCommitted = Promise.withResolvers<void>();
      const goesOn = Promise.withResolvers<void>();
      const { db } = fixture.engine;
      const transaction = async <T>(work: (tx: Tx) => Promise<T>) => {
        const result = await db.transaction(work);
        isCommitted.resolve();
        await goesOn.promise;
        return result;
      };
      const slow = {
        transaction,
        one: db.one.bind(db),
        many: db.many.bind(db),
        maybeOne: db.maybeOne.bind(db),
        execute: db.execute.bind(db),
      } as Database;
      const back = refundPayment(
        { ...fixture.engine, db: slow },
        { ...one.order, minor: 700n, key: { by: 'caller', key: 'slow' } },
      );
      await isCommitted.promise;
      // As an adapter says it: nothing that was sent so long ago can still arrive.
      fixture.gateway.onLookupRefund = async ({ lastSentAt }) => ({
        is: 'absent',
        proven: fixture.clock.now().getTime() - lastSentAt.getTime() >= 120_000,
      });
      return { back, goesOn };
    };
    const stateOf = async (one: Awaited<ReturnType<typeof paid>>) =>
      (
        await rows<{ state: string }>(
          "select state from attempt where customer_id = $1 and direction = 'refund'",
          [one.customer.id],
        )
      )[0]?.state;

    it('counts from its call: its absence is no proof yet', async () => {
      const one = await paid();
      const isCalled = Promise.withResolvers<void>();
      const arrives = Promise.withResolvers<void>();
      fixture.gateway.onRefund = async (order) => {
        isCalled.resolve();
        await arrives.promise;
        return done(order);
      };
      const { back, goesOn } = await stalled(one);
      fixture.clock.advance(119_000);
      goesOn.resolve();
      await isCalled.promise;
      fixture.clock.advance(5_000);
      await reconcile(fixture.engine);
      expect(await stateOf(one)).toMatch(/^(sending|unknown)$/);
      arrives.resolve();
      await back;
      await vi.waitFor(async () => expect(await stateOf(one)).toBe('succeeded'), 10_000);
      expect(await one.reversals()).toEqual([{ kind: 'refund', n: '700' }]);
    });

    it('gives nothing back once it was found absent', async () => {
      const one = await paid();
      const { back, goesOn } = await stalled(one);
      fixture.clock.advance(121_000);
      await reconcile(fixture.engine);
      expect(await stateOf(one)).toBe('absent');
      goesOn.resolve();
      expect(await back).toMatchObject({ attempt: { state: 'absent' } });
      expect(orders).toEqual([]);
    });
  });

  describe('ordered without a key of its own', () => {
    const plain = { by: 'amount', after: null } as const;
    const onTopOf = (ref: string) => ({ by: 'amount', after: ref }) as const;

    it('goes out once however often it is pressed, also at once; once more only by naming the first', async () => {
      const one = await paid();
      const pressed = await Promise.all(Array.from({ length: 4 }, () => one.back(1_000n, plain)));
      const [first] = pressed;
      expect(new Set(pressed.map(({ ref }) => ref))).toEqual(new Set([first?.ref]));
      const again = await one.back(1_000n, onTopOf(first?.ref ?? ''));
      expect(again.ref).not.toBe(first?.ref);
      expect((await one.back(1_000n, onTopOf(first?.ref ?? ''))).ref).toBe(again.ref);
      expect((await one.back(1_000n, plain)).ref).toBe(first?.ref);
      const third = await one.back(1_000n, onTopOf(again.ref));
      expect(orders.map(({ ref }) => ref)).toEqual([first?.ref, again.ref, third.ref]);
      // Another amount is another order.
      expect(await one.back(1_001n, plain)).toMatchObject({ state: 'succeeded' });
      expect(orders).toHaveLength(4);
    });

    it('of all that is left is the first, too, until something is left again', async () => {
      const one = await paid();
      const first = await one.back(undefined, plain);
      expect((await one.back(undefined, plain)).ref).toBe(first.ref);
      expect(orders).toHaveLength(1);
      const other = await paid();
      fixture.gateway.onRefund = async (order) =>
        ({ ...done(order), captured: money(600n, 'USD') }) as Outcome;
      await other.back(undefined, plain);
      fixture.gateway.onRefund = async (order) => done(order);
      expect(await other.back(undefined, plain)).toMatchObject({ amount_minor: 10_400n });
    });

    it('is the first while its outcome is unknown, and another try once it certainly gave nothing', async () => {
      const one = await paid();
      fixture.gateway.onRefund = async () => ({ is: 'unknown', evidence: 'cut' });
      const first = await one.back(700n, plain);
      expect(await one.back(700n, plain)).toMatchObject({ ref: first.ref, state: 'unknown' });
      fixture.clock.advance(60_000);
      await reconcile(fixture.engine);
      fixture.gateway.onRefund = async (order) => done(order);
      const next = await one.back(700n, plain);
      expect([next.ref === first.ref, next.state]).toEqual([false, 'succeeded']);
      expect((await one.back(700n, plain)).ref).toBe(next.ref);
      expect(await one.reversals()).toEqual([{ kind: 'refund', n: '700' }]);
      await expect(one.back(700n, onTopOf(first.ref))).rejects.toThrow('gave nothing back (absent)');
    });

    it.each([
      ['a refund of nobody', 'NOBODY000000000000', 'is no refund of this payment'],
      ['one of another amount', undefined, 'was for 5.00 USD, not for this amount'],
    ])('%s named as the first is refused', async (_name, ref, message) => {
      const one = await paid();
      const named = ref ?? (await one.back(500n)).ref;
      const before = orders.length;
      await expect(one.back(700n, onTopOf(named))).rejects.toThrow(message);
      expect(orders).toHaveLength(before);
    });

    it('of another payment is no first of this one', async () => {
      const [one, other] = [await paid(), await paid()];
      const theirs = await other.back(700n, plain);
      expect((await one.back(700n, plain)).ref).not.toBe(theirs.ref);
      await expect(one.back(700n, onTopOf(theirs.ref))).rejects.toThrow('is no refund of this payment');
    });
  });

  it('with a key that was used for another amount is refused, and does not read as refunded', async () => {
    const one = await paid();
    await one.back(1_000n, { by: 'caller', key: 'k' });
    await expect(one.back(2_000n, { by: 'caller', key: 'k' })).rejects.toThrow(
      'this key was used before, for 10.00 USD',
    );
    expect((await one.back(1_000n, { by: 'caller', key: 'k' })).amount_minor).toBe(1_000n);
    expect(orders).toHaveLength(1);
  });

  it('of another amount than was ordered is booked as it went back, and the rest can be ordered', async () => {
    const one = await paid();
    fixture.gateway.onRefund = async (order) => ({ ...done(order), captured: money(600n, 'USD') }) as Outcome;
    const row = await one.back(1_000n);
    expect(row).toMatchObject({ state: 'succeeded' });
    expect(await one.reversals()).toEqual([{ kind: 'refund', n: '600' }]);
    expect(await findPayment(fixture.deps.databases.web, row.ref)).toMatchObject({ wentBack: '6.00' });
    fixture.gateway.onRefund = async (order) => done(order);
    expect(await one.back()).toMatchObject({ state: 'succeeded', amount_minor: 10_400n });
  });

  it('that went back after it had ended otherwise is booked all the same, once', async () => {
    const one = await paid();
    fixture.gateway.onRefund = async () => ({ is: 'unknown', evidence: 'cut' });
    const row = await one.back(700n);
    fixture.clock.advance(60_000);
    await reconcile(fixture.engine);
    const key = { customerId: row.customer_id, attemptId: row.id };
    const found = {
      is: 'succeeded',
      remote: remoteId('re_9'),
      captured: money(700n, 'USD'),
      state: {},
    } as const;
    for (let times = 0; times < 2; times += 1)
      expect(await settleRefund(fixture.engine, key, found, 'response')).toMatchObject({ state: 'absent' });
    expect(await one.reversals()).toEqual([{ kind: 'refund', n: '700' }]);
  });

  it('that is declined takes nothing from anybody, is told, and may be tried again', async () => {
    const one = await paid();
    const program = await webhookProgram(fixture, one.reseller.id);
    await program.listen();
    fixture.gateway.onRefund = async () => ({
      is: 'declined',
      why: { class: 'otherMethod', code: 'x', text: 'It could not be delivered' },
    });
    const declined = await one.back();
    expect(declined).toMatchObject({ state: 'declined' });
    expect(await one.reversals()).toEqual([]);
    expect(await program.told()).toMatchObject([
      {
        type: 'payment.refund_failed',
        data: {
          id: declined.id,
          direction: 'refund',
          amount: '110.00',
          failure: { class: 'otherMethod', code: 'x' },
        },
      },
    ]);
    fixture.gateway.onRefund = async (order) => done(order);
    expect(await one.back()).toMatchObject({ state: 'succeeded' });
  });
});
