import { describe, expect, it } from 'vitest';
import { testCharge, testRefund } from '../cases/test-charge.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { manifest } from './manifest.ts';
import { aud, errorBody, fakeStripe, intentOf, networkFault, paidIntent } from './test-support.ts';

const sentAt = new Date('2026-11-21T09:50:00Z');
const charge = testCharge({ sentAt });
const refund = testRefund(
  charge,
  { is: 'succeeded', remote: remoteId('pi_C3'), captured: aud(12_550n), state: {} },
  { sentAt, amount: aud(5_000n), reason: 'requestedByCustomer' },
);
const paid = { status: 200, json: paidIntent(charge) };
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
    const fake = fakeStripe([paid, { status: 200, json: remoteRefund() }]);
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
    const fake = fakeStripe([paid, { status: 200, json: remoteRefund({ status }) }]);
    expect((await fake.gateway.refund(refund)).is).toBe(is);
  });

  it('cancels what was not captured', async () => {
    const held = intentOf(charge, { status: 'requires_capture' });
    const fake = fakeStripe([
      { status: 200, json: held },
      { status: 200, json: { ...held, status: 'canceled' } },
    ]);
    expect((await fake.gateway.refund(refund)).is).toBe('succeeded');
  });

  it.each([
    ['more than remains', { status: 400, json: errorBody({ param: 'amount' }) }, 'notAttempted'],
    [
      'already refunded',
      { status: 400, json: errorBody({ code: 'charge_already_refunded' }) },
      'notAttempted',
    ],
    ['no answer', networkFault('ETIMEDOUT'), 'unknown'],
    ['nothing sent', networkFault('ECONNREFUSED', 'connect'), 'notAttempted'],
    ['a key used before', { status: 400, json: errorBody({ type: 'idempotency_error' }) }, 'unknown'],
  ])('%s', async (_name, answer, is) => {
    const fake = fakeStripe([paid, answer]);
    expect((await fake.gateway.refund(refund)).is).toBe(is);
  });

  it('a 500, then unreachable: it may have gone back, so it is unknown', async () => {
    const broken = { status: 500, json: errorBody({ type: 'api_error', message: 'x' }) };
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
  const list = (...data: unknown[]) => ({ status: 200, json: { object: 'list', data, has_more: false } });

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
    expect(await find([{ status: 200, json: remoteRefund() }], 'replay')).toMatchObject({ is: 'succeeded' });
    expect(
      await find(
        [
          { status: 200, json: remoteRefund({ status: 'pending' }), replayed: true },
          { status: 200, json: remoteRefund() },
        ],
        'replay',
      ),
    ).toMatchObject({ is: 'succeeded' });
    expect(await find([networkFault('ECONNREFUSED', 'connect')], 'replay')).toMatchObject({ is: 'unknown' });
  });

  it('a void by its effect', async () => {
    const chosen = plan('scan');
    if (chosen === undefined) throw new Error('no plan');
    const fake = fakeStripe([{ status: 200, json: intentOf(charge, { status: 'canceled' }) }]);
    expect(await fake.gateway.lookupRefund?.(refund, undefined, chosen)).toMatchObject({ is: 'succeeded' });
  });
});
