/** What the adapter makes of the API, in its sandbox, and of what becomes of a payment after its end. */
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { lost } from '../cases/session.ts';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { benchOf, type Opened, polled } from '../cases/test-support.ts';
import type { Charge, Gateway, GatewayEvent, GatewayState } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { tradeCard } from './card-token.ts';
import { casesData } from './cases-data.ts';
import { createGateway } from './gateway.ts';
import { manifest } from './manifest.ts';

const { harness, open, strategy } = benchOf({ manifest, createGateway }, casesData);

const visa = ['4242', '4242', '4242', '4242'].join('');
const owner = { name: 'Ada Example', email: 'ada@example.test' };
const hour = 60 * 60_000;

async function newToken(): Promise<string> {
  const entered = await tradeCard(`${harness.sandbox.url}/pinch/api/test/tokens`, typed);
  if (entered === undefined || !('token' in entered)) throw new Error(JSON.stringify(entered));
  return entered.token;
}
const typed = {
  PublishableKey: 'pk_test_cases',
  CardNumber: visa,
  Cvc: '123',
  ExpiryMonth: 9,
  ExpiryYear: new Date().getUTCFullYear() + 3,
  CardHolderName: 'Ada Example',
};

const charged = async (over: Partial<Charge> = {}): Promise<Charge> =>
  testCharge({ source: { token: await newToken() }, owner, ...over });

async function save({ setUp }: Pick<Opened, 'setUp'>) {
  const { payer, done } = await setUp({ token: await newToken() }, { owner });
  if (done.is !== 'saved') throw new Error(JSON.stringify(done));
  return { method: done.method, payer };
}
async function listed(gateway: Gateway, payer: GatewayState): Promise<string[]> {
  const methods = await Array.fromAsync(gateway.listMethods?.(payer) ?? []);
  return methods.map(({ remote }) => remote);
}

const [byRef, byReplay] = [strategy('ref'), strategy('replay')];

/** With another answer to a charge; undefined lets it through. */
const answering = (answer: () => Response | undefined) =>
  open({}, { instead: { 'POST /payments/realtime': answer } });

