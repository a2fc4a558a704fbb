import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidValue } from '../result.ts';
import { currencyCodes } from './currency.ts';
import { money } from './money.ts';
import * as r from './rate.ts';

const millionths = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n });
const anyRate = millionths.map(r.rateFromMillionths);
const rate = r.parseRate;

describe('parseRate', () => {
  it.each([
    ['1.500000', '1.5'],
    ['-0.0', '0'],
    ['+007', '7'],
    ['0.000001', '0.000001'],
    ['100', '100'],
    ['1.00000000', '1'],
    ['-12.30', '-12.3'],
  ])('%s becomes %s', (text, expected) => {
    expect(rate(text)).toBe(expected);
  });

  it.each(['', '1.0000001', 'abc', '1e-6', '1,5', ' 1', '.5', '1.'])('refuses %j', (text) => {
    expect(() => rate(text)).toThrow(InvalidValue);
  });

  it.each([
    ['1.0000005', '1.000001'],
    ['1.0000004999', '1'],
    ['-1.0000005', '-1.000001'],
    ['0.9999999', '1'],
  ])('rounds %s to %s on request', (text, expected) => {
    expect(rate(text, 'round')).toBe(expected);
  });

  it('refuses a forged rate', () => {
    expect(() => r.rateToMillionths('1e5' as r.Rate)).toThrow(InvalidValue);
  });

  it('knows what fits a column [decisions.10.rates, decisions.10.quantities]', () => {
    expect(
      ['999999999999.999999', '1000000000000', '-999999999999.999999', '-1000000000000'].map((text) =>
        r.isStorableRate(rate(text)),
      ),
    ).toEqual([true, false, true, false]);
  });

  it('gives equal strings for equal values', async () => {
    await fc.assert(
      fc.property(millionths, fc.nat({ max: 5 }), (n, zeros) => {
        const written = r.roundRate(r.rateFromMillionths(n), 6) + '0'.repeat(zeros);
        expect(rate(written)).toBe(r.rateFromMillionths(n));
      }),
    );
  });
});

describe('arithmetic', () => {
  it('adds what floats cannot [decisions.10.exact-sums]', () => {
    expect(r.addRate(rate('0.1'), rate('0.2'))).toBe('0.3');
    expect(r.sumRates(Array.from({ length: 10 }, () => rate('0.1')))).toBe('1');
    expect(r.sumRates([])).toBe('0');
    expect(r.subtractRate(rate('0.3'), rate('0.1'))).toBe('0.2');
  });

  it('is exact [decisions.10.exact-sums]', async () => {
    await fc.assert(
      fc.property(anyRate, anyRate, (a, b) => {
        expect(r.rateToMillionths(r.addRate(a, b))).toBe(r.rateToMillionths(a) + r.rateToMillionths(b));
        expect(r.subtractRate(r.addRate(a, b), b)).toBe(a);
        expect(r.multiplyRates(a, b)).toBe(r.multiplyRates(b, a));
        expect(r.multiplyRates(a, rate('1'))).toBe(a);
        expect(r.compareRates(a, b)).toBe(-r.compareRates(b, a) || 0);
      }),
    );
  });

  it.each([
    ['0.001', '0.0005', '0.000001'],
    ['0.001', '-0.0005', '-0.000001'],
    ['0.001', '0.0004', '0'],
    ['1234.5678', '0.0123', '15.185184'],
    ['3', '0.333333', '0.999999'],
  ])('%s × %s = %s', (a, b, product) => {
    expect(r.multiplyRates(rate(a), rate(b))).toBe(product);
  });
});

describe('rounding for screens and money', () => {
  it.each([
    ['1.23455', 4, '1.2346'],
    ['-1.23455', 4, '-1.2346'],
    ['1.5', 4, '1.5000'],
    ['0.5', 0, '1'],
    ['-0.4', 0, '0'],
    ['2.675', 2, '2.68'],
    ['7', 6, '7.000000'],
  ])('%s at %i decimals is %s [decisions.5.rounding]', (text, decimals, expected) => {
    expect(r.roundRate(rate(text), decimals)).toBe(expected);
  });

  it.each([-1, 7, 1.5, Number.NaN])('refuses %d decimals', (decimals) => {
    expect(() => r.roundRate(rate('1'), decimals)).toThrow(RangeError);
  });

  it.each([
    ['1.005', 'EUR', 101n],
    ['-1.005', 'EUR', -101n],
    ['1.0049', 'EUR', 100n],
    ['0.5', 'JPY', 1n],
    ['1.0005', 'KWD', 1001n],
  ])('%s %s is %i minor units [decisions.5.rounding]', (text, currency, minor) => {
    expect(r.rateToMoney(rate(text), currency)).toEqual(money(minor, currency));
  });

  it('takes money there and back', async () => {
    await fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
        fc.constantFrom(...currencyCodes),
        (minor, currency) => {
          const amount = money(minor, currency);
          expect(r.rateToMoney(r.moneyToRate(amount), currency)).toEqual(amount);
        },
      ),
    );
  });

  it('gives numbers for JSON [decisions.10.json-decimals]', () => {
    expect(r.rateToNumber(rate('-0.0105'))).toBe(-0.0105);
  });
});
