import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import { remoteId } from '@counterfoil/gateways/port/gateway-ref.ts';
import { describe, expect, it } from 'vitest';
import {
  declined,
  fixture,
  hook,
  lines,
  rows,
  setUp,
} from '../../../../test/fixtures/paying/engine-fixture.ts';

describe('an event of an ended payment that names another charge with its reference', () => {
  const told = async (one: Awaited<ReturnType<typeof setUp>>, id: string) => {
    const { ref } = await one.attempt();
    fixture.gateway.onWebhook = () => [
      { id, about: 'charge', remote: remoteId(`${ref}_copy`), ref } as GatewayEvent,
    ];
    return (await hook(one.reseller.id)).statusCode;
  };
  const byName = () => {
    fixture.gateway.onLookupByRemoteId = async (charge, remote) => ({
      is: 'succeeded',
      remote,
      captured: charge.amount,
      state: {},
    });
  };
  const second = 'a second charge for one payment: give it back at the gateway';

  it('is reported where the payment has succeeded', async () => {
    const one = await setUp();
    await one.pay();
    byName();
    expect(await told(one, 'evt_copy_1')).toBe(200);
    expect(lines.join('')).toContain(second);
    expect(await one.captures()).toMatchObject([{ n: '11000', credit: '0' }]);
  });

  it('becomes credit once where it was declined, and a third one is reported', async () => {
    const one = await setUp();
    fixture.gateway.onCharge = async (charge) => ({ ...declined, remote: remoteId(`r_${charge.ref}`) });
    fixture.gateway.onLookup = async () => ({ is: 'unknown', evidence: 'several' });
    await one.pay();
    byName();
    expect(await told(one, 'evt_copy_2')).toBe(200);
    expect(await one.captures()).toEqual([{ n: '11000', currency: 'USD', credit: '11000' }]);
    expect(lines.join('')).not.toContain(second);
    const { ref } = await one.attempt();
    fixture.gateway.onWebhook = () => [
      { id: 'evt_copy_3', about: 'charge', remote: remoteId(`${ref}_third`), ref } as GatewayEvent,
    ];
    expect((await hook(one.reseller.id)).statusCode).toBe(200);
    expect(lines.join('')).toContain(second);
  });

  it.each(['succeeded', 'declined'])(
    'and cannot be asked about is asked for again for a day, then taken in for a person: %s',
    async (state) => {
      const one = await setUp();
      if (state === 'declined')
        fixture.gateway.onCharge = async (charge) => ({ ...declined, remote: remoteId(`r_${charge.ref}`) });
      await one.pay();
      // It answers for the charge it knows, which says nothing of the other one.
      fixture.gateway.onLookup = async (charge) =>
        state === 'declined'
          ? { ...declined, remote: remoteId(`r_${charge.ref}`) }
          : fixture.gateway.take(charge);
      const id = `evt_copy_${state}`;
      expect(await told(one, id)).toBe(200);
      const seen = async () =>
        (
          await rows<{ outcome: string | null; tries: number }>(
            'select outcome, tries from inbox where event_key = $1',
            [id],
          )
        )[0];
      expect(await seen()).toEqual({ outcome: null, tries: 1 });
      fixture.clock.advance(23 * 3_600_000);
      await fixture.eventsFollowed();
      expect(await seen()).toEqual({ outcome: null, tries: 2 });
      fixture.clock.advance(3_600_000);
      await fixture.eventsFollowed();
      expect(lines.join('')).toContain('an event of a gateway needs a person');
      expect((await seen())?.outcome).toMatch(/^person: /);
    },
  );
});
