/** What becomes of a payment after its end: refunds, chargebacks and the events that tell them, in the sandbox. */
import { money } from '@counterfoil/domain/money/money.ts';
import { describe, expect, it } from 'vitest';
import { lost } from '../cases/session.ts';
import { testRefund } from '../cases/test-charge.ts';
import { polled } from '../cases/test-support.ts';
import type { Gateway, GatewayEvent } from '../port/gateway.ts';
import { manifest } from './manifest.ts';
import { charged, harness, hour, open, owner } from './test-support.ts';

const [refundByRef] = manifest.capabilities.refundLookup;
if (refundByRef === undefined) throw new Error('a refund cannot be looked up');

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
    const found = await gateway.lookupRefund?.(refund, undefined, refundByRef);
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
    expect(await resolved(gateway, ofDeclined[0] as GatewayEvent)).toEqual([
      {
        id: ofDeclined[0]?.id,
        about: 'charge',
        remote: ofDeclined[0]?.remote,
        ref: declined.ref,
        cursor: ofDeclined[0]?.cursor,
      },
    ]);
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