describe('a payment that is made', () => {
  it('29, 31: once, with a payer and a card of its own, which is gone afterwards', async () => {
    const { gateway, sent, to, paid, setUp } = open();
    const { payer } = await save({ setUp });
    const before = await listed(gateway, payer);
    const charge = await charged();
    const outcome = await paid(charge);
    expect(await listed(gateway, payer)).toEqual(before);
    const { payer: own, source } = outcome.state;
    expect(own).not.toBe(payer['payer']);
    expect(await listed(gateway, { payer: own ?? '' })).toEqual([source]);
    await gateway.cleanUp?.(lost(charge), outcome.state);
    await gateway.cleanUp?.(lost(charge), outcome.state);
    expect(await listed(gateway, { payer: own ?? '' })).toEqual([]);
    // 29: our fee is in the amount, and the gateway's own is never asked for.
    expect(JSON.parse(to('POST /payments/realtime')[0]?.body ?? '')).toEqual({
      amount: 12_550,
      payerId: own,
      sourceId: source,
      description: 'Invoices 1001 and 1002',
      nonce: charge.ref,
      metadata: `${charge.ref} ${charge.labels.customer} ${charge.labels.invoice}`,
    });
    expect(sent.filter(({ body }) => /surcharge/i.test(body))).toEqual([]);
  });

  it('31: a temporary card whose answer was lost is removed all the same', async () => {
    const { gateway, pay } = open({}, { timeoutMs: 700 });
    const charge = await charged();
    await harness.fault({ operation: 'save', mode: 'timeout-after' });
    const { outcome, kept } = await pay(charge);
    expect(outcome).toMatchObject({ is: 'notAttempted', why: 'unreachable' });
    expect(await listed(gateway, kept ?? {})).toHaveLength(1);
    await gateway.cleanUp?.(lost(charge), kept ?? {});
    expect(await listed(gateway, kept ?? {})).toEqual([]);
  });

  it('makes no card, and charges none, once its attempt has ended', async () => {
    for (const keptBefore of [0, 1]) {
      const { gateway, to } = open();
      let kept = 0;
      const outcome = await gateway.charge(await charged(), () =>
        kept++ < keptBefore ? Promise.resolve() : Promise.reject(new Error('ended')),
      );
      expect(outcome).toMatchObject({ is: 'notAttempted', why: 'invalid' });
      expect(to('POST /payments/realtime')).toEqual([]);
    }
  });

  it('a saved card stays when its payment is cleaned up', async () => {
    const { gateway, paid, setUp } = open();
    const { method, payer } = await save({ setUp });
    const charge = testCharge({ source: { saved: method.state } });
    await gateway.cleanUp?.(charge, (await paid(charge)).state);
    expect(await listed(gateway, payer)).toEqual([method.remote]);
  });

  it('15: an invoice text with a code word in it fails nothing', async () => {
    const labels = { ...testCharge().labels, description: 'Invoice 1042 #insufficient-funds' };
    await open().paid(await charged({ labels }));
  });

  it.each([
    ['no owner', {}],
    ['no address', { owner: { name: 'Ada' } }],
  ])('without %s it is refused before anything is sent', async (_what, over) => {
    const { to, pay } = open();
    const { owner: _owner, ...charge } = await charged();
    const { outcome } = await pay({ ...charge, ...over });
    expect(outcome).toMatchObject({ is: 'declined', why: { class: 'fixInput', code: 'payer' } });
    expect([...to('POST /payers'), ...to('POST /payments/realtime')]).toEqual([]);
  });

  it('29: a fee or a sum that is not ours is told to whoever runs it, and what was taken to the payer', async () => {
    const taken = { id: 'pmt_1', amount: 12_831, status: 'approved', isSurcharged: true };
    const { logged, paid } = answering(() => Response.json(taken, { status: 201 }));
    expect(await paid(await charged())).toMatchObject({ captured: money(12_831n, 'AUD') });
    expect(logged.join()).toContain('Pinch added a fee of its own to a payment');
  });

  it.each([
    ['a half replay under 403', new Response('{"isNonceReplay":tr', { status: 403 })],
    ['a server error', new Response('<html>', { status: 502 })],
    ['201 without a payment', Response.json({}, { status: 201 })],
    ['an undocumented state', Response.json({ id: 'pmt_1', amount: 1, status: 'odd' }, { status: 201 })],
  ])('is unknown after %s, with what it is sent again with', async (_what, response) => {
    const { pay } = answering(() => response.clone());
    const { outcome } = await pay(await charged());
    expect(outcome).toMatchObject({
      is: 'unknown',
      state: { payer: expect.stringMatching(/^pyr_/), source: expect.stringMatching(/^src_/) },
    });
  });

  it('is declined in the provider’s words where the card is refused, and not where our request is', async () => {
    const refusing = (propertyName: string) =>
      answering(() =>
        Response.json([{ propertyName, errorMessage: 'The card is locked.' }], { status: 400 }),
      );
    const charge = await charged();
    const { outcome } = await refusing('Source').pay(charge);
    expect(outcome).toMatchObject({ is: 'declined', why: { text: 'The card is locked.' } });
    const ours = await refusing('Amount').pay(await charged());
    expect(ours.outcome).toMatchObject({ is: 'notAttempted', why: 'invalid' });
  });
});

