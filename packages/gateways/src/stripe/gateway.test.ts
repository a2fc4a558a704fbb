import { describe, expect, it } from 'vitest';
import { testCharge } from '../cases/test-charge.ts';
import type { Charge, GatewayState, LookupStrategy } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { manifest } from './manifest.ts';
import {
  errorBody,
  fakeStripe,
  intentOf,
  networkFault,
  ok,
  paidIntent,
  refused,
  type Scripted,
} from './test-support.ts';

describe('checking the keys', () => {
  const list: Scripted = ok({ object: 'list', data: [], has_more: false });
  it.each<[string, readonly Scripted[], Record<string, unknown>, Record<string, unknown>]>([
    ['good', [list], {}, { ok: true, rights: ['payments.read'] }],
    ['refused', [refused(401, { message: 'Invalid API Key' })], {}, { ok: false }],
    ['of two modes', [], { publishableKey: 'pk_live_abc' }, { ok: false }],
    ['not judged when Stripe is down', [refused(503)], {}, { ok: false, unreachable: true }],
    ['not judged when unreachable', [new TypeError('fetch failed')], {}, { ok: false, unreachable: true }],
    ["somebody else's address", [ok({})], {}, { ok: false }],
  ])('%s', async (_name, script, settings, expected) => {
    const result = await fakeStripe(script, settings).gateway.verifyCredentials();
    expect(result).toMatchObject(expected);
    expect(JSON.stringify(result)).not.toContain('sk_test_abc');
    expect('unreachable' in result).toBe('unreachable' in expected);
  });
});

const plan = (by: LookupStrategy['by']): LookupStrategy => {
  const found = manifest.capabilities.lookup.find((one) => one.by === by);
  if (found === undefined) throw new Error(`no plan ${by}`);
  return found;
};
const at = (minutes: number): Date => new Date(Date.parse('2026-11-21T10:00:00Z') - minutes * 60_000);
const sent = (minutesAgo: number, over: Partial<Charge> = {}): Charge =>
  testCharge({ sentAt: at(minutesAgo), ...over });
const list = (...data: unknown[]) => ok({ object: 'list', data, has_more: false });
const state = { paymentMethod: 'pm_B2' };
const broken = errorBody({ type: 'api_error', message: 'oops' });

