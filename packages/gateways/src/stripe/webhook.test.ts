import { createHmac } from 'node:crypto';
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { readHook } from './webhook.ts';

const now = new Date('2026-11-21T10:00:00Z');
const seconds = now.getTime() / 1000;
const ref = newGatewayRef();
const event = (over: Record<string, unknown> = {}) => ({
  id: 'evt_1',
  object: 'event',
  type: 'payment_intent.succeeded',
  data: { object: { id: 'pi_1', object: 'payment_intent', metadata: { attemptId: ref } } },
  ...over,
});
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const v1 = (secret: string, raw: Uint8Array, t = seconds) =>
  createHmac('sha256', secret).update(`${t}.`).update(raw).digest('hex');
const read = (raw: Uint8Array, header: string) =>
  readHook(['whsec_one'], raw, new Headers({ 'Stripe-Signature': header }), now);

describe('a webhook delivery', () => {
  const raw = bytes(event());

  it('is taken when its signature fits [decisions.2.webhook-signature]', () => {
    expect(read(raw, `t=${seconds},v1=${v1('whsec_one', raw)}`)).toEqual({
      is: 'accepted',
      trust: 'signed',
      events: [{ id: 'evt_1', about: 'charge', remote: 'pi_1', ref }],
    });
  });

  it('is refused with another secret, another time, and the test scheme', () => {
    for (const header of [
      `t=${seconds},v1=${v1('whsec_two', raw)}`,
      `t=${seconds - 301},v1=${v1('whsec_one', raw, seconds - 301)}`,
      `t=${seconds},v0=${v1('whsec_one', raw)}`,
    ])
      expect(read(raw, header)).toMatchObject({ is: 'refused', status: 400 });
  });

  it.each(['null', '[]', '{', '{"object":"event"}', '{"id":"evt_1","object":"event","type":1}'])(
    'is refused when the signed body is %s',
    (text) => {
      const odd = new TextEncoder().encode(text);
      expect(read(odd, `t=${seconds},v1=${v1('whsec_one', odd)}`).is).toBe('refused');
    },
  );
});

describe('events', () => {
  const eventsOf = (type: string, object: Record<string, unknown>, previous_attributes?: object) => {
    const raw = bytes(event({ type, data: { object, previous_attributes } }));
    const reading = read(raw, `t=${seconds},v1=${v1('whsec_one', raw)}`);
    return reading.is === 'accepted' ? reading.events : undefined;
  };
  const dispute = {
    id: 'dp_1',
    object: 'dispute',
    amount: 500,
    currency: 'aud',
    payment_intent: 'pi_1',
    reason: 'fraudulent',
  };

  const reversal = { remote: 'dp_1', amount: money(500n, 'AUD'), of: 'pi_1', code: 'fraudulent' };
  const refund = { ...reversal, remote: 're_1', code: '' };
  const disputed = { about: 'charge', remote: 'pi_1' };
  const refunded = { id: 're_1', amount: 500, currency: 'aud', payment_intent: 'pi_1' };

  /** All that an event tells, and nothing beside: whose a method is, or was; what a dispute or a refund does. */
  it.each<[type: string, object: Record<string, unknown>, told: object | undefined, previous?: object]>([
    ['refund.updated', { id: 're_1', metadata: {} }, { about: 'refund', remote: 're_1' }],
    ['setup_intent.succeeded', { id: 'seti_1' }, { about: 'method', remote: 'seti_1' }],
    ['payment_method.detached', { id: 'pm_1' }, { about: 'method', remote: 'pm_1' }],
    [
      'payment_method.attached',
      { id: 'pm_1', customer: 'cus_1' },
      { about: 'method', remote: 'pm_1', payer: 'cus_1' },
    ],
    [
      'payment_method.detached',
      { id: 'pm_1', customer: null },
      { about: 'method', remote: 'pm_1', payer: 'cus_1' },
      { customer: 'cus_1' },
    ],
    ['customer.updated', { id: 'cus_1' }, { about: 'payer', remote: 'cus_1', payer: 'cus_1' }],
    ['mandate.updated', { id: 'mandate_1' }, { about: 'mandate', remote: 'mandate_1' }],
    ['charge.succeeded', { id: 'ch_1', payment_intent: 'pi_1' }, disputed],
    ['checkout.session.completed', { id: 'cs_1', payment_intent: 'pi_1' }, disputed],
    ['payment_intent.succeeded', { id: 'pi_1', customer: 'cus_1' }, disputed],
    // A foreign reference is not taken for ours.
    ['payment_intent.canceled', { id: 'pi_1', metadata: { attemptId: 'not ours' } }, disputed],
    ['customer.created', { id: 'cus_1' }, undefined],
    ['charge.dispute.created', dispute, { ...disputed, reversal: { ...reversal, kind: 'chargeback' } }],
    ['charge.dispute.created', { ...dispute, status: 'warning_needs_response' }, disputed],
    [
      'charge.dispute.closed',
      { ...dispute, status: 'won' },
      { ...disputed, reversal: { ...reversal, kind: 'chargebackWon' } },
    ],
    ['charge.dispute.closed', { ...dispute, status: 'lost' }, disputed],
    [
      'refund.updated',
      { ...refunded, status: 'succeeded' },
      { about: 'refund', remote: 're_1', reversal: { ...refund, kind: 'refund' } },
    ],
    [
      'refund.failed',
      { ...refunded, status: 'failed' },
      { about: 'refund', remote: 're_1', reversal: { ...refund, kind: 'refundFailed' } },
    ],
  ])('%s: %j', (type, object, told, previous) => {
    expect(eventsOf(type, object, previous)).toEqual(told === undefined ? [] : [{ id: 'evt_1', ...told }]);
  });

  it.each([
    ['payment_intent.succeeded', (id: string) => ({ id })],
    ['charge.succeeded', (id: string) => ({ id: 'ch_1', payment_intent: id })],
    ['charge.dispute.created', (id: string) => ({ ...dispute, id })],
    ['charge.dispute.created', (id: string) => ({ ...dispute, payment_intent: { id } })],
    ['refund.failed', (id: string) => ({ ...dispute, id, status: 'failed' })],
    ['payment_method.attached', (id: string) => ({ id: 'pm_1', customer: id })],
    ['payment_method.detached', () => ({ id: 'pm_1' }), (id: string) => ({ customer: id })],
    ['customer.updated', (id: string) => ({ id })],
  ] as const)(
    '%s with an id that is too long is refused, with an empty one it breaks nothing',
    (type, object, owner?: (id: string) => object) => {
      expect(eventsOf(type, object('i'.repeat(256)), owner?.('i'.repeat(256)))).toBeUndefined();
      expect(eventsOf(type, object('i'.repeat(255)), owner?.('i'.repeat(255)))).toHaveLength(1);
      expect(eventsOf(type, object(''), owner?.(''))).toHaveLength(1);
    },
  );
});
