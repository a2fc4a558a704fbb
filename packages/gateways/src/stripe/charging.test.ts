import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { secretBytes } from '../kit/secret-bytes.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { manifest } from './manifest.ts';
import {
  aud,
  fakeStripe,
  intentOf,
  methodReply,
  networkFault,
  ok,
  paidIntent,
  refused,
  type Scripted,
} from './test-support.ts';

const charge = testCharge({ source: { token: 'tok_visa' } });
const method = ok(methodReply);
const paid = ok(paidIntent(charge));
const busy = refused(429, { type: 'invalid_request_error', code: 'rate_limit', message: 'slow' });
const broken = refused(500, { type: 'api_error', message: 'oops' });
const key = (step: string) => `counterfoil:${charge.ref}:${step}`;

describe('a charge with a one-time token', () => {
  it('makes a method, keeps it, then charges; one key for each step', async () => {
    const fake = fakeStripe([method, paid]);
    const outcome = await fake.gateway.charge(charge, fake.saveState);
    expect(outcome).toMatchObject({
      is: 'succeeded',
      remote: 'pi_C3',
      captured: { minor: 12_550n, currency: 'AUD' },
    });
    expect(fake.seen.map(({ method: verb, path, key: used }) => [verb, path, used])).toEqual([
      ['POST', '/v1/payment_methods', key('method')],
      ['POST', '/v1/payment_intents', key('charge')],
    ]);
    const body = fake.seen[1]?.body;
    expect(body?.get('payment_method')).toBe('pm_B2');
    expect(body?.get('confirm')).toBe('true');
    expect(body?.get('metadata[attemptId]')).toBe(charge.ref);
    expect(body?.get('allowed_payment_method_types[0]')).toBe('card');
    expect(body?.get('return_url')).toBe(charge.returnTo);
    expect(fake.seen[1]?.headers.get('stripe-version')).toBe('2026-10-28.endive');
    expect(fake.seen[1]?.headers.get('x-stripe-client-telemetry')).toBeNull();
    expect(fake.kept).toMatchObject([{ paymentMethod: 'pm_B2' }]);
  });

  it('goes no further when the step cannot be kept', async () => {
    const fake = fakeStripe([method]);
    const outcome = await fake.gateway.charge(charge, () => Promise.reject(new Error('database gone')));
    expect(outcome).toMatchObject({ is: 'notAttempted', why: 'unreachable' });
  });

  it.each([
    ['an unknown kind of token', { source: { token: '4242424242424242' } }],
    ['raw numbers', { source: { secrets: { number: secretBytes(new Uint8Array([1])) }, beside: {} } }],
    ['an amount Stripe cannot say', { source: { token: 'tok_visa' }, amount: money(1_234n, 'KWD') }],
  ])('sends nothing for %s', async (_name, over) => {
    const fake = fakeStripe([]);
    const outcome = await fake.gateway.charge({ ...charge, ...over }, fake.saveState);
    expect(outcome).toMatchObject({ is: 'notAttempted', why: 'invalid' });
    expect(fake.seen).toEqual([]);
    expect(JSON.stringify(outcome)).not.toContain('4242');
  });

  it('cannot be made without its token', async () => {
    const fake = fakeStripe([]);
    await expect(fake.gateway.charge({ ...charge, source: 'lost' }, fake.saveState)).rejects.toThrow(
      TypeError,
    );
  });
});

const unreachable = networkFault('ECONNREFUSED', 'connect');
const cut = networkFault('UND_ERR_SOCKET');
const invalid = refused(400, { type: 'invalid_request_error', message: 'x' });
const lockedOut = refused(401, { type: 'invalid_request_error', message: 'x' });
const stopped = { ...broken, replayed: true };
const nothingSent = { is: 'notAttempted', why: 'unreachable' };
const unknown = { is: 'unknown', state: { paymentMethod: 'pm_B2' } };

