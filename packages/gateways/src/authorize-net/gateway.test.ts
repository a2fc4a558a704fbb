/** Charges, refunds and events against the sandbox: what the list of cases does not ask. */
import { createHmac } from 'node:crypto';
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { testRefund } from '../cases/test-charge.ts';
import { polled } from '../cases/test-support.ts';
import type { Charge, Outcome } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import {
  account,
  advance,
  card,
  charge,
  codeCard,
  consent,
  day,
  harness,
  none,
  now,
  open,
  paid,
  saved,
  signatureKey,
  strategy,
} from './test-support.ts';

describe('a charge whose answer is lost', () => {
  const lose = async (mode: 'timeout-after' | 'timeout-before') => {
    const gateway = open('lost', {}, { timeoutMs: 500 });
    const method = await saved('lost');
    const sent = charge({ source: { saved: method.state } });
    await harness.fault({ operation: 'charge', mode });
    const outcome = await gateway.charge(sent, none);
    expect(outcome.is).toBe('unknown');
    const minors = async () => (await harness.captures(sent.ref)).map(({ minor }) => minor);
    return { gateway, sent, minors };
  };

  it.each([
    ['carried out', 'timeout-after', 1],
    ['never arrived', 'timeout-before', 0],
  ] as const)('23, 24: %s: a saved method is charged once', async (_what, mode, before) => {
    const { gateway, sent, minors } = await lose(mode);
    expect(await minors()).toHaveLength(before);
    expect(await gateway.lookup(sent, undefined, strategy('replay'))).toMatchObject({
      is: 'succeeded',
      captured: sent.amount,
    });
    expect(await minors()).toEqual([12_550]);
  });

  it('24: is not sent again after the window, nor with a token', async () => {
    const { gateway, sent, minors } = await lose('timeout-before');
    await advance(8 * 3_600_000);
    expect(await gateway.lookup(sent, undefined, strategy('replay'))).toMatchObject({ is: 'inconclusive' });
    const once = { ...sent, sentAt: now(), source: 'lost' as const };
    expect(await gateway.lookup(once, undefined, strategy('replay'))).toMatchObject({ is: 'inconclusive' });
    expect(await minors()).toEqual([]);
  });

  it('23: is found in a settled batch, too', async () => {
    const { gateway, sent, minors } = await lose('timeout-after');
    await advance(day);
    await advance(60_000);
    expect(await gateway.lookup(sent, undefined, strategy('scan'))).toMatchObject({ is: 'succeeded' });
    expect(await minors()).toHaveLength(1);
  });

  it('is not taken for another’s transaction', async () => {
    const gateway = open('lost');
    const { remote } = paid(await gateway.charge(charge({ source: card() }), none));
    expect(await gateway.lookupByRemoteId?.(charge(), remote)).toMatchObject({
      is: 'inconclusive',
      why: expect.stringContaining('another reference'),
    });
  });

  it('32: an edge proxy’s page is no answer', async () => {
    const gateway = open('lost');
    await harness.fault({ operation: 'charge', mode: 'error-500-after' });
    expect(await gateway.charge(charge({ source: card() }), none)).toMatchObject({
      is: 'unknown',
      evidence: expect.stringContaining('502'),
    });
  });
});

describe('what is not certain', () => {
  const order = async (minor: bigint) => {
    const gateway = open('codes');
    const sent = charge({ amount: money(minor, 'USD'), source: card(codeCard) });
    return { gateway, sent, outcome: await gateway.charge(sent, none) };
  };

  it.each(['approve', 'decline'] as const)('29: held for a person, who says %s', async (action) => {
    const { gateway, sent, outcome } = await order(25_200n);
    expect(outcome).toMatchObject({ is: 'pending', because: 'review' });
    const { remote = '', state } = outcome as Extract<Outcome, { is: 'pending' }>;
    const look = () => gateway.lookup({ ...sent, source: 'lost' }, state, strategy('remote'));
    expect(await look()).toMatchObject({ is: 'pending', because: 'review' });
    await fetch(`${harness.sandbox.url}/authorize-net/xml/v1/request.api`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        updateHeldTransactionRequest: {
          merchantAuthentication: { name: 'codes', transactionKey: 'codes00000000000' },
          heldTransactionRequest: { action, refTransId: remote },
        },
      }),
    });
    expect((await look()).is).toBe(action === 'approve' ? 'succeeded' : 'declined');
  });

  it('38: possibly charged: not sent again, and left to a person', async () => {
    const { gateway, sent, outcome } = await order(12_000n);
    expect(outcome).toMatchObject({ is: 'unknown', state: { noReplay: '120' } });
    const { state } = outcome as Extract<Outcome, { is: 'unknown' }>;
    const known: Charge = { ...sent, source: 'lost' };
    expect(await gateway.lookup(known, state, strategy('replay'))).toMatchObject({ is: 'inconclusive' });
    expect(await gateway.lookup(known, state, strategy('remote'))).toMatchObject({
      is: 'unknown',
      needsPerson: true,
    });
  });
});

