/** What the adapter makes of the API, in its sandbox. What every gateway must do is asked by the cases. */
import { money } from '@counterfoil/domain/money/money.ts';
import { nowhere } from '@counterfoil/testing/ports.ts';
import { describe, expect, it } from 'vitest';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { type Opened, testPerson as person, polled } from '../cases/test-support.ts';
import type { Charge, Gateway, GatewayState, Method, Outcome, Refund, SetupResult } from '../port/gateway.ts';
import { newGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { answerPage, order, simulate } from './cases-data.ts';
import { advance, bsb, day, harness, now, open, strategy } from './test-support.ts';

const run = (name: string, resource: string) => simulate(open().account, name, resource);

const returnTo = 'https://portal.example/payment-types?req_uid=1';

function begin(gateway: Gateway, payer?: GatewayState, ref = newGatewayRef(), scheme = 'becs') {
  const begun = gateway.beginSetup?.({ ref, payer, person, kind: 'bank', scheme, returnTo });
  if (begun === undefined) throw new Error('nothing can be saved');
  return begun;
}
function complete(gateway: Gateway, step: GatewayState): Promise<SetupResult> {
  const input = { fields: {} };
  const done = gateway.completeSetup?.({ ref: newGatewayRef(), payer: {}, step, input, returnTo });
  if (done === undefined) throw new Error('nothing can be saved');
  return done;
}

/** A mandate that was given on the page. */
async function saved(
  { gateway }: Opened,
  payer?: GatewayState,
): Promise<{ method: Method; payer: GatewayState }> {
  const begun = await begin(gateway, payer);
  if (begun.result.is !== 'continue' || begun.result.action.do !== 'redirect')
    throw new Error(begun.result.is);
  await answerPage(begun.result.action.to, bsb);
  const done = await complete(gateway, begun.result.state);
  if (done.is !== 'saved') throw new Error(done.is);
  return { method: done.method, payer: begun.payer ?? {} };
}

async function read({ gateway }: Opened, { state }: Method): Promise<Method> {
  const found = await gateway.getMethod?.(state);
  if (found?.is !== 'there') throw new Error(found?.is);
  return found.method;
}

const charged = (method: Method, over: Partial<Charge> = {}): Charge =>
  testCharge({ source: { saved: method.state }, sentAt: now(), ...over });
const nothing = () => Promise.resolve();

async function underWay({ gateway }: Opened, charge: Charge): Promise<Extract<Outcome, { is: 'pending' }>> {
  const outcome = await gateway.charge(charge, nothing);
  if (outcome.is !== 'pending') throw new Error(outcome.is);
  return outcome;
}
/** A refund of what was taken, on its way. */
async function refunded({ gateway }: Opened, charge: Charge, over: Partial<Refund> = {}) {
  const paid = await gateway.lookup(charge, undefined, strategy('scan'));
  if (paid.is !== 'succeeded') throw new Error(paid.is);
  const asked = testRefund(charge, paid, over);
  const refund = await gateway.refund(asked);
  if (refund.is !== 'pending') throw new Error(refund.is);
  return { asked, refund };
}
const kinds = async ({ gateway }: Opened, charge: Charge, state: GatewayState) => {
  const told = await gateway.listReversals?.(charge, state);
  return told === undefined || told === 'inconclusive' ? told : told.reversals.map(({ kind }) => kind);
};

describe('a setup', () => {
  it('that is begun again under its reference makes one billing request, and the customer is known from then on', async () => {
    const one = open();
    const ref = newGatewayRef();
    const first = await begin(one.gateway, undefined, ref);
    const again = await begin(one.gateway, undefined, ref);
    expect(first.payer).toEqual(again.payer);
    expect(first.result).toMatchObject({ is: 'continue', action: { do: 'redirect' } });
    const { method, payer } = await saved(one, first.payer);
    expect(payer).toEqual(first.payer);
    expect(method.state['customer']).toBe(payer['customer']);
  });

  it('whose billing request was cancelled is refused; a scheme that there is not is not begun', async () => {
    const { gateway, account } = open();
    const begun = await begin(gateway);
    const { state = {} } = begun.result as { state?: GatewayState };
    await order(account, `/billing_requests/${state['request']}/actions/cancel`, {});
    expect((await complete(gateway, state)).is).toBe('refused');
    const other = await begin(gateway, undefined, newGatewayRef(), 'faster');
    expect(other.result).toMatchObject({ is: 'notAttempted', why: 'invalid' });
  });
});

describe('a mandate', () => {
  it('that was replaced is charged by its successor, found there, and stays the same method', async () => {
    const one = open();
    const { method } = await saved(one);
    await run('own_mandate_replaced', method.remote);
    const charge = charged(method);
    const { state } = await underWay(one, charge);
    expect((await one.gateway.lookup(charge, undefined, strategy('replay'))).is).toBe('pending');
    expect(await one.gateway.lookup(charge, undefined, strategy('scan'))).toMatchObject({
      is: 'pending',
      remote: state['payment'],
    });
    const now = await read(one, method);
    expect([now.remote, now.fingerprint]).toEqual([method.remote, method.fingerprint]);
    expect(now.mandate?.remote).not.toBe(method.mandate?.remote);
  });

  it.each([
    ['mandate_suspended_by_payer', 'never', 'suspended'],
    ['own_mandate_blocked', 'never', 'dead'],
    ['mandate_expired', 'never', 'dead'],
    ['mandate_transferred', 'now', 'active'],
  ])('16: after %s can be used %s', async (simulator, usable, state) => {
    const one = open();
    const { method } = await saved(one);
    // Its first payment activates it.
    const { remote } = await underWay(one, charged(method));
    await run('payment_submitted', remote);
    await run(simulator, method.remote);
    const now = await read(one, method);
    expect(now).toMatchObject({ usable, mandate: { state } });
    const isMoved = simulator === 'mandate_transferred';
    expect(now.fingerprint === method.fingerprint).toBe(!isMoved);
    if (usable === 'never') {
      const refused = await one.gateway.charge(charged(method), nothing);
      expect(refused).toMatchObject({ is: 'notAttempted', why: 'methodGone' });
    }
  });

  it('is not removed while a debit is on its way, which that would cancel', async () => {
    const one = open();
    const { method } = await saved(one);
    const { remote } = await underWay(one, charged(method));
    expect(await one.gateway.removeMethod?.(method.state)).toBe('inUse');
    await run('payment_paid_out', remote);
    expect(await one.gateway.removeMethod?.(method.state)).toBe('gone');
  });

  it('is removed without the other one that stands on the same account', async () => {
    const one = open();
    const first = await saved(one);
    const second = await saved(one, first.payer);
    expect(second.method.fingerprint).toBe(first.method.fingerprint);
    expect(await one.gateway.removeMethod?.(first.method.state)).toBe('gone');
    expect((await one.gateway.getMethod?.(second.method.state))?.is).toBe('there');
    expect((await underWay(one, charged(second.method))).is).toBe('pending');
  });
});

describe('a charge', () => {
  it('14, 37: whose answer was lost is found by its reference: one payment', async () => {
    const one = open();
    const { method } = await saved(one);
    const charge = charged(method);
    await harness.fault({ operation: 'charge', mode: 'reset-after' });
    expect((await one.gateway.charge(charge, nothing)).is).toBe('unknown');
    const found = await one.gateway.lookup(charge, undefined, strategy('replay'));
    expect(found.is).toBe('pending');
    expect(await one.gateway.lookup(charge, undefined, strategy('scan'))).toEqual(found);
    expect(
      await one.gateway.lookupByRemoteId?.(
        charged(method),
        remoteId('remote' in found ? (found.remote ?? '') : ''),
      ),
    ).toMatchObject({ is: 'inconclusive' });
  });

  it.each([
    ['a page', 'lookup-down'],
    ['a plain string', 'lock-timeout'],
  ] as const)('31: that is answered by %s is unknown, and made once', async (_what, mode) => {
    const one = open();
    const { method } = await saved(one);
    const charge = charged(method);
    await harness.fault({ operation: 'charge', mode });
    expect((await one.gateway.charge(charge, nothing)).is).toBe('unknown');
    expect((await one.gateway.lookup(charge, undefined, strategy('scan'))).is).toBe('absent');
    expect((await one.gateway.lookup(charge, undefined, strategy('replay'))).is).toBe('pending');
  });

  it('30: waits at the rate limit to look, and is not sent again by it', async () => {
    const one = open();
    const { method } = await saved(one);
    const { state } = await underWay(one, charged(method));
    const charge = charged(method);
    await harness.fault({ operation: 'charge', mode: 'rate-limit' });
    one.sent.length = 0;
    expect(await one.gateway.charge(charge, nothing)).toMatchObject({
      is: 'notAttempted',
      why: 'unreachable',
    });
    expect(one.sent).toMatchObject([{ method: 'POST', path: '/gocardless/api/payments' }]);
    await harness.fault({ operation: 'find', mode: 'rate-limit', times: 2 });
    one.sent.length = 0;
    await one.gateway.lookup(charge, state, strategy('remote'));
    expect(one.sent).toHaveLength(3);
    expect(one.pauses).toHaveLength(2);
    expect(one.pauses.every((ms) => ms >= 100 && ms <= 3_000)).toBe(true);
  });

  it('in another currency than its mandate, or of anything but a mandate, is not sent', async () => {
    const one = open();
    const { method } = await saved(one);
    one.sent.length = 0;
    for (const over of [
      { amount: money(100n, 'EUR') },
      { source: 'lost' as const },
      { source: { token: 't' } },
    ])
      expect(await one.gateway.charge(charged(method, over), nothing)).toMatchObject({ why: 'invalid' });
    expect(one.sent).toEqual([]);
  });

  it('is sent again by its key no longer than half an hour, for nobody knows how long that lives', async () => {
    const one = open();
    const { method } = await saved(one);
    const old = charged(method, { sentAt: new Date(now().getTime() - 31 * 60_000) });
    one.sent.length = 0;
    expect((await one.gateway.lookup(old, undefined, strategy('replay'))).is).toBe('inconclusive');
    expect(one.sent).toEqual([]);
  });
});

describe('what becomes of a debit', () => {
  it('33: one that is collected again by itself stays on its way, and is taken once', async () => {
    const one = open();
    const { method } = await saved(one);
    const charge = charged(method);
    const { remote, state } = await underWay(one, charge);
    const look = () => one.gateway.lookup(charge, state, strategy('remote'));
    await run('own_payment_failed_to_be_retried', remote);
    expect(await look()).toMatchObject({ is: 'pending', because: 'bank' });
    await run('own_payment_resubmitted', remote);
    expect((await look()).is).toBe('pending');
    await run('payment_confirmed', remote);
    expect(await look()).toMatchObject({ is: 'succeeded', captured: charge.amount });
    expect(await kinds(one, charge, state)).toEqual([]);
    expect(await harness.captures(charge.ref)).toHaveLength(1);
  });

  it('34: one that failed and is begun once more is on its way again, and both are told', async () => {
    const one = open();
    const { method } = await saved(one);
    const charge = charged(method);
    const { remote, state } = await underWay(one, charge);
    const look = () => one.gateway.lookup(charge, undefined, strategy('scan'));
    await run('payment_failed', remote);
    expect(await look()).toMatchObject({ is: 'declined', why: { code: 'insufficient_funds' } });
    await run('own_payment_resubmitted', remote);
    expect((await look()).is).toBe('pending');
    expect(await kinds(one, charge, state)).toEqual(['failed', 'resubmitted']);
    // Also where the row alone is left.
    expect(await kinds(one, charge, {})).toEqual(['failed', 'resubmitted']);
    await run('payment_confirmed', remote);
    expect((await look()).is).toBe('succeeded');
  });

  it('a refund that somebody made there is told once it has arrived, and when it comes back', async () => {
    const one = open();
    const { method } = await saved(one);
    const charge = charged(method);
    const { remote, state } = await underWay(one, charge);
    await run('payment_paid_out', remote);
    const { refund } = await refunded(one, charge, { amount: money(1_000n, 'AUD') });
    expect(await kinds(one, charge, state)).toEqual([]);
    await run('refund_paid', refund.remote);
    expect(await kinds(one, charge, state)).toEqual(['refund']);
    await run('refund_returned', refund.remote);
    expect(await kinds(one, charge, state)).toEqual(['refund', 'refundFailed']);
  });
});

describe('events', () => {
  const event = (about: 'charge' | 'refund' | 'mandate' | 'method', remote: string) =>
    ({ id: 'EV1', about, remote: remoteId(remote) }) as const;

  it('are read at the gateway: reference, payer, setup, and what a refund undoes', async () => {
    const one = open();
    const ref = newGatewayRef();
    const begun = await begin(one.gateway, undefined, ref);
    const { state = {} } = begun.result as { state?: GatewayState };
    const { method, payer } = await saved(one);
    const charge = charged(method);
    const { remote } = await underWay(one, charge);
    await run('payment_confirmed', remote);
    const resolve = (...about: Parameters<typeof event>) => one.gateway.resolveEvent?.(event(...about));
    expect(await resolve('charge', remote)).toEqual([{ ...event('charge', remote), ref: charge.ref }]);
    expect(await resolve('mandate', method.remote)).toEqual([
      { ...event('mandate', method.remote), payer: payer['customer'] },
    ]);
    const asked = state['request'] ?? '';
    expect(await resolve('method', asked)).toEqual([{ ...event('method', asked), ref }]);
    const { refund, asked: asRefund } = await refunded(one, charge);
    expect(await resolve('refund', refund.remote)).toEqual([
      { ...event('refund', refund.remote), ref: asRefund.ref },
      event('charge', remote),
    ]);
  });

  it('about what is not there come to nothing; where nothing answers, nobody knows', async () => {
    const gone = open({}, { url: await nowhere() });
    for (const about of ['charge', 'refund', 'mandate', 'method'] as const) {
      expect(await open().gateway.resolveEvent?.(event(about, 'XX1'))).toEqual([]);
      expect(await gone.gateway.resolveEvent?.(event(about, 'XX1'))).toBe('inconclusive');
    }
  });

  it('that no webhook brought are polled, oldest first, each once behind its cursor', async () => {
    const one = open({ accessToken: 'sandbox_polled' });
    const { method } = await saved(one);
    const first = await underWay(one, charged(method));
    await advance(2 * day);
    const second = await underWay(one, charged(method));
    const all = await polled(one.gateway);
    const cursors = all.map(({ cursor }) => cursor);
    expect(cursors).toEqual([...cursors].sort());
    const remotes = all.map(({ remote }) => remote);
    expect(remotes.indexOf(first.remote)).toBeLessThan(remotes.indexOf(second.remote));
    expect(remotes).toContain(first.remote);
    const later = await polled(one.gateway, all.at(-1)?.cursor);
    expect(later.map(({ remote }) => remote)).toContain(second.remote);
    expect(later.length).toBeLessThan(all.length);
  });
});

it('after a backup was restored every charge that took money or may is listed, with what was sent beside it', async () => {
  const one = open({ accessToken: 'sandbox_restored' });
  const { method } = await saved(one);
  const since = now();
  const charge = charged(method);
  const { remote } = await underWay(one, charge);
  const cancelled = charged(method);
  const ended = await underWay(one, cancelled);
  expect((await one.gateway.cancel(cancelled, ended.state)).is).toBe('closed');
  await advance(day);
  const listed = await Array.fromAsync(one.gateway.listCharges?.(since) ?? []);
  expect(listed.map(({ ref }) => ref)).toEqual([charge.ref]);
  expect(listed[0]).toMatchObject({
    amount: charge.amount,
    kind: 'bank',
    labels: { customer: charge.labels.customer, invoice: charge.labels.invoice },
    outcome: { remote },
  });
  const gone = open({}, { url: await nowhere() });
  await expect(Array.fromAsync(gone.gateway.listCharges?.(since) ?? [])).rejects.toThrow('cannot be read');
});

it('the check of the keys names the creditor that is not there, and whether refunds are allowed', async () => {
  expect(await open().gateway.verifyCredentials()).toEqual({ ok: true, rights: ['refunds'] });
  expect(await open({ creditor: 'CRCASES' }).gateway.verifyCredentials()).toMatchObject({ ok: true });
  const other = await open({ creditor: 'CROTHER' }).gateway.verifyCredentials();
  expect(other).toMatchObject({ ok: false, rights: [] });
  expect(other.unreachable).toBeUndefined();
});