describe('finding out', () => {
  it('17: a charge that is sent again is answered as at first: taken, or declined', async () => {
    const { gateway, to, pay } = open();
    for (const [name, is] of [
      ['Ada Example', 'succeeded'],
      ['#insufficient-funds Example', 'declined'],
    ] as const) {
      const charge = await charged({ owner: { ...owner, name } });
      const { outcome, kept } = await pay(charge);
      const again = await gateway.lookup(lost(charge), kept, byReplay);
      expect([outcome.is, again.is]).toEqual([is, is]);
      expect('remote' in again && again.remote).toBe('remote' in outcome && outcome.remote);
      expect(await harness.captures(charge.ref)).toHaveLength(is === 'succeeded' ? 1 : 0);
    }
    // Read again each time: the replay tells how it was at first.
    expect(to('POST /payments/realtime')).toHaveLength(4);
  });

  const byMethod = [
    [
      'a saved card',
      async (opened: Opened) => testCharge({ source: { saved: (await save(opened)).method.state } }),
    ],
    ['a card that pays once', () => charged()],
  ] as const;

  it.each(byMethod)(
    '19: a lost request is not seen, which proves nothing; sent again it is taken: %s',
    async (_what, make) => {
      const opened = open({}, { timeoutMs: 700 });
      const { gateway, to, pay } = opened;
      const charge = await make(opened);
      await harness.fault({ operation: 'charge', mode: 'timeout-before' });
      const { outcome, kept } = await pay(charge);
      expect(outcome.is).toBe('unknown');
      expect(await gateway.lookup(lost(charge), kept ?? {}, byRef)).toEqual({ is: 'absent', proven: false });
      expect(await gateway.lookup(lost(charge), kept ?? {}, byReplay)).toMatchObject({ is: 'succeeded' });
      const [first, second] = to('POST /payments/realtime');
      expect(second?.body).toBe(first?.body);
      expect(await harness.captures(charge.ref)).toHaveLength(1);
    },
  );

  it('proves by a missing card that nothing was sent, and not of a payment that is there', async () => {
    const { gateway, to, paid } = open();
    for (const state of [undefined, { payer: 'pyr_1' }]) {
      expect(await gateway.lookup(testCharge(), state, byRef)).toEqual({ is: 'absent', proven: true });
      expect(await gateway.lookup(testCharge(), state, byReplay)).toMatchObject({ is: 'inconclusive' });
    }
    expect(to('POST /payments/realtime')).toEqual([]);
    const charge = await charged();
    await paid(charge);
    expect(await gateway.lookup(lost(charge), undefined, byRef)).toMatchObject({ is: 'succeeded' });
  });

  it('says nothing by a refusal of what is sent again', async () => {
    const { gateway } = open();
    const charge = testCharge();
    const state = { payer: 'pyr_1', source: 'src_1' };
    expect(await gateway.lookup(charge, state, byReplay)).toMatchObject({ is: 'inconclusive', sent: true });
    expect(await gateway.cancel(charge, state)).toEqual({ is: 'cannotCancel' });
  });

  it('knows a payment by its own id only where it carries our reference', async () => {
    const { gateway, paid } = open();
    const charge = await charged();
    const { remote } = await paid(charge);
    expect(await gateway.lookupByRemoteId?.(lost(charge), remote)).toMatchObject({ is: 'succeeded', remote });
    expect(await gateway.lookupByRemoteId?.(testCharge(), remote)).toMatchObject({ is: 'inconclusive' });
  });
});

