import { currencyCodes } from '@counterfoil/domain/currency.ts';
import { money } from '@counterfoil/domain/money.ts';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWireAmount, toWireAmount } from './wire.ts';

describe('amounts', () => {
  it.each([
    [1_999n, 'USD', 1_999],
    [1_000n, 'JPY', 1_000],
    [12_550n, 'AUD', 12_550],
    [5n, 'ISK', 500],
    [7n, 'UGX', 700],
    [300n, 'MGA', 3],
    [1_230n, 'KWD', 1_230],
    [9_007_199_254_740_991n, 'EUR', 9_007_199_254_740_991],
  ])('%s minor units of %s are sent as %s [decisions.3.money-gateway]', (minor, currency, value) => {
    expect(toWireAmount(money(minor, currency))).toEqual({ is: 'amount', value });
    expect(fromWireAmount(value, currency.toLowerCase())).toEqual(money(minor, currency));
  });

  it.each([
    [0n, 'USD'],
    [-5n, 'USD'],
    [1_234n, 'KWD'],
    [150n, 'MGA'],
    [9_007_199_254_740_992n, 'EUR'],
  ])('%s of %s cannot be sent', (minor, currency) => {
    expect(toWireAmount(money(minor, currency)).is).toBe('refused');
  });

  it.each([
    [50, 'isk'],
    [1.5, 'usd'],
    [Number.MAX_SAFE_INTEGER + 1, 'usd'],
    [1, 'xyz'],
    [1, ''],
  ])('%s of %s is not read', (value, currency) => {
    expect(fromWireAmount(value, currency)).toBeUndefined();
  });

  it('comes back as it went, in every currency [decisions.3.money-gateway]', async () => {
    await fc.assert(
      fc.property(fc.bigInt(1n, 99_999_999n), fc.constantFrom(...currencyCodes), (minor, currency) => {
        const amount = money(minor, currency);
        const wire = toWireAmount(amount);
        if (wire.is === 'amount') expect(fromWireAmount(wire.value, currency.toLowerCase())).toEqual(amount);
      }),
    );
  });
});
