import { createHmac } from 'node:crypto';
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
const read = (raw: Uint8Array, header: string | undefined, secrets = ['whsec_one']) =>
  readHook(secrets, raw, new Headers(header === undefined ? {} : { 'Stripe-Signature': header }), now);

describe('a webhook delivery', () => {
  const raw = bytes(event());

  it('is taken when its signature fits [decisions.2.webhook-signature]', () => {
    expect(read(raw, `t=${seconds},v1=${v1('whsec_one', raw)}`)).toEqual({
      is: 'accepted',
      trust: 'signed',
      events: [{ id: 'evt_1', about: 'charge', remote: 'pi_1', ref }],
    });
  });

  it('is taken with the second of two signatures, and with the second of two secrets', () => {
    const header = `t=${seconds},v1=${v1('whsec_old', raw)},v1=${v1('whsec_one', raw)},v0=aa`;
    expect(read(raw, header).is).toBe('accepted');
    expect(read(raw, `t=${seconds},v1=${v1('whsec_two', raw)}`, ['whsec_one', 'whsec_two']).is).toBe(
      'accepted',
    );
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['no time', `v1=${v1('whsec_one', raw)}`],
    ['no signature', `t=${seconds}`],
    ['another secret', `t=${seconds},v1=${v1('whsec_two', raw)}`],
    ['only the test scheme', `t=${seconds},v0=${v1('whsec_one', raw)}`],
    ['a signature of another time', `t=${seconds - 1},v1=${v1('whsec_one', raw)}`],
    ['half a signature', `t=${seconds},v1=${v1('whsec_one', raw).slice(0, 32)}`],
    ['301 s old', `t=${seconds - 301},v1=${v1('whsec_one', raw, seconds - 301)}`],
    ['301 s ahead', `t=${seconds + 301},v1=${v1('whsec_one', raw, seconds + 301)}`],
  ])('is refused with %s', (_name, header) => {
    expect(read(raw, header)).toMatchObject({ is: 'refused', status: 400 });
  });

  it('is refused when one byte changed [decisions.2.webhook-signature]', () => {
    const header = `t=${seconds},v1=${v1('whsec_one', raw)}`;
    for (const at of [0, 20, raw.length - 1]) {
      const changed = Uint8Array.from(raw);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(read(changed, header).is).toBe('refused');
    }
  });

  it('is taken 300 s old', () => {
    expect(read(raw, `t=${seconds - 300},v1=${v1('whsec_one', raw, seconds - 300)}`).is).toBe('accepted');
  });

  it('is refused without configured secret, and when too long', () => {
    expect(read(raw, `t=${seconds},v1=${v1('whsec_one', raw)}`, []).is).toBe('refused');
    expect(read(new Uint8Array(1024 * 1024 + 1), `t=${seconds}`)).toMatchObject({ status: 413 });
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

  it.each([
    ['refund.updated', { id: 're_1', metadata: {} }, { about: 'refund', remote: 're_1' }],
    ['setup_intent.succeeded', { id: 'seti_1' }, { about: 'method', remote: 'seti_1' }],
    ['payment_method.detached', { id: 'pm_1' }, { about: 'method', remote: 'pm_1' }],
    ['mandate.updated', { id: 'mandate_1' }, { about: 'mandate', remote: 'mandate_1' }],
    ['charge.succeeded', { id: 'ch_1', payment_intent: 'pi_1' }, { about: 'charge', remote: 'pi_1' }],
    [
      'checkout.session.completed',
      { id: 'cs_1', payment_intent: 'pi_1' },
      { about: 'charge', remote: 'pi_1' },
    ],
    ['payment_intent.canceled', { id: 'pi_1', metadata: { attemptId: 'not ours' } }, { about: 'charge' }],
  ])('%s', (type, object, expected) => {
    expect(eventsOf(type, object)).toMatchObject([expected]);
  });

  it('a method says whose it is, and a detached one whose it was', () => {
    expect(eventsOf('payment_method.attached', { id: 'pm_1', customer: 'cus_1' })).toMatchObject([
      { about: 'method', remote: 'pm_1', payer: 'cus_1' },
    ]);
    expect(
      eventsOf('payment_method.detached', { id: 'pm_1', customer: null }, { customer: 'cus_1' }),
    ).toMatchObject([{ about: 'method', remote: 'pm_1', payer: 'cus_1' }]);
    expect(eventsOf('customer.updated', { id: 'cus_1' })).toMatchObject([
      { about: 'payer', remote: 'cus_1', payer: 'cus_1' },
    ]);
    expect(eventsOf('payment_intent.succeeded', { id: 'pi_1', customer: 'cus_1' })?.[0]).not.toHaveProperty(
      'payer',
    );
  });

  it('a dispute takes the money away, a won one brings it back, a lost one changes nothing', () => {
    expect(eventsOf('charge.dispute.created', dispute)).toMatchObject([
      {
        about: 'charge',
        remote: 'pi_1',
        reversal: { kind: 'chargeback', remote: 'dp_1', code: 'fraudulent' },
      },
    ]);
    expect(eventsOf('charge.dispute.closed', { ...dispute, status: 'won' })).toMatchObject([
      { reversal: { kind: 'chargebackWon' } },
    ]);
    expect(eventsOf('charge.dispute.closed', { ...dispute, status: 'lost' })?.[0]).not.toHaveProperty('late');
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

  it('other kinds carry none, and a foreign reference is not taken for ours', () => {
    expect(eventsOf('customer.created', { id: 'cus_1' })).toEqual([]);
    expect(
      eventsOf('payment_intent.created', { id: 'pi_1', metadata: { attemptId: 'x' } })?.[0],
    ).not.toHaveProperty('ref');
  });
});