describe('a look-up', () => {
  const mine = sent(10);
  const paid = paidIntent(mine);
  const missing = refused(404, { type: 'invalid_request_error', code: 'resource_missing' });
  const [remote, replay, scan] = [plan('remote'), plan('replay'), plan('scan')];
  const proven = { is: 'absent', proven: true };
  const unproven = { is: 'absent', proven: false };
  const stoppedAt = (minutes: number) => ({ replayStopped: at(minutes).toISOString() });
  type Asked = readonly [
    by: LookupStrategy,
    charge: Charge,
    state?: GatewayState | undefined,
    ...script: Scripted[],
  ];

  it.each<[what: string, expected: object, asked: Asked]>([
    // By the id: left to the next plan, or to a person.
    ['without an id', { is: 'inconclusive' }, [remote, mine, {}]],
    ['of an id Stripe does not know', { is: 'inconclusive' }, [remote, mine, { intent: 'pi_C3' }, missing]],
    ['of a foreign payment', { is: 'inconclusive' }, [remote, sent(1), { intent: 'pi_C3' }, ok(paid)]],
    ['of another amount', { is: 'unknown' }, [remote, mine, { intent: 'pi_C3' }, ok({ ...paid, amount: 1 })]],
    // By sending again: nothing is sent where that might charge again.
    ['when the token is lost', { is: 'inconclusive' }, [replay, sent(1), {}]],
    ['when the key may be pruned', { is: 'inconclusive' }, [replay, sent(24 * 60), state]],
    [
      'when a saved 500 would come back',
      { is: 'inconclusive' },
      [replay, sent(1), { ...state, ...stoppedAt(0) }],
    ],
    [
      'when the request would differ',
      { is: 'inconclusive' },
      [replay, sent(1), { ...state, digest: 'another' }],
    ],
    // An answer to the second send says nothing about the first.
    ['unreachable', { is: 'unknown' }, [replay, sent(1), state, networkFault('ECONNREFUSED', 'connect')]],
    ['timed out', { is: 'unknown' }, [replay, sent(1), state, networkFault('ETIMEDOUT')]],
    ['answered 500', { is: 'unknown' }, [replay, sent(1), state, refused(500)]],
    ['answered 429', { is: 'unknown' }, [replay, sent(1), state, refused(429, { code: 'rate_limit' })]],
    ['answered 409', { is: 'unknown' }, [replay, sent(1), state, refused(409)]],
    ['with a refused key', { is: 'inconclusive' }, [replay, sent(1), state, refused(401)]],
    [
      'with another body',
      { is: 'inconclusive' },
      [replay, sent(1), state, refused(400, { type: 'idempotency_error' })],
    ],
    ['refused', { is: 'inconclusive' }, [replay, sent(1), state, refused(400)]],
    // By the list: absence is proven at once where nothing was kept, else by the time since the last send.
    ['when nothing was kept', proven, [scan, sent(1), undefined, list()]],
    ['a minute after the send', unproven, [scan, sent(1), state, list()]],
    ['seven minutes after it', proven, [scan, sent(7), state, list()]],
    ['29 minutes after a saved 500', unproven, [scan, sent(40), stoppedAt(29), list()]],
    ['31 minutes after it', proven, [scan, sent(40), stoppedAt(31), list()]],
    ['sent again a minute ago', unproven, [scan, sent(60, { lastSentAt: at(1) }), state, list()]],
    [
      'that finds two payments',
      { is: 'unknown' },
      [scan, mine, undefined, list(paid, { ...paid, id: 'pi_D4' })],
    ],
    ['of a list that fails', { is: 'unknown' }, [scan, mine, undefined, refused(500)]],
    ['of an odd list', { is: 'unknown' }, [scan, mine, undefined, ok({ object: 'list' })]],
    ['of an odd row', { is: 'unknown' }, [scan, mine, undefined, list({})]],
    ['without the right', { is: 'inconclusive' }, [scan, mine, undefined, refused(403)]],
  ])('%s: %j', async (_what, expected, [by, charge, known, ...script]) => {
    const fake = fakeStripe(script);
    expect(await fake.gateway.lookup(charge, known, by)).toMatchObject(expected);
    expect(fake.seen).toHaveLength(script.length);
  });
});

describe('finding one by its name', () => {
  it('reads any that carries our reference, and changes none', async () => {
    const charge = sent(60);
    const remote = remoteId('pi_copy');
    const copy = { ...paidIntent(charge), id: 'pi_copy' };
    const fake = fakeStripe([
      ok(copy),
      ok({ ...copy, metadata: {} }),
      ok({ ...intentOf(charge), id: 'pi_copy', status: 'requires_payment_method' }),
    ]);
    expect(await fake.gateway.lookupByRemoteId?.(charge, remote)).toMatchObject({ is: 'succeeded', remote });
    expect((await fake.gateway.lookupByRemoteId?.(charge, remote))?.is).toBe('inconclusive');
    await fake.gateway.lookupByRemoteId?.(charge, remote);
    expect(fake.seen).toHaveLength(3);
  });
});