describe('tokens of the account', () => {
  it('1, 20: one is kept for many calls, and asked for once by several at a time', async () => {
    const { gateway, to } = open();
    await Promise.all([1, 2, 3].map(() => gateway.verifyCredentials()));
    await gateway.verifyCredentials();
    expect(to('POST /connect/token')).toHaveLength(1);
  });

  it('20: one that is refused is renewed once, and the call goes on', async () => {
    const { gateway, to, paid, setUp } = open();
    await gateway.verifyCredentials();
    await harness.advance(2 * hour);
    const { method } = await save({ setUp });
    expect((await paid(testCharge({ source: { saved: method.state } }))).is).toBe('succeeded');
    expect(to('POST /connect/token')).toHaveLength(2);
  });

  it.each([401, 403])('20: a second refusal, %i, is a mistake of the settings', async (status) => {
    const { to, pay } = answering(() => new Response(null, { status }));
    const { outcome } = await pay(await charged());
    expect(outcome).toMatchObject({ is: 'notAttempted', why: 'config' });
    expect(to('POST /payments/realtime')).toHaveLength(2);
  });

  it('a request that comes too fast is made again, and given up after some', async () => {
    let refusals = 2;
    const { pay, paid } = answering(() => (refusals-- > 0 ? new Response(null, { status: 429 }) : undefined));
    await paid(await charged());
    refusals = 9;
    const { outcome } = await pay(await charged());
    expect(outcome).toMatchObject({ is: 'notAttempted', why: 'unreachable' });
  });

  it('no log, outcome or request but that for a token shows the secret key or a one-time token', async () => {
    const refusal = () => Response.json([{ errorMessage: 'tkn_secret1 is not valid' }], { status: 400 });
    const opened = open({}, { instead: { 'POST /sources': refusal } });
    const { outcome } = await opened.pay(await charged());
    expect(outcome).toMatchObject({ is: 'declined', why: { text: 'tkn_[hidden] is not valid' } });
    const shown = JSON.stringify([outcome, opened.logged, opened.sent]);
    expect(shown).not.toContain(opened.account.settings['secretKey']);
    expect(shown).not.toContain(visa);
  });
});

describe('the card of a page', () => {
  const url = () => `${harness.sandbox.url}/pinch/api/test/tokens`;

  it('5: becomes a token', async () => {
    expect(await tradeCard(url(), typed)).toEqual({
      token: expect.stringMatching(manifest.saved?.token ?? /^$/),
    });
  });

  it.each([
    ['a wrong key', { PublishableKey: 'pk_live_x' }, 'publishableKey', 'Invalid publishable key: pk_live_x'],
    ['an expired card', { ExpiryYear: 2020 }, 'expiryMonth', 'The card has expired.'],
    ['a wrong code', { Cvc: '1' }, 'cvc', 'The security code is not valid.'],
  ])('6: %s: is told in the provider’s words', async (_what, over, property, message) => {
    expect(await tradeCard(url(), { ...typed, ...over })).toEqual({ property, message });
  });

  it('a provider that is not there, or answers with a page, says nothing', async () => {
    for (const address of ['http://127.0.0.1:9', harness.sandbox.url])
      expect(await tradeCard(address, typed)).toBe(undefined);
  });

  it('21, 22, 23, 28, 30: only cards are offered: no bank account, no scheduled debit, no fee of the provider [decisions.11.pinch-{saves,charges}-cards]', async () => {
    expect(Object.keys(manifest.capabilities.entry)).toEqual(['card']);
    expect(manifest.saved?.debits).toEqual({});
    const { gateway } = open();
    const person = { customerId: 'C1', resellerId: '3006', name: 'Quinn', email: 'quinn@example.test' };
    const asked = { ref: newGatewayRef(), payer: undefined, person, returnTo: '' };
    expect(await gateway.beginSetup?.({ ...asked, kind: 'bank' })).toMatchObject({
      result: { is: 'notAttempted', why: 'invalid' },
    });
  });
});

