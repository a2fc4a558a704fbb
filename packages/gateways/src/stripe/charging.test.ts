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

  it('is not attempted when the token could not be traded, however that failed', async () => {
    for (const first of [networkFault('ECONNREFUSED', 'connect'), networkFault('ETIMEDOUT'), ok({})]) {
      const fake = fakeStripe([first]);
      expect(await fake.gateway.charge(charge, fake.saveState)).toMatchObject({
        is: 'notAttempted',
        why: 'unreachable',
      });
    }
  });

  it('is declined when the card itself is refused', async () => {
    const fake = fakeStripe([refused(402, { type: 'card_error', code: 'incorrect_number', message: 'x' })]);
    expect(await fake.gateway.charge(charge, fake.saveState)).toMatchObject({
      is: 'declined',
      why: { class: 'fixInput', text: 'Please check the card number' },
    });
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

describe('trouble on the money call', () => {
  it('429, 409 and a first 500 are repeated with the same key and body', async () => {
    const inUse = refused(409, { type: 'idempotency_error', code: 'idempotency_key_in_use' });
    for (const trouble of [busy, inUse, broken]) {
      const fake = fakeStripe([method, trouble, trouble, paid]);
      expect((await fake.gateway.charge(charge, fake.saveState)).is).toBe('succeeded');
      const sends = fake.seen.slice(1);
      expect(sends.map((one) => one.key)).toEqual(Array(3).fill(key('charge')));
      expect(new Set(sends.map((one) => one.body.toString())).size).toBe(1);
      expect(fake.pauses).toHaveLength(2);
    }
  });

  it('gives up into unknown, not into failed', async () => {
    for (const trouble of [busy, broken]) {
      const fake = fakeStripe([method, trouble, trouble, trouble]);
      expect(await fake.gateway.charge(charge, fake.saveState)).toMatchObject({
        is: 'unknown',
        state: { paymentMethod: 'pm_B2' },
      });
    }
  });

  it.each([
    ['unreachable', networkFault('ECONNREFUSED', 'connect')],
    ['refused', refused(400, { type: 'invalid_request_error', message: 'x' })],
    ['locked out', refused(401, { type: 'invalid_request_error', message: 'x' })],
  ])('a 500, then %s: the first may have charged, so it is unknown', async (_name, then) => {
    const fake = fakeStripe([method, broken, then]);
    expect((await fake.gateway.charge(charge, fake.saveState)).is).toBe('unknown');
    const limited = fakeStripe([method, busy, then]);
    expect((await limited.gateway.charge(charge, limited.saveState)).is).toBe('notAttempted');
  });

  it('stops at a replayed 500 and remembers it', async () => {
    const fake = fakeStripe([method, broken, { ...broken, replayed: true }]);
    const outcome = await fake.gateway.charge(charge, fake.saveState);
    expect(outcome).toMatchObject({ is: 'unknown', state: { replayStopped: '2026-11-21T10:00:00.000Z' } });
    expect(fake.seen).toHaveLength(3);
  });

  it('reads a replayed success again, for it is the first answer', async () => {
    const first = intentOf(charge, {
      status: 'requires_action',
      next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'https://x.test/' } },
    });
    const fake = fakeStripe([method, { status: 200, json: first, replayed: true }, paid]);
    expect((await fake.gateway.charge(charge, fake.saveState)).is).toBe('succeeded');
    expect(fake.seen[2]).toMatchObject({
      method: 'GET',
      path: '/v1/payment_intents/pi_C3?expand[0]=latest_charge',
    });
  });

  it.each([
    [
      'nothing could be sent',
      networkFault('ECONNREFUSED', 'connect'),
      { is: 'notAttempted', why: 'unreachable' },
    ],
    [
      'the name is unknown',
      networkFault('ENOTFOUND', 'getaddrinfo'),
      { is: 'notAttempted', why: 'unreachable' },
    ],
    ['no answer in time', new DOMException('timed out', 'TimeoutError'), { is: 'unknown' }],
    ['an HTML page', { status: 502, text: '<html>Bad gateway</html>' }, { is: 'unknown' }],
    ['an empty answer', { status: 200, text: '' }, { is: 'unknown' }],
    ['a literal null', { status: 200, text: 'null' }, { is: 'unknown' }],
    ['something else', ok({ object: 'list', data: [] }), { is: 'unknown' }],
    ['an error without type', { status: 500, json: {} }, { is: 'unknown' }],
    ['a redirect', { status: 302, text: '' }, { is: 'unknown' }],
  ])('%s', async (_name, trouble, expected) => {
    const fake = fakeStripe([method, trouble]);
    expect(await fake.gateway.charge(charge, fake.saveState)).toMatchObject(expected);
  });

  it('a closed connection is repeated, with the same key; the SDK adds none of its own', async () => {
    const fake = fakeStripe([method, networkFault('ECONNRESET'), paid]);
    expect((await fake.gateway.charge(charge, fake.saveState)).is).toBe('succeeded');
    expect(fake.seen.slice(1).map((one) => one.key)).toEqual([key('charge'), key('charge')]);
  });

  it('reads are not repeated in secret either', async () => {
    const fake = fakeStripe([networkFault('ECONNRESET')]);
    expect(await fake.gateway.verifyCredentials()).toMatchObject({ ok: false, unreachable: true });
    expect(fake.seen).toHaveLength(1);
  });

  it.each([
    ['unreachable', networkFault('ECONNREFUSED', 'connect')],
    ['locked out', refused(401, { type: 'invalid_request_error', message: 'x' })],
  ])('cut, then %s: the first may have charged, so it is unknown', async (_name, then) => {
    const fake = fakeStripe([method, networkFault('UND_ERR_SOCKET'), then]);
    expect((await fake.gateway.charge(charge, fake.saveState)).is).toBe('unknown');
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
