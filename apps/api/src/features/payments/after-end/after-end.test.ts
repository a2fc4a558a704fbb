import { money } from '@counterfoil/domain/money/money.ts';
import type { Reversal } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixture, lines, paid, rows } from '../../../../test/fixtures/paying/reversals-fixture.ts';
import { doAfterEnd } from './rounds.ts';

const { gateway, clock } = fixture;
const DAY = 24 * 3_600_000;
const open = { status: 10, due: '11000', reversed: '11165' };
const closed = { status: 11, due: '0', reversed: '0' };

/** What the gateway lists, of every charge. */
let list: readonly Reversal[] | 'inconclusive' = [];
let asked = 0;
const failure = (over: Partial<Reversal> = {}): Reversal => ({
  kind: 'failed',
  remote: remoteId('f_1'),
  amount: money(11_165n, 'USD'),
  code: 'R01',
  ...over,
});

beforeEach(() => {
  list = [];
  asked = 0;
  gateway.setCapabilities({ recheckMs: { card: [10 * DAY, 3 * DAY] } });
  gateway.onListReversals = async () => {
    asked += 1;
    return list === 'inconclusive' ? list : { reversals: list };
  };
});
afterEach(async () => {
  gateway.setCapabilities({ recheckMs: {} });
  gateway.onListReversals = undefined;
  gateway.onCleanUp = undefined;
  // Nothing of one test is due in the next.
  await rows('update after_end_task set next_at = null');
});

describe('a payment that has ended', () => {
  it('is looked at again at each of its times, once, and what came back is booked', async () => {
    const one = await paid();
    clock.advance(3 * DAY - 1);
    expect(await doAfterEnd(fixture.engine)).toBe(0);
    clock.advance(1);
    const both = await Promise.all([doAfterEnd(fixture.engine), doAfterEnd(fixture.engine)]);
    expect(both.reduce((sum, n) => sum + n)).toBe(1);
    expect(asked).toBe(1);
    expect(await one.stand()).toEqual(closed);
    list = [failure()];
    clock.advance(7 * DAY);
    expect(await doAfterEnd(fixture.engine)).toBe(1);
    expect(await one.stand()).toEqual(open);
    clock.advance(90 * DAY);
    expect(await doAfterEnd(fixture.engine)).toBe(0);
  });

  it('that cannot be asked about is asked again, and then put before a person', async () => {
    const one = await paid();
    list = 'inconclusive';
    clock.advance(3 * DAY);
    await doAfterEnd(fixture.engine);
    expect(await doAfterEnd(fixture.engine)).toBe(0);
    list = [failure()];
    clock.advance(60_000);
    await doAfterEnd(fixture.engine);
    expect(await one.stand()).toEqual(open);
    list = 'inconclusive';
    clock.advance(7 * DAY);
    for (let n = 0; n < 20; n += 1) {
      await doAfterEnd(fixture.engine);
      clock.advance(6 * 3_600_000);
    }
    expect(asked).toBe(2 + 16);
    expect(lines.join('')).toContain('cannot be asked for: look at its gateway');
  });

  it.each<[string, 'unsigned' | 'signed', object]>([
    ['by a webhook that is not signed', 'unsigned', { reversal: failure() }],
    ['by one about a refund', 'unsigned', { about: 'refund', reversal: failure({ kind: 'refund' }) }],
    ['by an event that has no amount', 'signed', {}],
  ])(
    'is asked for what it became %s; what the gateway says is booked [decisions.2.webhook-hint]',
    async (_, signed, over) => {
      const one = await paid();
      gateway.onLookup = async (charge) => gateway.take(charge);
      const hook = async (id: string) => {
        gateway.onWebhook = () => [{ id: `${one.of}_${id}`, about: 'charge', remote: one.of, ...over }];
        await fixture.app.inject({
          method: 'POST',
          url: `/v1/webhooks/scripted/${one.reseller.id}`,
          headers: {
            'content-type': 'application/json',
            ...(signed === 'signed' ? { 'x-signed': '1' } : {}),
          },
          payload: '{}',
        });
        await fixture.eventsFollowed();
        await doAfterEnd(fixture.engine);
      };
      await hook('lie');
      expect(asked).toBe(1);
      expect(await one.stand()).toEqual(closed);
      // However many hints come, it is asked once in a while.
      list = [failure({ of: one.of })];
      await hook('again');
      await hook('and again');
      expect(asked).toBe(1);
      clock.advance(30_000);
      await doAfterEnd(fixture.engine);
      expect(await one.stand()).toEqual(open);
      // The time at which it is looked at anyway stands.
      clock.advance(3 * DAY);
      expect(await doAfterEnd(fixture.engine)).toBe(1);
    },
  );

  it('counts once what comes by webhook, by poll and by the list', async () => {
    const one = await paid();
    await one.tell('failed', 'f_1', 11_165n);
    list = [failure({ of: one.of })];
    clock.advance(3 * DAY);
    await doAfterEnd(fixture.engine);
    await one.tell('failed', 'f_1', 11_165n);
    expect(await one.stand()).toEqual(open);
    expect(lines).toEqual([]);
  });

  it('books in the order in which things undo each other, however they are listed', async () => {
    const one = await paid();
    const chargeback = { kind: 'chargeback', remote: remoteId('dp_1') } as const;
    list = [failure({ ...chargeback, kind: 'chargebackWon' }), failure(chargeback)];
    clock.advance(3 * DAY);
    await doAfterEnd(fixture.engine);
    expect(await one.stand()).toEqual(closed);
  });

  it.each<[string, Partial<Reversal>, string]>([
    ['of another charge', { of: remoteId('r_other') }, 'of another charge'],
    ['in another currency', { amount: money(11_165n, 'EUR') }, 'it is in EUR'],
  ])('moves nothing by what is %s', async (_, over, problem) => {
    const one = await paid();
    list = [failure(over)];
    clock.advance(3 * DAY);
    await doAfterEnd(fixture.engine);
    expect(await one.stand()).toEqual(closed);
    expect(lines.join('')).toContain(problem);
  });

  it('is asked for what it became when its payer comes back to the page later', async () => {
    const one = await paid();
    const [row] = await rows<{ id: string }>('select id from attempt where customer_id = $1', [
      one.customer.id,
    ]);
    const comesBack = async () => {
      const answer = await fixture.app.inject({
        method: 'POST',
        url: '/v1/ec/payments/confirmation/result',
        payload: { reqUid: row?.id, uid: one.invoice.token },
      });
      expect(answer.json().data).toMatchObject({ status: 'succeeded' });
      await doAfterEnd(fixture.engine);
    };
    await comesBack();
    expect(asked).toBe(0);
    list = [failure()];
    clock.advance(61_000);
    await comesBack();
    expect(await one.stand()).toEqual(open);
  });
});

