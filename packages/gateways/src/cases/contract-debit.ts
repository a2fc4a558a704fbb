/** Part of the contract suite: bank accounts that are debited once and not kept. */
import { money } from '@counterfoil/domain/money.ts';
import { describe, expect, it } from 'vitest';
import type { Charge, LookupResult } from '../port/gateway.ts';
import { settle } from './contract-engine.ts';
import { amount, type DebitedAccount, lost, type Steps } from './contract-fixture.ts';

/** More than a bank of a sandbox needs, and less than proves an absence. */
const BANK_MS = 10_000;

export function debitContract(current: () => Steps): void {
  describe('a bank account that is debited once', () => {
    const accounts = (): readonly DebitedAccount[] => {
      const { accounts: known = [] } = current().fixture;
      if (known.length === 0) throw new Error('the fixture has no account that is debited once');
      return known;
    };
    const chargeOf = ({ currency, pay }: DebitedAccount, over: Partial<Charge> = {}): Charge =>
      current().charge({ amount: money(amount, currency), fee: money(0n, currency), source: pay, ...over });
    const first = (): DebitedAccount => accounts()[0] as DebitedAccount;

    it('is under way at the bank, cannot be closed, and is taken once the bank has paid', async () => {
      for (const account of accounts()) {
        const { fixture } = current();
        const charge = chargeOf(account);
        const { outcome, state } = await current().pay(charge);
        expect(outcome, account.scheme).toMatchObject({
          is: 'pending',
          because: 'bank',
          shown: { type: account.scheme, last4: expect.any(String) },
        });
        expect(await fixture.taken(charge.ref), account.scheme).toEqual([]);
        expect((await fixture.gateway.cancel(lost(charge), state)).is, account.scheme).toBe('pending');
        await fixture.advance(BANK_MS);
        const end = await settle(fixture, fixture.gateway, lost(charge), state);
        expect(end, account.scheme).toMatchObject({
          is: 'succeeded',
          captured: money(amount, account.currency),
        });
        expect(await fixture.taken(charge.ref), account.scheme).toEqual([amount]);
      }
    });

    it('that the bank returns is declined, and nothing was taken', async () => {
      const { fixture } = current();
      for (const account of accounts()) {
        const charge = chargeOf(account, { source: account.returned });
        const { outcome, state } = await current().pay(charge);
        expect(outcome, account.scheme).toMatchObject({ is: 'pending', because: 'bank' });
        await fixture.advance(BANK_MS);
        expect((await settle(fixture, fixture.gateway, lost(charge), state)).is, account.scheme).toBe(
          'declined',
        );
        expect(await fixture.taken(charge.ref), account.scheme).toEqual([]);
      }
    });

    it('is not debited without its holder’s agreement, nor under the name of another kind', async () => {
      const { fixture } = current();
      const { debit, ...token } = first().pay;
      const scheme = debit?.scheme ?? '';
      const wrong: readonly Charge['source'][] = [
        { ...token, debit: { scheme } },
        // A card is no account, and an account no card: the fee is that of the kind.
        ...('token' in token && 'token' in first().cardToken && debit !== undefined
          ? [{ ...first().cardToken, debit }, token]
          : []),
      ];
      for (const pay of wrong) {
        const charge = chargeOf(first(), { source: pay });
        const { outcome } = await current().pay(charge);
        expect(outcome).toMatchObject({ is: 'notAttempted', why: 'invalid' });
        await fixture.advance(BANK_MS);
        expect(await fixture.taken(charge.ref)).toEqual([]);
      }
    });

    it('sent a second time under its reference is debited once', async () => {
      const { fixture } = current();
      const charge = chargeOf(first());
      await current().pay(charge);
      const again = await current().pay(charge);
      expect(['pending', 'unknown']).toContain(again.outcome.is);
      await fixture.advance(BANK_MS);
      expect(await fixture.taken(charge.ref)).toEqual([amount]);
    });

    it.each(['timeout-before', 'timeout-after', 'error-500-after', 'reset-after', 'malformed'])(
      '%s, then a crash: found by what was kept, and debited once at the most',
      async (mode) => {
        const { fixture } = current();
        await fixture.fault('charge', mode);
        const charge = chargeOf(first());
        const { outcome, state } = await current().pay(charge, fixture.impatient);
        expect(['pending', 'unknown']).toContain(outcome.is);
        await fixture.clearFaults();
        let end: LookupResult = await settle(fixture, fixture.gateway, lost(charge), state);
        if (end.is === 'pending') {
          await fixture.advance(BANK_MS);
          end = await settle(fixture, fixture.gateway, lost(charge), state);
        }
        const taken = await fixture.taken(charge.ref);
        if (end.is === 'succeeded') expect(taken).toEqual([amount]);
        else expect({ is: end.is, taken }).toEqual({ is: 'absent', taken: [] });
      },
    );
  });
}
