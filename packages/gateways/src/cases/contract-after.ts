/** Parts of the contract suite: challenges by the bank, refunding, webhooks, saved methods. */
import { money } from '@counterfoil/domain/money.ts';
import { describe, expect, it } from 'vitest';
import type { GatewayState, Method, SetupRequest } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { testRefund } from './contract-charge.ts';
import { settleRefund } from './contract-engine.ts';
import { amount, lost, type Steps } from './contract-fixture.ts';

type Current = () => Steps;

export function challengeContract(current: Current): void {
  describe('a challenge by the bank', () => {
    const challenge = async () => {
      const { fixture } = current();
      const { challenged } = fixture;
      if (challenged === undefined) throw new Error('the fixture has no card that is challenged');
      const charge = current().charge({ source: challenged.pay });
      const { outcome } = await current().pay(charge);
      if (outcome.is !== 'requiresAction' || outcome.action.do !== 'redirect')
        throw new Error(`got ${outcome.is}`);
      expect(await fixture.taken(charge.ref)).toEqual([]);
      const { to } = outcome.action;
      const answer = (how: 'complete' | 'fail') => challenged.answer(to, how);
      return { fixture, charge: lost(charge), state: outcome.state, answer };
    };

    it('completed: paid once, however often the return page is loaded', async () => {
      const { fixture, charge, state, answer } = await challenge();
      const query = await answer('complete');
      for (let load = 0; load < 3; load += 1) {
        expect((await fixture.gateway.handleReturn(charge, state, query)).is).toBe('succeeded');
      }
      expect(await fixture.taken(charge.ref)).toEqual([amount]);
    });

    it('failed: declined', async () => {
      const { fixture, charge, state, answer } = await challenge();
      const query = await answer('fail');
      expect((await fixture.gateway.handleReturn(charge, state, query)).is).toBe('declined');
      expect(await fixture.taken(charge.ref)).toEqual([]);
    });

    it('left: still open, whatever the address claims', async () => {
      const { fixture, charge, state } = await challenge();
      expect((await fixture.gateway.handleReturn(charge, state, { redirect_status: 'succeeded' })).is).toBe(
        'requiresAction',
      );
    });

    it('closed: finishing it afterwards takes nothing', async () => {
      const { fixture, charge, state, answer } = await challenge();
      expect(await fixture.gateway.cancel(charge, state)).toEqual({ is: 'closed' });
      await answer('complete').catch(() => undefined);
      expect(await fixture.taken(charge.ref)).toEqual([]);
      expect((await fixture.gateway.handleReturn(charge, state, {})).is).toBe('closed');
      expect((await fixture.gateway.cancel(charge, state)).is).toBe('closed');
    });

    it('closed by the row alone, after a crash', async () => {
      const { fixture, charge, answer } = await challenge();
      expect(await fixture.gateway.cancel(charge, undefined)).toEqual({ is: 'closed' });
      await answer('complete').catch(() => undefined);
      expect(await fixture.taken(charge.ref)).toEqual([]);
    });

    it('closed too late: says that it was paid', async () => {
      const { fixture, charge, state, answer } = await challenge();
      await answer('complete');
      expect((await fixture.gateway.cancel(charge, state)).is).toBe('succeeded');
    });
  });
}

export function refundContract(current: Current, partial: boolean): void {
  describe('refunding', () => {
    it('in full, once', async () => {
      const { fixture } = current();
      const charge = current().charge();
      const refund = testRefund(charge, await current().paid(charge), { sentAt: fixture.now() });
      expect(await fixture.gateway.refund(refund)).toMatchObject({
        is: 'succeeded',
        captured: refund.amount,
      });
      expect(await fixture.given(refund.ref)).toEqual([amount]);
      const second = { ...refund, ref: newGatewayRef() };
      expect((await fixture.gateway.refund(second)).is).toBe('notAttempted');
    });

    if (partial) {
      it('in parts, and never more than was taken', async () => {
        const { fixture } = current();
        const charge = current().charge();
        const outcome = await current().paid(charge);
        const give = (minor: bigint) =>
          fixture.gateway.refund(
            testRefund(charge, outcome, { sentAt: fixture.now(), amount: money(minor, 'AUD') }),
          );
        expect((await give(5_000n)).is).toBe('succeeded');
        expect((await give(10_000n)).is).toBe('notAttempted');
        expect((await give(7_550n)).is).toBe('succeeded');
      });
    }

    it('at a gateway that is not there: nothing was sent, and it says so', async () => {
      const { fixture } = current();
      const charge = current().charge();
      const refund = testRefund(charge, await current().paid(charge), { sentAt: fixture.now() });
      expect(await fixture.nowhere.refund(refund)).toMatchObject({
        is: 'notAttempted',
        why: 'unreachable',
        detail: expect.stringContaining('ECONNREFUSED'),
      });
      expect(await fixture.given(refund.ref)).toEqual([]);
    });

    it.each(['timeout-after', 'timeout-before', 'error-500-after', 'reset-after'])(
      '%s: found out, never given twice',
      async (mode) => {
        const { fixture } = current();
        const charge = current().charge();
        const outcome = await current().paid(charge);
        await fixture.fault('refund', mode);
        const refund = testRefund(charge, outcome, { sentAt: fixture.now() });
        const first = await fixture.impatient.refund(refund);
        expect(['succeeded', 'unknown']).toContain(first.is);
        const state = 'state' in first ? first.state : undefined;
        const end =
          first.is === 'succeeded' ? first : await settleRefund(fixture, fixture.gateway, refund, state);
        expect(await fixture.given(refund.ref)).toEqual(end.is === 'succeeded' ? [amount] : []);
      },
    );
  });
}

