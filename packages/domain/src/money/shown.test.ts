import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currencyCodes } from './currency.ts';
import { formatDecimal, money, parseMoney } from './money.ts';
import { formatShown } from './shown.ts';
import { moneyDigits } from './shown-decimals.ts';

describe('money that people are shown', () => {
  it.each([
    [120_050n, 'USD', '1200.50', '1200.50'],
    [1_200n, 'JPY', '1200.00', '1200'],
    [-1_200n, 'JPY', '-1200.00', '-1200'],
    [0n, 'JPY', '0.00', '0'],
    [1_230n, 'KWD', '1.23', '1.230'],
    [1_000n, 'KWD', '1.00', '1.000'],
    [1_234n, 'KWD', '1.234', '1.234'],
    [-1n, 'KWD', '-0.001', '-0.001'],
  ])('%i minor units of %s have two decimals, or those of the currency', (minor, currency, two, own) => {
    expect(formatShown(money(minor, currency), 'two')).toBe(two);
    expect(formatShown(money(minor, currency), 'currency')).toBe(own);
  });

  it('is the amount itself, in every currency, and all of it', () => {
    fc.assert(
      fc.property(
        fc.bigInt(-(10n ** 15n), 10n ** 15n),
        fc.constantFrom(...currencyCodes),
        fc.constantFrom(...moneyDigits),
        (minor, currency, digits) => {
          const amount = money(minor, currency);
          const shown = formatShown(amount, digits);
          expect(parseMoney(shown, currency)).toEqual(amount);
          if (digits === 'currency') expect(shown).toBe(formatDecimal(amount));
          else expect(shown).toMatch(/^-?\d+\.\d{2,}$/);
        },
      ),
    );
  });
});