describe('refunds and events', () => {
  const resolved = async (gateway: Gateway, event: GatewayEvent) => gateway.resolveEvent?.(event);

  it('27: a refund is on its way until it is completed, and told by an event with its amount', async () => {
    const { gateway, paid } = open();
    const charge = await charged();
    const outcome = await paid(charge);
    const refund = testRefund(lost(charge), outcome, { amount: money(1_000n, 'AUD') });
    const first = await gateway.refund(refund);
    expect(first).toMatchObject({ is: 'pending', because: 'gateway' });
    await harness.advance(4_000);
    const found = await gateway.lookupRefund?.(refund, undefined, byRef);
    expect(found).toMatchObject({ is: 'succeeded', captured: refund.amount });
    expect(await gateway.refund(refund)).toEqual(found);
    const tooMuch = testRefund(lost(charge), outcome, { amount: money(11_551n, 'AUD') });
    expect(await gateway.refund(tooMuch)).toMatchObject({ is: 'notAttempted', why: 'invalid' });
    const events = (await polled(gateway)).filter(({ ref }) => ref === refund.ref);
    expect(events.map(({ about }) => about)).toEqual(['refund', 'refund']);
    const { remote } = outcome;
    expect(await resolved(gateway, events[1] as GatewayEvent)).toMatchObject([
      { about: 'refund', ref: refund.ref, reversal: { kind: 'refund', of: remote, amount: refund.amount } },
    ]);
  });

  it('a payment that its bank takes back is a chargeback; one that was declined is none', async () => {
    const { gateway, pay, paid } = open();
    const charge = await charged();
    await harness.fault({ operation: 'charge', mode: 'late-failure', ms: 1_000 });
    const { remote, state } = await paid(charge);
    const declined = await charged({ owner: { ...owner, name: '#blocked-by-bank Example' } });
    await pay(declined);
    await harness.advance(2_000);
    const events = await polled(gateway);
    const ofCharge = events.filter((event) => event.remote === remote);
    expect(ofCharge.map(({ reversal }) => reversal?.kind)).toEqual([undefined, 'chargeback']);
    const [told] = (await resolved(gateway, ofCharge[1] as GatewayEvent)) as readonly GatewayEvent[];
    const reversal = {
      kind: 'chargeback',
      remote,
      of: remote,
      amount: charge.amount,
      code: 'insufficient-funds',
    };
    expect(told).toMatchObject({ ref: charge.ref, reversal });
    // By the same name when it is asked for, so that it counts once.
    expect(await gateway.listReversals?.(lost(charge), state)).toEqual({ reversals: [reversal] });
    expect(await gateway.listReversals?.(lost(charge), { payment: 'pmt_none' })).toBe('inconclusive');
    // Disputed, and not lost: nothing has come back.
    const kept = await paid(await charged());
    expect(await gateway.listReversals?.(lost(charge), kept.state)).toEqual({ reversals: [] });
    const disputed = { ...ofCharge[1], remote: kept.remote } as GatewayEvent;
    expect(((await resolved(gateway, disputed)) as readonly GatewayEvent[])[0]?.reversal).toBe(undefined);
    const ofDeclined = events.filter(({ ref }) => ref === declined.ref);
    const { reversal: _, ...event } = ofDeclined[0] as GatewayEvent;
    expect(await resolved(gateway, event)).toEqual([event]);
  });

  it('are fetched from a cursor on, those of the last minutes again', async () => {
    const { gateway, paid } = open();
    await harness.advance(hour);
    const [early, next, late] = [await charged(), await charged(), await charged()];
    await paid(early);
    await harness.advance(hour / 12);
    await paid(next);
    const { cursor } = (await polled(gateway)).at(-1) ?? { cursor: '' };
    await harness.advance(hour);
    await paid(late);
    const after = await polled(gateway, cursor);
    expect(after.map(({ ref }) => ref)).toEqual([early.ref, next.ref, late.ref]);
    expect(Date.parse(after.at(-1)?.cursor ?? '')).toBeGreaterThan(Date.parse(cursor));
    const away = open({}, { fetch: async () => new Response('', { status: 500 }) });
    await expect(polled(away.gateway)).rejects.toThrow('could not be read');
  });

  it('what an event is about that cannot be read now is asked for later; of an unknown payment nothing is followed', async () => {
    const event = { id: 'evt_1', about: 'charge', remote: 'pmt_1' } as GatewayEvent;
    const away = open({}, { instead: { 'GET /payments/pmt_1': () => new Response('', { status: 500 }) } });
    expect(await resolved(away.gateway, event)).toBe('inconclusive');
    expect(await resolved(open().gateway, event)).toEqual([]);
  });
});
