import type { SetupAnswer } from '@counterfoil/contract/paying/payment-methods.ts';
import { addDays, dayOfUtcMs } from '@counterfoil/domain/time/day.ts';
import type { TestMethod } from '@counterfoil/gateways/cases/data.ts';
import { type OperationId, whyLacking } from '@counterfoil/gateways/cases/list/operations.ts';
import { debitSchemes } from '@counterfoil/gateways/port/saved-manifest.ts';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { autoPayRound } from '../../../src/features/auto-pay/service.ts';
import { refundPayment } from '../../../src/features/payments/refunds/refund.ts';
import type { Payable } from '../../fixtures/operations-fixture.ts';
import { brokenRules } from '../../fixtures/paying/books.ts';
import { type Person, useGatewayRun } from '../../fixtures/paying/gateways/gateway-run.ts';
import {
  decideHeld,
  faultTable,
  NOTHING_WRONG,
  wrongs,
} from '../../fixtures/paying/gateways/journal-report.ts';
import { testedGateways } from '../../fixtures/paying/gateways/tested-gateways.ts';
import { PROVES } from '../../simulation/seeded.ts';

/**
 * Every gateway through the whole server and its sandbox: what people do with it in the portal, and what goes wrong on the way.
 * Afterwards the sandbox's journal says what was really taken, and what the books and the payers say must agree with it. What a
 * gateway lacks, its manifest says (`packages/gateways/src/cases/list/operations.ts`).
 */