describe('trouble', () => {
  it.each<[what: string, script: readonly Scripted[], expected: object]>([
    // While the token is traded nothing can be taken.
    ['no way to trade the token', [unreachable], nothingSent],
    ['no answer to the token', [networkFault('ETIMEDOUT')], nothingSent],
    ['no method for the token', [ok({})], nothingSent],
    [
      'a card that is refused already',
      [refused(402, { type: 'card_error', code: 'incorrect_number', message: 'x' })],
      { is: 'declined', why: { class: 'fixInput', text: 'Please check the card number' } },
    ],
    // Then the money call.
    ['nothing could be sent', [method, unreachable], nothingSent],
    ['the name is unknown', [method, networkFault('ENOTFOUND', 'getaddrinfo')], nothingSent],
    ['no answer in time', [method, new DOMException('timed out', 'TimeoutError')], unknown],
    ['an HTML page', [method, { status: 502, text: '<html>Bad gateway</html>' }], unknown],
    ['an empty answer', [method, { status: 200, text: '' }], unknown],
    ['a literal null', [method, { status: 200, text: 'null' }], unknown],
    ['something else', [method, ok({ object: 'list', data: [] })], unknown],
    ['an error without type', [method, { status: 500, json: {} }], unknown],
    ['a redirect', [method, { status: 302, text: '' }], unknown],
    ['429 without end', [method, busy, busy, busy], unknown],
    ['500 without end', [method, broken, broken, broken], unknown],
    // The first may have charged.
    ['a 500, then unreachable', [method, broken, unreachable], unknown],
    ['a 500, then refused', [method, broken, invalid], unknown],
    ['a 500, then locked out', [method, broken, lockedOut], unknown],
    ['cut, then unreachable', [method, cut, unreachable], unknown],
    ['cut, then locked out', [method, cut, lockedOut], unknown],
    ['a 429, then unreachable', [method, busy, unreachable], nothingSent],
    ['a 429, then refused', [method, busy, invalid], { is: 'notAttempted', why: 'invalid' }],
    ['a 429, then locked out', [method, busy, lockedOut], { is: 'notAttempted', why: 'config' }],
    [
      'a replayed 500, remembered',
      [method, broken, stopped],
      { is: 'unknown', state: { replayStopped: '2026-11-21T10:00:00.000Z' } },
    ],
  ])('%s', async (_what, script, expected) => {
    const fake = fakeStripe(script);
    expect(await fake.gateway.charge(charge, fake.saveState)).toMatchObject(expected);
  });

  it('36: 429, 409 and a first 500 are repeated with the same key and body; so is what is cut, and by us alone', async () => {
    const inUse = refused(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' });
    for (const trouble of [busy, inUse, broken, networkFault('ECONNRESET')]) {
      const fake = fakeStripe([method, trouble, trouble, paid]);
      expect((await fake.gateway.charge(charge, fake.saveState)).is).toBe('succeeded');
      const sends = fake.seen.slice(1);
      expect(sends.map((one) => one.key)).toEqual(Array(3).fill(key('charge')));
      expect(new Set(sends.map((one) => one.body.toString())).size).toBe(1);
      expect(fake.pauses).toHaveLength(2);
    }
  });

  it('reads a replayed success again, for it is the first answer', async () => {
    const first = intentOf(charge, {
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://x.test/' } },
    });
    const fake = fakeStripe([method, { status: 200, json: first, replayed: true }, paid]);
    expect((await fake.gateway.charge(charge, fake.saveState)).is).toBe('succeeded');
    const path = '/v1/payment_intents/pi_C3?expand[0]=latest_charge';
    expect(fake.seen[2]).toMatchObject({ method: 'GET', path });
  });

  it('reads are not repeated in secret either', async () => {
    const fake = fakeStripe([networkFault('ECONNRESET')]);
    expect(await fake.gateway.verifyCredentials()).toMatchObject({ ok: false, unreachable: true });
    expect(fake.seen).toHaveLength(1);
  });
});

describe('a refund', () => {
  const sentAt = new Date('2026-11-21T09:50:00Z');
  const charge = testCharge({ sentAt });
  const refund = testRefund(
    charge,
    { is: 'succeeded', remote: remoteId('pi_C3'), captured: aud(12_550n), state: {} },
    { sentAt, amount: aud(5_000n), reason: 'requestedByCustomer' },
  );
  const paid = ok(paidIntent(charge));
  const remoteRefund = (over: Record<string, unknown> = {}) => ({
    id: 're_1',
    object: 'refund',
    amount: 5_000,
    currency: 'aud',
    status: 'succeeded',
    metadata: { attemptId: refund.ref },
    ...over,
  });
  const plans = manifest.capabilities.refundLookup;
  const plan = (by: string) => plans.find((one) => one.by === by) ?? plans[0];

  describe('refunding', () => {
    it('refunds what was captured, with a key of its own', async () => {
      const fake = fakeStripe([paid, ok(remoteRefund())]);
      expect(await fake.gateway.refund(refund)).toMatchObject({
        is: 'succeeded',
        remote: 're_1',
        captured: aud(5_000n),
      });
      expect(fake.seen[1]).toMatchObject({ path: '/v1/refunds', key: `counterfoil:${refund.ref}:give-back` });
      expect(Object.fromEntries(fake.seen[1]?.body ?? [])).toEqual({
        payment_intent: 'pi_C3',
        amount: '5000',
        reason: 'requested_by_customer',
        'metadata[attemptId]': refund.ref,
        'metadata[chargeId]': charge.ref,
      });
    });

    it.each([
      ['pending', 'pending'],
      ['requires_action', 'pending'],
      ['failed', 'declined'],
      ['canceled', 'declined'],
      ['a new one', 'unknown'],
    ])('a refund that is %s: %s', async (status, is) => {
      const fake = fakeStripe([paid, ok(remoteRefund({ status }))]);
      expect((await fake.gateway.refund(refund)).is).toBe(is);
    });

    it('cancels what was not captured', async () => {
      const held = intentOf(charge, { status: 'requires_capture' });
      const fake = fakeStripe([ok(held), ok({ ...held, status: 'canceled' })]);
      expect((await fake.gateway.refund(refund)).is).toBe('succeeded');
    });

    it.each([
      ['more than remains', refused(400, { param: 'amount' }), 'notAttempted'],
      ['already refunded', refused(400, { code: 'charge_already_refunded' }), 'notAttempted'],
      ['no answer', networkFault('ETIMEDOUT'), 'unknown'],
      ['nothing sent', networkFault('ECONNREFUSED', 'connect'), 'notAttempted'],
      ['a key used before', refused(400, { type: 'idempotency_error' }), 'unknown'],
    ])('%s', async (_name, answer, is) => {
      const fake = fakeStripe([paid, answer]);
      expect((await fake.gateway.refund(refund)).is).toBe(is);
    });

    it('a 500, then unreachable: it may have gone back, so it is unknown', async () => {
      const broken = refused(500, { type: 'api_error', message: 'x' });
      const fake = fakeStripe([paid, broken, networkFault('ECONNREFUSED', 'connect')]);
      expect((await fake.gateway.refund(refund)).is).toBe('unknown');
    });

    it('sends nothing when the payment cannot be read', async () => {
      const fake = fakeStripe([networkFault('ETIMEDOUT')]);
      expect((await fake.gateway.refund(refund)).is).toBe('notAttempted');
    });
  });

  describe('finding a refund', () => {
    const find = (script: Parameters<typeof fakeStripe>[0], by: string) => {
      const chosen = plan(by);
      if (chosen === undefined) throw new Error('no plan');
      return fakeStripe([paid, ...script]).gateway.lookupRefund?.(refund, undefined, chosen);
    };
    const list = (...data: unknown[]) => ok({ object: 'list', data, has_more: false });

    it('in the list of the payment', async () => {
      expect(
        await find([list(remoteRefund({ id: 're_0', metadata: {} }), remoteRefund())], 'scan'),
      ).toMatchObject({
        is: 'succeeded',
        remote: 're_1',
      });
      expect(await find([list()], 'scan')).toEqual({ is: 'absent', proven: true });
    });

    it('by sending it again', async () => {
      expect(await find([ok(remoteRefund())], 'replay')).toMatchObject({
        is: 'succeeded',
      });
      expect(
        await find(
          [{ status: 200, json: remoteRefund({ status: 'pending' }), replayed: true }, ok(remoteRefund())],
          'replay',
        ),
      ).toMatchObject({ is: 'succeeded' });
      expect(await find([networkFault('ECONNREFUSED', 'connect')], 'replay')).toMatchObject({
        is: 'unknown',
      });
    });

    it('a void by its effect', async () => {
      const chosen = plan('scan');
      if (chosen === undefined) throw new Error('no plan');
      const fake = fakeStripe([ok(intentOf(charge, { status: 'canceled' }))]);
      expect(await fake.gateway.lookupRefund?.(refund, undefined, chosen)).toMatchObject({ is: 'succeeded' });
    });
  });
});
