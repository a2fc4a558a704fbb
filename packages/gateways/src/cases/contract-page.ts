/** Part of the contract suite: the gateway's own page that takes a payment. */
import { describe, expect, it } from 'vitest';
import type { Charge, GatewayState } from '../port/gateway.ts';
import { amount, lost, type Steps } from './contract-fixture.ts';

export function pageContract(current: () => Steps): void {
  describe('the page of its own', () => {
    const open = async (charge: Charge = current().charge({ source: 'lost' })) => {
      const { fixture } = current();
      const { gateway, payOnPage } = fixture;
      if (gateway.createCheckout === undefined || payOnPage === undefined)
        throw new Error('there is no page');
      let kept: GatewayState | undefined;
      const outcome = await gateway.createCheckout(charge, (state) => {
        kept = state;
        return Promise.resolve();
      });
      if (outcome.is !== 'requiresAction' || outcome.action.do !== 'redirect')
        throw new Error(`got ${outcome.is}`);
      expect(kept).toBeDefined();
      expect(await fixture.taken(charge.ref)).toEqual([]);
      const { to } = outcome.action;
      return {
        fixture,
        charge: lost(charge),
        state: outcome.state,
        kept,
        to,
        remote: outcome.remote,
        pay: () => payOnPage(to),
      };
    };

    it('paid: once, however often it is looked at, and found so by every plan', async () => {
      const { fixture, charge, state, pay } = await open();
      await pay();
      for (let load = 0; load < 3; load += 1)
        expect((await fixture.gateway.handleReturn(charge, state, {})).is).toBe('succeeded');
      for (const plan of fixture.gateway.capabilities.lookup) {
        const found = await fixture.gateway.lookup(charge, state, plan);
        expect(['succeeded', 'inconclusive']).toContain(found.is);
      }
      await expect(pay()).rejects.toThrow();
      expect(await fixture.taken(charge.ref)).toEqual([amount]);
    });

    it('left: still open, at the same address, and no second one is made by looking', async () => {
      const { fixture, charge, state, kept, to, remote } = await open();
      for (const known of [state, kept]) {
        const found = await Promise.all(
          fixture.gateway.capabilities.lookup.map((plan) => fixture.gateway.lookup(charge, known, plan)),
        );
        const pages = found.flatMap((one) => (one.is === 'requiresAction' ? [one] : []));
        expect(pages.length).toBeGreaterThan(0);
        for (const page of pages) expect(page).toMatchObject({ remote, action: { do: 'redirect', to } });
      }
    });

    it.each(['with its state', 'by what was kept before'])('closed %s: nobody can pay on it', async (how) => {
      const { fixture, charge, state, kept, pay } = await open();
      expect(await fixture.gateway.cancel(charge, how === 'with its state' ? state : kept)).toEqual({
        is: 'closed',
      });
      await expect(pay()).rejects.toThrow();
      expect(await fixture.taken(charge.ref)).toEqual([]);
      expect((await fixture.gateway.handleReturn(charge, state, {})).is).toBe('closed');
      expect((await fixture.gateway.cancel(charge, state)).is).toBe('closed');
    });

    it('closed too late: says that it was paid', async () => {
      const { fixture, charge, state, pay } = await open();
      await pay();
      expect((await fixture.gateway.cancel(charge, state)).is).toBe('succeeded');
    });

    it('an answer that was lost is found, and its page closed', async () => {
      const { fixture } = current();
      await fixture.fault('charge', 'timeout-after');
      const charge = current().charge({ source: 'lost' });
      let kept: GatewayState | undefined;
      const outcome = await fixture.impatient.createCheckout?.(charge, (state) => {
        kept = state;
        return Promise.resolve();
      });
      expect(['unknown', 'requiresAction']).toContain(outcome?.is);
      const found = await fixture.gateway.cancel(lost(charge), kept);
      expect(found).toEqual({ is: 'closed' });
      expect(await fixture.taken(charge.ref)).toEqual([]);
    });

    it('keys that are refused and a gateway that is not there open nothing', async () => {
      const { fixture } = current();
      const saveState = () => Promise.resolve();
      const charge = current().charge({ source: 'lost' });
      expect(await fixture.lockedOut.createCheckout?.(charge, saveState)).toMatchObject({
        is: 'notAttempted',
        why: 'config',
      });
      expect(await fixture.nowhere.createCheckout?.(charge, saveState)).toMatchObject({
        is: 'notAttempted',
        why: 'unreachable',
        detail: expect.stringContaining('ECONNREFUSED'),
      });
    });

    it('a webhook names the payment', async () => {
      const { fixture, charge, remote, pay } = await open();
      if (fixture.delivery === undefined || remote === undefined) return;
      await pay();
      const { raw, headers, at } = await fixture.delivery(remote);
      const reading = fixture.gateway.parseWebhook?.(raw, headers, at);
      expect(reading).toMatchObject({ is: 'accepted', events: [{ about: 'charge', ref: charge.ref }] });
    });
  });
}