const DAY_MS = 24 * 3_600_000;
/** Of one call each; the rest with `npm run prove`. */
const MODES = ['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'malformed'];
const MORE_MODES = ['slow', 'late', 'replay-500', 'rate-limit', 'lock-timeout'];
const modes = PROVES ? [...MODES, ...MORE_MODES] : MODES;
const fewModes = PROVES ? modes : ['timeout-before', 'timeout-after'];
/** Where a call that never arrived takes the way that a payment with a saved method shows: with `npm run prove`. */
const arrived = (mode: string) => PROVES || mode !== 'timeout-before';

describe.each(testedGateways)('$name', (gateway) => {
  const { manifest, data, methods, good, minor } = gateway;
  // All of `MODES` are over when their call is.
  const me = useGatewayRun(gateway, {}, { prompt: !PROVES });
  const { sandbox, run } = me;
  /** What each attempt went through. */
  const went = new Map<string, string>();
  const decided = new Set<string>();
  const decide = async () => {
    for (const id of await decideHeld(me)) decided.add(id);
  };
  const lacks = (id: OperationId) => whyLacking(id, manifest) !== undefined;

  afterEach(() => sandbox.control('DELETE', 'faults'));
  afterAll(async () => {
    process.stdout.write(await faultTable(me, went, decided));
  });

  const invoiceOf = async (id: string) =>
    (
      await run.rows<{ status: number; due: number; held: number }>(
        'select status, due_minor::int as due, held_minor::int as held from invoice where id = $1',
        [id],
      )
    )[0];
  const PAID = { status: 11, due: 0, held: 0 };
  const attemptsOf = (customerId: string) =>
    run.rows<{ id: string; ref: string; state: string; direction: string }>(
      'select id, ref, state, direction from attempt where customer_id = $1 order by id',
      [customerId],
    );
  const chargesOf = async (customerId: string) => {
    const refs = new Set((await attemptsOf(customerId)).map(({ ref }) => ref));
    return (await sandbox.charges()).filter(({ reference }) => refs.has(reference ?? ''));
  };
  const agrees = async () => {
    expect(await wrongs(me)).toEqual(NOTHING_WRONG);
    expect(await brokenRules(sandbox.fixture.database.pool())).toEqual({});
  };
  /** Pays, and waits until it is known. */
  async function pays(who: Person, invoices: readonly Payable[], cardId: string) {
    const asking = await who.bulk(invoices, cardId);
    const answer = await me.send(asking);
    expect(answer.status, answer.text).toBe(200);
    await me.settle();
    for (const { id } of invoices) expect(await invoiceOf(id)).toEqual(PAID);
    return answer.data;
  }
  /** Somebody with a saved method and an invoice that it has paid. */
  async function paid(method: TestMethod = good) {
    const who = await me.person();
    const saved = await who.save(method);
    const invoice = await who.bill();
    await pays(who, [invoice], saved.id);
    const [capture] = await run.rows<{ id: string }>('select id from capture where customer_id = $1', [
      who.id,
    ]);
    return { who, saved, invoice, captureId: capture?.id ?? '' };
  }
  const added = async (method: TestMethod | undefined) => {
    if (method === undefined) throw new Error(`${gateway.name} has no test data for what its manifest says`);
    const who = await me.person();
    const saved = await who.save(method);
    expect(saved).toMatchObject({ kind: method.kind, isDefault: true, status: 'ready' });
    expect(saved.last4).toMatch(/^\d{2,4}$/);
    const invoice = await who.bill();
    await pays(who, [invoice], saved.id);
    expect((await chargesOf(who.id)).map((one) => one.minor)).toEqual([Number(minor)]);
    await agrees();
  };

  it.skipIf(lacks('addCard'))('a card is added, shown, and pays', () => added(methods.card));

  it.skipIf(lacks('addBank'))('a bank account is added, shown, and is debited', () => added(methods.bank));

  it.skipIf(lacks('edit'))(
    'what may be changed of a saved method is changed, and it pays still',
    async () => {
      const who = await me.person();
      const saved = await who.save(good);
      const { expMonth, expYear, name } = data.change?.() ?? {};
      const change = {
        ...(expMonth !== undefined && { expMonth: Number(expMonth) }),
        ...(expYear !== undefined && { expYear: Number(expYear) }),
        ...(name !== undefined && { name }),
      };
      expect(Object.keys(change)).not.toEqual([]);
      const changed = await who.call('PUT', manifest.saved?.paths.cards ?? '', { id: saved.id, ...change });
      expect(changed.data, changed.text).toMatchObject(change);
      expect(await who.methods()).toMatchObject([{ id: saved.id, ...change }]);
      await pays(who, [await who.bill()], saved.id);
      await agrees();
    },
  );

  it.skipIf(lacks('default'))(
    'the second of two methods is made the default, and the first follows it when it is removed',
    async () => {
      const who = await me.person();
      const first = await who.save(good);
      const second = await who.save(methods.card && methods.bank ? methods.bank : (data.other ?? good));
      const paths = manifest.saved?.paths;
      const set = await who.call('PUT', paths?.defaultSource ?? '', { id: second.id });
      expect(set.status, set.text).toBe(204);
      const defaults = async () => (await who.methods()).filter((one) => one.isDefault).map(({ id }) => id);
      expect(await defaults()).toEqual([second.id]);
      expect((await who.remove(second)).status).toBe(204);
      await me.settle();
      expect(await defaults()).toEqual([first.id]);
    },
  );

  it.skipIf(lacks('remove'))('a removed method is gone, and pays nothing more', async () => {
    const who = await me.person();
    const saved = await who.save(good);
    const invoice = await who.bill();
    const asking = await who.bulk([invoice], saved.id);
    expect((await who.remove(saved)).status).toBe(204);
    await me.settle();
    expect(await who.methods()).toEqual([]);
    expect((await me.send(asking)).status).toBeGreaterThanOrEqual(400);
    expect(await chargesOf(who.id)).toEqual([]);
  });

  it.skipIf(lacks('payPage'))('a link is paid by a method that is not kept', async () => {
    const once = debitSchemes(manifest.saved).filter((one) => one.once === true);
    const { card, bank } = methods;
    const isOnce = once.some(({ scheme }) => scheme === bank?.scheme);
    for (const method of [card, isOnce ? bank : undefined]) {
      if (method === undefined) continue;
      const who = await me.person();
      const invoice = await who.bill();
      const answer = await me.send(await me.link(invoice, method));
      expect(answer.data, answer.text).toMatchObject({
        status: manifest.capabilities.settles[method.kind] === 'later' ? 'processing' : 'succeeded',
      });
      await me.settle();
      expect(await invoiceOf(invoice.id)).toEqual(PAID);
      expect(await chargesOf(who.id)).toMatchObject([{ minor: Number(minor) }]);
      expect(await who.methods()).toEqual([]);
    }
    await agrees();
  });

  it.skipIf(lacks('bulk'))('three invoices are paid at once by a saved method, in one charge', async () => {
    const who = await me.person();
    const saved = await who.save(good);
    const invoices = [await who.bill(), await who.bill(), await who.bill()];
    await pays(who, invoices, saved.id);
    expect((await chargesOf(who.id)).map((one) => one.minor)).toEqual([3 * Number(minor)]);
    await agrees();
  });

  it.skipIf(lacks('autoPay'))(
    'auto-pay announces an invoice and charges the saved method once on the day',
    async () => {
      const now = () => sandbox.fixture.clock.now().getTime();
      // To noon, so that three days more are noon again.
      await sandbox.advance(DAY_MS - ((now() - DAY_MS / 2) % DAY_MS));
      const { resellerId } = sandbox.customer;
      const deps = { ...sandbox.fixture.engine, publicUrl: new URL('http://localhost:3000') };
      const round = () => autoPayRound(deps, { resellerId });
      const who = await me.person();
      await who.save(good);
      const consent = await who.call('PUT', '/v1/ec/allow-reseller-charge', { allowResellerCharge: true });
      expect(consent.status, consent.text).toBe(200);
      const invoice = await who.bill({ dueOn: addDays(dayOfUtcMs(now()), 3) });
      await round();
      expect(await chargesOf(who.id)).toEqual([]);
      await sandbox.advance(3 * DAY_MS);
      await Promise.all([round(), round()]);
      await me.settle();
      await round();
      expect(await invoiceOf(invoice.id)).toEqual(PAID);
      expect((await chargesOf(who.id)).map((one) => one.minor)).toEqual([Number(minor)]);
      await agrees();
    },
  );

  const refundOf = async (customerId: string, captureId: string, part: bigint | undefined) => {
    const key = { by: 'amount', after: null } as const;
    const order = { customerId, captureId, minor: part, by: 'operator', note: 'agreed', key };
    return (await refundPayment(sandbox.fixture.engine, order)).attempt;
  };

  it.skipIf(lacks('refund'))('a part is refunded, then the rest, and no more', async () => {
    const { who, captureId } = await paid();
    // Some gateways refund only what was settled.
    await sandbox.advance(2 * DAY_MS);
    await me.follow();
    const part = minor / 2n;
    for (const minorPart of [part, undefined]) {
      await refundOf(who.id, captureId, minorPart);
      await me.settle();
    }
    await expect(refundOf(who.id, captureId, 1n)).rejects.toThrow('nothing of this payment is left');
    expect(await attemptsOf(who.id)).toMatchObject([
      { state: 'succeeded' },
      { direction: 'refund', state: 'succeeded' },
      { direction: 'refund', state: 'succeeded' },
    ]);
    expect(await chargesOf(who.id)).toMatchObject([{ refundedMinor: Number(minor) }]);
    await agrees();
  });

  it.skipIf(lacks('lateFailure'))(
    'a debit that the bank returns makes its invoice due again, and another pays it',
    async () => {
      const { bank } = methods;
      if (bank === undefined) throw new Error('there is no account');
      const who = await me.person();
      const [returned] = bank.returned;
      const saved = await who.save(returned ?? bank);
      const invoice = await who.bill();
      // Where no account of the test data comes back by itself, the sandbox is told to return this debit.
      if (returned === undefined) await me.fault('charge', 'late-failure', { ms: 4 * DAY_MS });
      const answer = await me.send(await who.bulk([invoice], saved.id));
      expect(answer.data, answer.text).toMatchObject({ status: 'processing', expected: 'days' });
      await me.settle();
      for (let day = 0; day < 10 && (await invoiceOf(invoice.id))?.due === 0; day += 1) {
        await sandbox.advance(DAY_MS);
        await me.follow();
      }
      expect(await invoiceOf(invoice.id)).toEqual({ status: 10, due: Number(minor), held: 0 });
      const other = await who.save(methods.card ?? data.other ?? bank);
      await pays(who, [invoice], other.id);
      await agrees();
    },
  );

  it.skipIf(lacks('recovery')).each(fewModes)(
    'a payment whose answer never came is found out: %s',
    async (mode) => {
      const who = await me.person();
      const saved = await who.save(good);
      const invoice = await who.bill();
      const asking = await who.bulk([invoice], saved.id);
      await me.fault('charge', mode);
      const answer = await me.send(asking);
      expect([200, 503], answer.text).toContain(answer.status);
      // Pressed again by an impatient payer.
      await me.send(asking);
      await me.settle();
      for (const { id } of await attemptsOf(who.id)) went.set(id, `saved method: ${mode}`);
      await decide();
      const captured = (await chargesOf(who.id)).length;
      expect(captured).toBeLessThanOrEqual(1);
      expect((await invoiceOf(invoice.id))?.due).toBe(captured === 1 ? 0 : Number(minor));
      // Whatever it came to, what is due still can be paid.
      if (captured === 0) await pays(who, [invoice], saved.id);
      await agrees();
    },
  );

  it.skipIf(lacks('payPage')).each(modes.filter(arrived))('a link is paid once: %s', async (mode) => {
    const who = await me.person();
    const invoice = await who.bill();
    const asking = await me.link(invoice, good);
    await me.fault('charge', mode);
    const answer = await me.send(asking);
    expect(answer.status, answer.text).toBe(200);
    await me.send(asking);
    await me.settle();
    for (const { id } of await attemptsOf(who.id)) went.set(id, `pay link: ${mode}`);
    await decide();
    const captured = (await chargesOf(who.id)).length;
    expect((await invoiceOf(invoice.id))?.due).toBe(captured === 0 ? Number(minor) : 0);
    await agrees();
  });

  // What is carried out after a person has looked, because nothing else can, is no one's fault here.
  const isLookedUp = manifest.capabilities.refundLookup.length > 0;
  const refundModes = fewModes.filter((mode) => mode !== 'late' || isLookedUp);
  it.skipIf(lacks('refund')).each(refundModes)('a refund goes out once: %s', async (mode) => {
    const { who, captureId } = await paid();
    await sandbox.advance(2 * DAY_MS);
    await me.follow();
    await me.fault('refund', mode);
    // Pressed again by an impatient operator.
    for (let press = 0; press < 2; press += 1)
      await refundOf(who.id, captureId, minor / 2n).catch(() => undefined);
    await me.settle();
    await decide();
    const [charge] = await chargesOf(who.id);
    const refunds = (await attemptsOf(who.id)).filter(({ direction }) => direction === 'refund');
    const done = refunds.filter(({ state }) => state === 'succeeded');
    expect(done.length).toBeLessThanOrEqual(1);
    expect(charge?.refundedMinor).toBe(done.length * Number(minor / 2n));
    for (const { state } of refunds) expect(['succeeded', 'absent', 'notAttempted']).toContain(state);
    await agrees();
  });

  it.skipIf(lacks('default')).each(fewModes.filter(arrived))(
    'a method is saved once, or not: %s',
    async (mode) => {
      const who = await me.person();
      await me.fault('save', mode);
      const answer = await who.trySave(good);
      expect([200, 400, 503], answer.text).toContain(answer.status);
      await sandbox.control('DELETE', 'faults');
      await me.settle();
      const found = await who.methods();
      expect(found.length).toBeLessThanOrEqual(1);
      // What was called saved is there.
      if ((answer.data as SetupAnswer | undefined)?.status === 'succeeded') expect(found).toHaveLength(1);
      const saved = found[0] ?? (await who.save(good));
      await pays(who, [await who.bill()], saved.id);
      await agrees();
    },
  );
});
