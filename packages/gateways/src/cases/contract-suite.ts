/**
 * What every gateway must do behind the port, whatever its protocol. A gateway's own test opens a fixture
 * (a sandbox, its test cards, its faults) and hands it to {@link gatewayContract}.
 */
import { money } from '@counterfoil/domain/money.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { challengeContract, refundContract, setupContract, webhookContract } from './contract-after.ts';
import { debitContract } from './contract-debit.ts';
import { settle } from './contract-engine.ts';
import { amount, type Contract, lost, Steps } from './contract-fixture.ts';
import { pageContract } from './contract-page.ts';

/** Declares the suite. Tests of what a gateway cannot do are not declared. */
export function gatewayContract(contract: Contract): void {
  const { can } = contract;
  describe(`${contract.name} behind the gateway port`, () => {
    let steps: Steps;
    const current = (): Steps => steps;
    beforeAll(async () => {
      steps = new Steps(await contract.open());
    });
    afterAll(() => steps.fixture.close());
    beforeEach(() => steps.fixture.clearFaults());

    describe('keys', () => {
      it('good ones pass the check, refused ones do not, and an unreachable gateway is no verdict', async () => {
        expect(await steps.fixture.gateway.verifyCredentials()).toMatchObject({ ok: true });
        expect(await steps.fixture.lockedOut.verifyCredentials()).toMatchObject({
          ok: false,
          why: expect.any(String),
        });
        expect(await steps.fixture.lockedOut.verifyCredentials()).not.toHaveProperty('unreachable');
        expect(await steps.fixture.nowhere.verifyCredentials()).toMatchObject({
          ok: false,
          unreachable: true,
          why: expect.stringContaining('ECONNREFUSED'),
        });
      });

      it('refused keys and an unreachable gateway take nothing and say so', async () => {
        const one = steps.charge();
        expect((await steps.pay(one, steps.fixture.lockedOut)).outcome).toMatchObject({
          is: 'notAttempted',
          why: 'config',
        });
        expect((await steps.pay(one, steps.fixture.nowhere)).outcome).toMatchObject({
          is: 'notAttempted',
          why: 'unreachable',
          detail: expect.stringContaining('ECONNREFUSED'),
        });
        expect(await steps.fixture.taken(one.ref)).toEqual([]);
      });
    });

    describe('a charge', () => {
      it('takes the amount once and reports what was captured', async () => {
        const charge = steps.charge();
        expect(await steps.paid(charge)).toMatchObject({ captured: money(amount, 'AUD') });
        expect(await steps.fixture.taken(charge.ref)).toEqual([amount]);
      });

      it('reports what was captured where that is less than was asked', async () => {
        await steps.fixture.fault('charge', 'partial', { minor: 5_000 });
        const charge = steps.charge();
        expect(await steps.paid(charge)).toMatchObject({ captured: money(5_000n, 'AUD') });
      });

      it('is declined by every declining card, in the right class and words, and takes nothing', async () => {
        for (const card of steps.fixture.declined) {
          const charge = steps.charge({ source: card.pay });
          const { outcome } = await steps.pay(charge);
          expect(outcome, card.name).toMatchObject({
            is: 'declined',
            why: { class: card.class, text: card.text },
          });
          expect(await steps.fixture.taken(charge.ref), card.name).toEqual([]);
        }
      });

      it('can be found by every plan, without a second charge', async () => {
        const charge = steps.charge();
        const { state } = await steps.pay(charge);
        for (const plan of steps.fixture.gateway.capabilities.lookup) {
          const found = await steps.fixture.gateway.lookup(lost(charge), state, plan);
          expect(found, plan.by).toMatchObject({ is: 'succeeded', captured: money(amount, 'AUD') });
        }
        expect(await steps.fixture.taken(charge.ref)).toEqual([amount]);
      });

      const repeated = can.repeat === 'charges' ? it.todo : it;
      repeated('sent a second time under its reference charges once', async () => {
        const charge = steps.charge();
        const first = await steps.pay(charge);
        const again = await steps.pay(charge);
        expect(first.outcome.is).toBe('succeeded');
        expect(['succeeded', 'unknown']).toContain(again.outcome.is);
        expect(await steps.fixture.taken(charge.ref)).toEqual([amount]);
      });

      it('that was declined stays declined when it is looked for', async () => {
        const [card] = steps.fixture.declined;
        if (card === undefined) return;
        const charge = steps.charge({ source: card.pay });
        const { state } = await steps.pay(charge);
        expect((await settle(steps.fixture, steps.fixture.gateway, lost(charge), state)).is).toBe('declined');
        expect(await steps.fixture.taken(charge.ref)).toEqual([]);
      });
    });

    describe('trouble on the way', () => {
      const modes = [
        'timeout-before',
        'timeout-after',
        'error-500-after',
        'reset-after',
        'malformed',
        'late',
        'replay-500',
      ];

      it.each(modes)('%s: never called declined, settled to what the journal says', async (mode) => {
        await steps.fixture.fault('charge', mode, mode === 'late' ? { ms: 2_000 } : {});
        const charge = steps.charge();
        const { outcome, state } = await steps.pay(charge, steps.fixture.impatient);
        expect(['succeeded', 'unknown']).toContain(outcome.is);
        const end =
          outcome.is === 'succeeded'
            ? outcome
            : await settle(steps.fixture, steps.fixture.gateway, lost(charge), state);
        const taken = await steps.fixture.taken(charge.ref);
        if (end.is === 'succeeded') expect(taken).toEqual([end.captured.minor]);
        else expect({ is: end.is, taken }).toEqual({ is: 'absent', taken: [] });
      });

      it.each(modes)('%s, then a crash: looked for with the row alone', async (mode) => {
        await steps.fixture.fault('charge', mode, mode === 'late' ? { ms: 2_000 } : {});
        const charge = steps.charge();
        await steps.pay(charge, steps.fixture.impatient);
        await steps.fixture.clearFaults();
        const end = await settle(steps.fixture, steps.fixture.gateway, lost(charge), undefined);
        const taken = await steps.fixture.taken(charge.ref);
        if (end.is === 'succeeded') expect(taken).toEqual([end.captured.minor]);
        else expect({ is: end.is, taken }).toEqual({ is: 'absent', taken: [] });
      });

      it('a look-up that sees nothing yet proves nothing yet', async () => {
        const charge = steps.charge({ source: 'lost' });
        // Something was kept, so a money call may be on its way.
        for (const plan of steps.fixture.gateway.capabilities.lookup.filter((one) => !one.mayCharge)) {
          const found = await steps.fixture.gateway.lookup(charge, {}, plan);
          expect(found).not.toMatchObject({ is: 'absent', proven: true });
        }
      });

      it('a look-up that fails is no answer', async () => {
        const charge = steps.charge();
        const { state } = await steps.pay(charge);
        for (const plan of steps.fixture.gateway.capabilities.lookup.filter((one) => !one.mayCharge)) {
          const found = await steps.fixture.nowhere.lookup(lost(charge), state, plan);
          expect(['unknown', 'inconclusive']).toContain(found.is);
        }
      });
    });

    if (contract.hasChallenges) challengeContract(current);
    if (contract.hasPage === true) pageContract(current);
    if (contract.hasDebits === true) debitContract(current);
    if (can.refund.when === 'any') refundContract(current, can.refund.partial);
    if (can.events.includes('signedWebhook')) webhookContract(current);
    if (can.vault.owner === 'gateway') setupContract(current);
  });
}
