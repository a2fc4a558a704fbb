/** The adapter against its sandbox: what the list of cases does not ask. */
import { createHmac } from 'node:crypto';
import { money } from '@counterfoil/domain/money/money.ts';
import { SandboxHarness } from '@counterfoil/sandbox/test-support.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { secretBytes } from '../kit/secret-bytes.ts';
import { resolveAddresses } from '../port/addresses.ts';
import type { Charge, Gateway, LookupStrategy, Method, OneTimeInput, Outcome } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

const harness = new SandboxHarness('authorize-net');
beforeAll(() => harness.start());
afterAll(() => harness.end());
let aheadMs = 0;
const advance = async (ms: number) => {
  aheadMs += ms;
  await harness.advance(ms);
};
const clock = { now: () => new Date(Date.now() + aheadMs) };
const day = 25 * 3_600_000;

const signatureKey = 'AB12'.repeat(32);
function open(name: string, over: object = {}, timeoutMs = 5_000): Gateway {
  const config = z.parse(manifest.config, {
    apiLoginId: name,
    transactionKey: name.padEnd(16, '0').slice(0, 16),
    publicClientKey: `public-client-key-of-${name}`,
    signatureKeys: [signatureKey],
    ...over,
  });
  return createGateway({
    config,
    addresses: resolveAddresses(manifest, { GATEWAY_URL_AUTHORIZE_NET: harness.sandbox.url }),
    clock,
    log: { debug: () => undefined, warn: () => undefined },
    timeoutMs,
  });
}

const bytes = (text: string) => secretBytes(new TextEncoder().encode(text));
const visa = ['4111', '1111', '1111', '1111'].join('');
const codeCard = ['4222', '2222', '2222', '2'].join('');
const card = (number = visa): OneTimeInput => ({
  secrets: { number: bytes(number), code: bytes('900') },
  beside: { expirationDate: '2035-12' },
});
const account = (number: string): OneTimeInput => ({
  secrets: { account: bytes(number) },
  beside: {
    routingNumber: '121042882',
    accountType: 'savings',
    nameOnAccount: 'Vera Fox',
    bankName: 'First Bank',
  },
});
const consent = { text: 'x', version: '1', at: new Date(), ip: '203.0.113.7', agent: 'x' };
const charge = (over: Partial<Charge> = {}): Charge => {
  const sentAt = clock.now();
  return testCharge({ amount: money(12_550n, 'USD'), sentAt, lastSentAt: sentAt, ...over });
};
const strategy = (by: LookupStrategy['by']): LookupStrategy => {
  const found = manifest.capabilities.lookup.find((one) => one.by === by);
  if (found === undefined) throw new Error(`no strategy ${by}`);
  return found;
};
const none = () => Promise.resolve();

let people = 0;
/** Saves a method for somebody new, or for the payer given. */
async function save(gateway: Gateway, input: OneTimeInput, kind: 'card' | 'bank' = 'card', customerId = '') {
  people += 1;
  const person = {
    customerId: customerId || `customer ${people}`,
    resellerId: '3002',
    name: 'Vera Fox',
    email: 'vera@x.example',
  };
  const begun = await gateway.beginSetup?.({
    ref: newGatewayRef(),
    payer: undefined,
    person,
    kind,
    returnTo: 'https://portal.example/',
  });
  const { payer = {}, result } = begun ?? {};
  if (result?.is !== 'continue') throw new Error(`begun as ${result?.is}`);
  const done = await gateway.completeSetup?.({
    ref: newGatewayRef(),
    payer,
    step: result.state,
    input,
    owner: { name: 'Vera Fox', billing: { line1: `${people} Street`, country: 'US' } },
    returnTo: 'https://portal.example/',
    consent,
  });
  return { payer, person, step: result.state, done };
}
async function saved(gateway: Gateway, input = card()): Promise<Method> {
  const { done } = await save(gateway, input);
  if (done?.is !== 'saved') throw new Error(`saved as ${JSON.stringify(done)}`);
  return done.method;
}
function paid(outcome: Outcome) {
  if (outcome.is !== 'succeeded') throw new Error(`paid as ${JSON.stringify(outcome)}`);
  return outcome;
}

describe('an account', () => {
  it('40: tells before the first payment that it may not read its transactions', async () => {
    expect(await open('rights').verifyCredentials()).toEqual({ ok: true, rights: ['transactions.read'] });
    expect(await open('noreport').verifyCredentials()).toEqual({ ok: true, rights: [] });
    expect(await open('noreport').lookup(charge(), undefined, strategy('scan'))).toMatchObject({
      is: 'inconclusive',
    });
  });

  it.each([
    ['31: in Test Mode', 'testmode1', {}, 'Test Mode'],
    ['of another currency', 'money-aud', {}, 'AUD'],
    ['with another public key', 'keys', { publicClientKey: 'other' }, 'public client key'],
  ])('%s is misconfigured', async (_what, name, over, why) => {
    expect(await open(name, over).verifyCredentials()).toMatchObject({
      ok: false,
      why: expect.stringContaining(why),
    });
  });

  it('31: in Test Mode pays nothing, and takes its own currency only', async () => {
    expect(await open('testmode1').charge(charge({ source: card() }), none)).toMatchObject({
      is: 'notAttempted',
      why: 'config',
    });
    const source = card();
    const foreign = charge({ amount: money(100n, 'AUD'), source });
    expect(await open('plain').charge(foreign, none)).toMatchObject({ is: 'notAttempted', why: 'invalid' });
    const number = 'secrets' in source ? source.secrets.number : undefined;
    await expect(number?.use(() => 1)).rejects.toThrow('used or destroyed');
  });

  it('asks for the chosen way of entry first', () => {
    const { entry } = open('plain', { cardEntry: 'ownFieldsToUs' }).capabilities;
    expect([entry.card?.[0]?.how, entry.bank?.[0]?.how]).toEqual(['ownFieldsToUs', 'ownFieldsToProvider']);
  });
});

