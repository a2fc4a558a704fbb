/** Refunds and events against the sandbox: what the list of cases does not ask. */
import { createHmac } from 'node:crypto';
import { money } from '@counterfoil/domain/money/money.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testRefund } from '../cases/test-charge.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import {
  account,
  advance,
  card,
  charge,
  consent,
  day,
  harness,
  none,
  open,
  paid,
  signatureKey,
  strategy,
} from './test-support.ts';

beforeAll(() => harness.start());
afterAll(() => harness.end());

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
      status: 400,
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
    const poll = async (cursor?: string) => {
      const events = [];
      for await (const event of gateway.pollEvents?.(cursor) ?? []) events.push(event);
      return events;
    };
    // Its batch is new, and may not be whole.
    expect((await poll()).filter(({ reversal }) => reversal !== undefined)).toEqual([]);
    await advance(day);
    const events = await poll();
    const returned = events.filter(({ reversal }) => reversal !== undefined);
    expect(returned).toMatchObject([
      { remote: pending.remote, reversal: { kind: 'failed', code: 'R10', amount: money(900n, 'USD') } },
    ]);
    expect(await poll(events.at(-1)?.cursor)).toEqual([]);
    // The same return by another way is the same.
    const { reversals = [] } = ((await gateway.listReversals?.(sent, pending.state)) ?? {}) as {
      reversals?: readonly object[];
    };
    expect(reversals).toEqual(returned.map(({ reversal }) => reversal));
  });
});