describe('refunds', () => {
  it('28: a part waits for settlement', async () => {
    const gateway = open('refunds');
    const sent = charge({ source: card() });
    const outcome = paid(await gateway.charge(sent, none));
    const part = () => testRefund(sent, outcome, { amount: money(50n, 'USD') });
    expect(await gateway.refund(part())).toMatchObject({
      is: 'notAttempted',
      detail: expect.stringContaining('not settled yet'),
    });
    await advance(day);
    expect(await gateway.refund(part())).toMatchObject({ is: 'succeeded', captured: money(50n, 'USD') });
  });

  it('27: what is void is not voided again', async () => {
    const gateway = open('refunds');
    const sent = charge({ source: card() });
    const outcome = paid(await gateway.charge(sent, none));
    expect((await gateway.refund(testRefund(sent, outcome))).is).toBe('succeeded');
    expect(await gateway.refund(testRefund(sent, outcome))).toMatchObject({
      is: 'notAttempted',
      detail: 'already void',
    });
  });

  it.each([
    ['before settlement', 0],
    ['after it', day],
  ])('40: without the right to read: %s', async (_when, waits) => {
    const gateway = open('noreport');
    const sent = charge({ source: card() });
    const outcome = paid(await gateway.charge(sent, none));
    if (waits === 0)
      expect(await gateway.refund(testRefund(sent, outcome, { amount: money(50n, 'USD') }))).toMatchObject({
        detail: expect.stringContaining('not settled yet'),
      });
    await advance(waits);
    expect((await gateway.refund(testRefund(sent, outcome))).is).toBe('succeeded');
  });
});

describe('events', () => {
  const sign = (text: string, key: string | Buffer = signatureKey) =>
    createHmac('sha512', key).update(text).digest('hex');
  const read = (text: string, header?: string, over: object = {}) =>
    open('hooks', over).parseWebhook?.(
      Buffer.from(text),
      new Headers(header === undefined ? {} : { 'x-anet-signature': header }),
      new Date(),
    );
  const ref = newGatewayRef();
  const text = `{"notificationId":"n1","eventType":"net.authorize.payment.authcapture.created","payload":{"authAmount":45.00,"merchantReferenceId":"${ref}","id":"60000000001"}}`;

  it('33: are signed over their bytes with the key as text; the same delivery is the same event', () => {
    const good = {
      is: 'accepted',
      trust: 'signed',
      events: [{ id: 'n1', about: 'charge', remote: '60000000001', ref }],
    };
    expect(read(text, `sha512=${sign(text)}`)).toMatchObject(good);
    expect(read(text, `sha512=${sign(text).toUpperCase()}`)).toMatchObject(good);
    const decoded = sign(text, Buffer.from(signatureKey, 'hex'));
    for (const [body, header] of [
      [text, sign(text)],
      [text, `sha512=${decoded}`],
      [text.replace('45.00', '45'), `sha512=${sign(text)}`],
      [text, undefined],
    ] as const)
      expect(read(body, header)).toMatchObject({ is: 'refused', status: 401 });
    expect(read(text, `sha512=${decoded}`, { signatureKeyEncoding: 'hex' })).toMatchObject(good);
    expect(read(text, `sha512=${sign(text)}`, { signatureKeys: [] })).toMatchObject({
      is: 'refused',
      status: 401,
    });
  });

  it('a hint without a reference is read at the gateway; a void there is money that went back', async () => {
    const gateway = open('hooks');
    const sent = charge({ source: card() });
    const { remote } = paid(await gateway.charge(sent, none));
    const event = { id: 'n2', about: 'charge', remote } as const;
    expect(await gateway.resolveEvent?.(event)).toEqual([{ ...event, ref: sent.ref }]);
    await harness.fault({ operation: 'charge', mode: 'self-void', ms: 1 });
    const other = charge({ source: card(), amount: money(700n, 'USD') });
    const gone = paid(await gateway.charge(other, none));
    await advance(1_000);
    expect(await gateway.resolveEvent?.({ ...event, remote: gone.remote })).toMatchObject([
      { reversal: { kind: 'refund', of: gone.remote, amount: money(700n, 'USD') } },
    ]);
  });

  it('30: a debit that comes back days later is found by asking, once for each cursor', async () => {
    const gateway = open('returns');
    const sent = charge({
      amount: money(900n, 'USD'),
      source: { ...account('900000000310'), debit: { scheme: 'ach', consent } },
    });
    const pending = await gateway.charge(sent, none);
    if (pending.is !== 'pending') throw new Error(JSON.stringify(pending));
    await advance(60_000);
    const look = () => gateway.lookup({ ...sent, source: 'lost' }, pending.state, strategy('remote'));
    expect(await look()).toMatchObject({ is: 'succeeded' });
    expect(await gateway.listReversals?.(sent, pending.state)).toEqual({ reversals: [] });
    await advance(4 * day);
    // Its batch is new, and may not be whole.
    expect((await polled(gateway)).filter(({ reversal }) => reversal !== undefined)).toEqual([]);
    await advance(day);
    const events = await polled(gateway);
    const returned = events.filter(({ reversal }) => reversal !== undefined);
    expect(returned).toMatchObject([
      { remote: pending.remote, reversal: { kind: 'failed', code: 'R10', amount: money(900n, 'USD') } },
    ]);
    expect(await polled(gateway, events.at(-1)?.cursor)).toEqual([]);
    // The same return by another way is the same.
    const { reversals = [] } = ((await gateway.listReversals?.(sent, pending.state)) ?? {}) as {
      reversals?: readonly object[];
    };
    expect(reversals).toEqual(returned.map(({ reversal }) => reversal));
  });
});