describe('what was made at a gateway for one payment', () => {
  it('is removed once after its end, whatever the end, and not while its call may run', async () => {
    const cleaned: string[] = [];
    gateway.onCleanUp = async ({ ref }) => void cleaned.push(ref);
    const one = await paid();
    await doAfterEnd(fixture.engine);
    expect(cleaned).toEqual([]);
    gateway.onCharge = async () => ({
      is: 'declined',
      why: { class: 'otherMethod', code: 'no', text: 'No' },
    });
    await one.tell('failed', 'f_1', 11_165n);
    await one.pay('tok_declined');
    clock.advance(20_000);
    expect(await doAfterEnd(fixture.engine)).toBe(2);
    clock.advance(DAY);
    await doAfterEnd(fixture.engine);
    const refs = await rows<{ ref: string }>('select ref from attempt where customer_id = $1', [
      one.customer.id,
    ]);
    expect(new Set(cleaned)).toEqual(new Set(refs.map(({ ref }) => ref)));
    expect(cleaned).toHaveLength(2);
  });

  it('is tried again while the gateway fails, changes no payment, and is given up in the end', async () => {
    let tries = 0;
    gateway.onCleanUp = async () => {
      tries += 1;
      throw new Error('down');
    };
    const one = await paid();
    for (let n = 0; n < 40; n += 1) {
      clock.advance(6 * 3_600_000);
      await doAfterEnd(fixture.engine);
    }
    expect(tries).toBe(16);
    expect(await one.stand()).toEqual(closed);
    expect(lines.join('')).toContain('it is given up');
  });
});