describe('saved methods', () => {
  it('8: the same card again is the one there is', async () => {
    const gateway = open('profiles');
    const { person, done } = await save(gateway, card());
    people -= 1;
    const again = await save(gateway, card(), 'card', person.customerId);
    expect(done).toMatchObject({ is: 'saved' });
    expect(again.done).toEqual(done);
  });

  it('12: there are ten at the most', async () => {
    const gateway = open('profiles');
    const { person } = await save(gateway, card());
    for (let at = 1; at < 10; at += 1) await save(gateway, card(), 'card', person.customerId);
    expect((await save(gateway, card(), 'card', person.customerId)).done).toMatchObject({
      is: 'refused',
      why: { code: 'E00042', text: expect.stringContaining('at most 10') },
    });
  });

  it('10, 36: a wrong number is refused, and stands in no answer', async () => {
    const { done } = await save(open('profiles'), card(visa.replace(/1$/, '2')));
    expect(done).toMatchObject({ is: 'refused', why: { code: '6', text: 'Please check the card number' } });
    expect(JSON.stringify(done)).not.toContain(visa.slice(0, 12));
  });

  it('is found where its answer was lost', async () => {
    const gateway = open('profiles', {}, 500);
    await harness.fault({ operation: 'save', mode: 'timeout-after', times: 2 });
    // The first is the customer's own record: once it is there, only the method is lost.
    await expect(save(gateway, card())).rejects.toThrow('unknown');
    people -= 1;
    const { done, payer, step } = await save(gateway, card());
    expect(done).toMatchObject({ is: 'unknown' });
    const look = { ref: newGatewayRef(), payer, step, input: { fields: {} }, returnTo: 'https://x.example/' };
    expect(await gateway.completeSetup?.(look)).toMatchObject({
      is: 'saved',
      method: { show: { last4: '1111' } },
    });
  });

  it('13: an edit keeps number, address and default; a card needs a country', async () => {
    const gateway = open('profiles');
    const method = await saved(gateway);
    await gateway.setDefaultMethod?.({}, method.state);
    const change = { expMonth: '3', expYear: '2037', city: 'Omaha' };
    const edited = await gateway.updateMethod?.(newGatewayRef(), method.state, change);
    expect(edited).toMatchObject({
      is: 'saved',
      method: { expires: '2037-03', show: { last4: '1111', city: 'Omaha', country: 'US', name: 'Vera Fox' } },
    });
    const { profile = '' } = method.state;
    expect(await gateway.getDefaultMethod?.({ profile })).toBe(method.remote);
    expect(await gateway.updateMethod?.(newGatewayRef(), method.state, { country: '' })).toMatchObject({
      is: 'refused',
      why: { text: 'Please choose a country' },
    });
  });

  it('an account shows masked numbers, its holder and its bank', async () => {
    const { done } = await save(open('profiles'), account('123456789012'), 'bank');
    expect(done).toMatchObject({
      is: 'saved',
      method: {
        kind: 'bank',
        show: {
          type: 'ach',
          last4: '9012',
          routing: 'XXXX2882',
          bankName: 'First Bank',
          accountType: 'savings',
        },
      },
    });
  });
});

describe('a charge whose answer is lost', () => {
  const lose = async (mode: 'timeout-after' | 'timeout-before') => {
    const gateway = open('lost', {}, 500);
    const method = await saved(gateway);
    const sent = charge({ source: { saved: method.state } });
    await harness.fault({ operation: 'charge', mode });
    const outcome = await gateway.charge(sent, none);
    expect(outcome.is).toBe('unknown');
    const minors = async () => (await harness.captures(sent.ref)).map(({ minor }) => minor);
    return { gateway, sent, minors };
  };

  it.each([
    ['23: carried out', 'timeout-after', 1],
    ['24: never arrived', 'timeout-before', 0],
  ] as const)('%s: a saved method is charged once', async (_what, mode, before) => {
    const { gateway, sent, minors } = await lose(mode);
    expect(await minors()).toHaveLength(before);
    expect(await gateway.lookup(sent, undefined, strategy('replay'))).toMatchObject({
      is: 'succeeded',
      captured: sent.amount,
    });
    expect(await minors()).toEqual([12_550]);
  });

  it('is not sent again after the window, nor with a token', async () => {
    const { gateway, sent, minors } = await lose('timeout-before');
    await advance(8 * 3_600_000);
    expect(await gateway.lookup(sent, undefined, strategy('replay'))).toMatchObject({ is: 'inconclusive' });
    const once = { ...sent, sentAt: clock.now(), source: 'lost' as const };
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