describe('finding by sending again', () => {
  it('uses the same key and the same body', async () => {
    const charge = sent(0, { source: { token: 'tok_visa' } });
    const first = fakeStripe([
      ok({ id: 'pm_B2', object: 'payment_method', type: 'card' }),
      networkFault('ETIMEDOUT'),
    ]);
    const outcome = await first.gateway.charge(charge, first.saveState);
    if (outcome.is !== 'unknown') throw new Error(`expected unknown, not ${outcome.is}`);

    const again = fakeStripe([ok(paidIntent(charge))]);
    const lost: Charge = { ...charge, source: 'lost', lastSentAt: new Date() };
    expect((await again.gateway.lookup(lost, outcome.state, plan('replay'))).is).toBe('succeeded');
    expect(again.seen[0]?.key).toBe(first.seen[1]?.key);
    expect(again.seen[0]?.body.toString()).toBe(first.seen[1]?.body.toString());
  });

  it('never charges by a plan that may not', async () => {
    const fake = fakeStripe([]);
    expect((await fake.gateway.lookup(sent(1), state, { ...plan('replay'), mayCharge: false })).is).toBe(
      'inconclusive',
    );
  });

  it('a replayed 500 ends the replays', async () => {
    const fake = fakeStripe([{ status: 500, json: broken, replayed: true }]);
    expect(await fake.gateway.lookup(sent(1), state, plan('replay'))).toMatchObject({
      is: 'inconclusive',
      state: { ...state, replayStopped: '2026-11-21T10:00:00.000Z' },
    });
  });

  it('a replayed decline is read again', async () => {
    const charge = sent(1);
    const open = intentOf(charge, {
      status: 'requires_payment_method',
      last_payment_error: { code: 'card_declined' },
    });
    const declined = {
      status: 402,
      json: errorBody({ type: 'card_error', code: 'card_declined', payment_intent: open }),
      replayed: true,
    };
    const fake = fakeStripe([declined, ok(paidIntent(charge))]);
    expect((await fake.gateway.lookup(charge, state, plan('replay'))).is).toBe('succeeded');
  });
});

describe('finding in the list', () => {
  it('reads every page and finds the reference', async () => {
    const charge = sent(10);
    const page = { object: 'list', data: [intentOf(sent(1), { id: 'pi_other' })], has_more: true };
    const fake = fakeStripe([ok(page), list(paidIntent(charge))]);
    expect((await fake.gateway.lookup(charge, undefined, plan('scan'))).is).toBe('succeeded');
    expect(fake.seen[0]?.path).toBe(
      `/v1/payment_intents?created[gte]=${Math.floor(charge.sentAt.getTime() / 1000) - 60}&limit=100`,
    );
    expect(fake.seen[1]?.path).toContain('starting_after=pi_other');
  });

  it('asks for the payer only, where there is one', async () => {
    const fake = fakeStripe([list()]);
    await fake.gateway.lookup(sent(10, { payer: { customer: 'cus_A1' } }), undefined, plan('scan'));
    expect(fake.seen[0]?.path).toContain('customer=cus_A1');
  });

  it('cancels an intent that was left unconfirmed, once nothing can be on its way any more', async () => {
    const charge = sent(10);
    const idle = intentOf(charge);
    const fake = fakeStripe([list(idle), ok({ ...idle, status: 'canceled' })]);
    expect(await fake.gateway.lookup(charge, undefined, plan('scan'))).toEqual({ is: 'closed' });
    expect(fake.seen[1]).toMatchObject({ method: 'POST', path: '/v1/payment_intents/pi_C3/cancel' });
    const young = sent(1);
    const early = fakeStripe([list(intentOf(young))]);
    expect((await early.gateway.lookup(young, undefined, plan('scan'))).is).toBe('unknown');
  });
});

describe('coming back from the bank', () => {
  const charge = sent(1);
  const paid = ok(paidIntent(charge));
  const query = { payment_intent: 'pi_C3', payment_intent_client_secret: 'pi_C3_secret_zz' };

  it('reads the payment, whatever the address claims', async () => {
    const fake = fakeStripe([paid]);
    expect(
      (await fake.gateway.handleReturn(charge, { intent: 'pi_C3' }, { ...query, redirect_status: 'failed' }))
        .is,
    ).toBe('succeeded');
  });

  it.each([
    ['another payment', { ...query, payment_intent: 'pi_X' }, []],
    ['a wrong secret', { ...query, payment_intent_client_secret: 'pi_C3_secret_yy' }, [paid]],
    ['an empty secret', { ...query, payment_intent_client_secret: '' }, [paid]],
  ])('refuses %s', async (_name, asked, script) => {
    const fake = fakeStripe(script);
    expect((await fake.gateway.handleReturn(charge, { intent: 'pi_C3' }, asked)).is).toBe('inconclusive');
  });

  it('understands the names of our own call too', async () => {
    const fake = fakeStripe([]);
    expect((await fake.gateway.handleReturn(charge, { intent: 'pi_C3' }, { paymentIntent: 'pi_X' })).is).toBe(
      'inconclusive',
    );
  });
});