export function webhookContract(current: Current): void {
  describe('webhooks', () => {
    it('a signed delivery is taken; a changed, late or early one is refused', async () => {
      const { gateway, delivery } = current().fixture;
      if (delivery === undefined || gateway.parseWebhook === undefined)
        throw new Error('a signed hook is declared');
      const charge = current().charge();
      const { remote } = await current().paid(charge);
      const { raw, headers, at } = await delivery(remote);
      const read = (bytes: Uint8Array, when = at) => gateway.parseWebhook?.(bytes, headers, when);
      expect(read(raw)).toMatchObject({
        is: 'accepted',
        trust: 'signed',
        events: [{ about: 'charge', remote, ref: charge.ref }],
      });
      // Not `slice`: of a Buffer that is a view, and the delivery itself would be changed.
      const changed = Uint8Array.from(raw);
      changed[raw.length - 2] = (changed[raw.length - 2] ?? 0) ^ 1;
      expect(read(changed)).toMatchObject({ is: 'refused' });
      expect(read(raw, new Date(at.getTime() + 3_600_000))).toMatchObject({ is: 'refused' });
      expect(read(raw, new Date(at.getTime() - 3_600_000))).toMatchObject({ is: 'refused' });
      expect(gateway.parseWebhook(raw, new Headers(), at)).toMatchObject({ is: 'refused' });
    });
  });
}

export function setupContract(current: Current): void {
  describe('a saved card', () => {
    const begun = (): SetupRequest => ({
      ref: newGatewayRef(),
      payer: undefined,
      person: { customerId: 'c-1', resellerId: '2204', name: 'Jo Fox', email: 'jo@example.com' },
      kind: 'card',
      returnTo: 'https://portal.example/payment-types',
    });

    const save = async (): Promise<{ payer: GatewayState; method: Method }> => {
      const { gateway, good } = current().fixture;
      if (good === 'lost' || !('token' in good)) throw new Error('the good card is not a token');
      const request = begun();
      const first = await gateway.beginSetup?.(request);
      if (first?.payer === undefined || first.result.is !== 'continue')
        throw new Error(JSON.stringify(first?.result));
      const { payer, result: setup } = first;
      const finished = await gateway.completeSetup?.({
        ref: request.ref,
        payer,
        step: setup.state,
        input: good,
        returnTo: request.returnTo,
      });
      if (finished?.is !== 'saved') throw new Error(JSON.stringify(finished));
      return { payer, method: finished.method };
    };

    it('is listed, charges without the payer, and is gone once removed', async () => {
      const { fixture } = current();
      const { payer, method } = await save();
      expect(method).toMatchObject({ kind: 'card', usable: 'now' });
      const listed: Method[] = [];
      for await (const one of fixture.gateway.listMethods?.(payer) ?? []) listed.push(one);
      expect(listed.map((one) => one.state)).toEqual([method.state]);
      expect(listed.map((one) => one.remote)).toEqual([method.remote]);
      const { getMethod: read } = fixture.gateway;
      if (read !== undefined) expect(await read(method.state)).toMatchObject({ is: 'there', method });

      const charge = current().charge({ source: { saved: method.state }, payer, initiator: 'merchant' });
      await current().paid(charge);
      expect(await fixture.taken(charge.ref)).toEqual([amount]);
      for (const plan of fixture.gateway.capabilities.lookup) {
        expect((await fixture.gateway.lookup(charge, undefined, plan)).is, plan.by).not.toBe('absent');
      }
      expect(await fixture.taken(charge.ref)).toEqual([amount]);

      expect(await fixture.gateway.removeMethod?.(method.state)).toBe('gone');
      expect(await fixture.gateway.removeMethod?.(method.state)).toBe('gone');
      if (read !== undefined) expect(await read(method.state)).toEqual({ is: 'gone' });
      const late = current().charge({ source: { saved: method.state }, payer });
      expect((await current().pay(late)).outcome).toMatchObject({ is: 'notAttempted', why: 'methodGone' });
    });
  });
}