describe('closing', () => {
  const charge = sent(1);
  const open = intentOf(charge, {
    status: 'requires_action',
    next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://x.test/' } },
  });
  const refusal = refused(400, { type: 'invalid_request_error', code: 'payment_intent_unexpected_state' });

  it('cancels', async () => {
    const fake = fakeStripe([ok({ ...open, status: 'canceled' })]);
    expect(await fake.gateway.cancel(charge, { intent: 'pi_C3' })).toEqual({ is: 'closed' });
    expect(fake.seen[0]?.body.get('cancellation_reason')).toBe('abandoned');
  });

  it.each([
    ['it succeeded meanwhile', paidIntent(charge), 'succeeded'],
    ['it is at the bank', intentOf(charge, { status: 'processing' }), 'pending'],
    ['it was cancelled before', { ...open, status: 'canceled' }, 'closed'],
    ['it stays open', open, 'cannotCancel'],
  ])('refused: %s', async (_name, json, is) => {
    const fake = fakeStripe([refusal, { status: 200, json }]);
    expect((await fake.gateway.cancel(charge, { intent: 'pi_C3' })).is).toBe(is);
  });

  it('is unknown while Stripe cannot be asked', async () => {
    const fake = fakeStripe([networkFault('ETIMEDOUT'), networkFault('ECONNREFUSED', 'connect')]);
    expect((await fake.gateway.cancel(charge, { intent: 'pi_C3' })).is).toBe('unknown');
  });

  it('looks for the id first where it is not known', async () => {
    const fake = fakeStripe([list(open), ok({ ...open, status: 'canceled' })]);
    expect((await fake.gateway.cancel(charge, undefined)).is).toBe('closed');
    const absent = fakeStripe([list()]);
    expect(await absent.gateway.cancel(charge, undefined)).toEqual({ is: 'absent', proven: false });
  });
});

describe('the page of Stripe’s own', () => {
  /** A payment made on Stripe's own page: only its charge says what was paid with. */
  const page = { page: 'open', session: 'cs_1' };
  const paidWith = (details: unknown) => {
    const charge = testCharge({ source: 'lost' });
    const session = {
      object: 'checkout.session',
      id: 'cs_1',
      status: 'complete',
      client_reference_id: charge.ref,
      amount_total: Number(charge.amount.minor),
      currency: charge.amount.currency.toLowerCase(),
      payment_intent: 'pi_C3',
    };
    const latest_charge = details === undefined ? 'ch_1' : { id: 'ch_1', payment_method_details: details };
    const fake = fakeStripe([ok(session), ok({ ...paidIntent(charge), latest_charge })]);
    return { fake, found: fake.gateway.handleReturn(charge, page, {}) };
  };

  describe('what a payment on Stripe’s own page was paid with', () => {
    it.each([
      [
        'a card',
        { type: 'card', card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2031, wallet: null } },
        { type: 'card', brand: 'visa', last4: '4242' },
      ],
      [
        'a bank account with its bank',
        {
          type: 'us_bank_account',
          us_bank_account: { bank_name: 'TEST BANK', last4: '6789', routing_number: '1' },
        },
        { type: 'us_bank_account', bankName: 'TEST BANK', last4: '6789' },
      ],
      [
        'a debit',
        { type: 'sepa_debit', sepa_debit: { last4: '3000' } },
        { type: 'sepa_debit', last4: '3000' },
      ],
    ])('is read from the charge: %s', async (_name, details, shown) => {
      const { fake, found } = paidWith(details);
      expect(await found).toMatchObject({ is: 'succeeded', shown });
      // The charge comes with the payment: nothing more is asked.
      expect(fake.seen[1]?.path).toContain('expand');
      expect(fake.seen).toHaveLength(2);
    });

    it.each([
      ['a method that shows nothing', { type: 'link', link: {} }],
      ['details that are none', 'card'],
      ['a charge that is not told', undefined],
    ])('is left out, and the money still counts: %s', async (_name, details) => {
      const found = await paidWith(details).found;
      expect(found.is).toBe('succeeded');
      expect(found).not.toHaveProperty('shown');
    });
  });
});
