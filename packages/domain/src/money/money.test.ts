import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidValue, tryParse } from '../result.ts';
import { currencyCodes } from './currency.ts';
import * as m from './money.ts';

const anyCurrency = fc.constantFrom(...currencyCodes);
const largest = 2n ** 63n - 1n;
const anyMinor = fc.bigInt({ min: -largest, max: largest });

describe('currency', () => {
  it.each([
    ['EUR', 2],
    ['JPY', 0],
    ['KRW', 0],
    ['KWD', 3],
    ['TND', 3],
    ['ISK', 0],
    ['HUF', 2],
    ['CLP', 0],
  ])('%s has %i decimals', (code, decimals) => {
    expect(m.currencyExponent(m.parseCurrency(code))).toBe(decimals);
  });

  it.each(['', 'EU', 'EURO', 'XXX', 'ABC', 'DEM', '€', 'toString', 'ıdr'])('refuses %j', (text) => {
    expect(() => m.parseCurrency(text)).toThrow(InvalidValue);
    expect(() => m.currencyExponent(text)).toThrow(InvalidValue);
  });

  it('reads small letters but does not call them a stored code', () => {
    expect(m.parseCurrency('usd')).toBe('USD');
    expect(m.isCurrencyCode('usd')).toBe(false);
  });

  it('lists each code once, three capitals each', () => {
    expect(new Set(currencyCodes).size).toBe(currencyCodes.length);
    for (const code of currencyCodes) expect(code).toMatch(/^[A-Z]{3}$/);
  });

  it('agrees with the runtime on decimals wherever that follows ISO 4217', () => {
    // CLDR cuts decimals that ISO 4217 gives but nobody uses in daily life; there ISO decides.
    const cut = new Set(
      'AFN ALL COP IDR IQD IRR KPW LAK LBP MGA MMK PKR RSD SLE SOS SYP TZS UZS YER UYU HUF'.split(' '),
    );
    for (const currency of currencyCodes) {
      if (cut.has(currency)) continue;
      const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
      expect([currency, m.currencyExponent(currency)]).toEqual([currency, digits.maximumFractionDigits]);
    }
  });
});

describe('parseMoney', () => {
  it.each([
    ['12.34', 'EUR', 1234n],
    ['-0.05', 'EUR', -5n],
    ['+7', 'EUR', 700n],
    ['0.1', 'KWD', 100n],
    ['12', 'JPY', 12n],
    ['12.000', 'JPY', 12n],
    ['12.3400', 'EUR', 1234n],
    ['007.5', 'USD', 750n],
    ['-0', 'USD', 0n],
    ['90071992547409931.23', 'USD', 9_007_199_254_740_993_123n],
    ['-92233720368547758.07', 'USD', -9_223_372_036_854_775_807n],
  ])('reads %s %s', (text, currency, minor) => {
    expect(m.parseMoney(text, currency).minor).toBe(minor);
  });

  it.each([
    ['12.345', 'EUR'],
    ['12.3', 'JPY'],
    ['1.2345', 'KWD'],
    ['', 'EUR'],
    ['.5', 'EUR'],
    ['5.', 'EUR'],
    ['1e3', 'EUR'],
    ['1,000', 'EUR'],
    [' 1', 'EUR'],
    ['1\n', 'EUR'],
    ['--1', 'EUR'],
    ['NaN', 'EUR'],
    ['Infinity', 'EUR'],
    ['0x10', 'EUR'],
    ['١٢', 'EUR'],
    ['1'.repeat(31), 'EUR'],
    ['92233720368547758.08', 'EUR'],
    ['-92233720368547758.08', 'EUR'],
    ['1', 'nope'],
  ])('refuses %j %s', (text, currency) => {
    expect(() => m.parseMoney(text, currency)).toThrow(InvalidValue);
  });

  it('cuts the text it quotes and says what it was meant to be', () => {
    const refused = tryParse(() => m.parseMoney('9'.repeat(5000), 'EUR'));
    expect(refused).toMatchObject({ ok: false, error: { kind: 'money' } });
    if (!refused.ok) expect(refused.error.message.length).toBeLessThan(200);
  });

  it('passes faults of ours through tryParse', () => {
    expect(() =>
      tryParse(() => {
        throw new TypeError('a fault');
      }),
    ).toThrow(TypeError);
  });

  it('reads back what formatDecimal writes', async () => {
    await fc.assert(
      fc.property(anyMinor, anyCurrency, (minor, currency) => {
        const amount = m.money(minor, currency);
        expect(m.parseMoney(m.formatDecimal(amount), currency)).toEqual(amount);
      }),
    );
  });
});

describe('arithmetic', () => {
  it('writes all decimals', () => {
    expect(m.formatDecimal(m.money(1234n, 'EUR'))).toBe('12.34');
    expect(m.formatDecimal(m.money(-5n, 'EUR'))).toBe('-0.05');
    expect(m.formatDecimal(m.money(12n, 'JPY'))).toBe('12');
    expect(m.formatDecimal(m.money(0n, 'KWD'))).toBe('0.000');
  });

  it('adds and subtracts exactly [decisions.10.exact-sums]', async () => {
    await fc.assert(
      fc.property(anyMinor, anyMinor, anyCurrency, (a, b, currency) => {
        const sum = m.addMoney(m.money(a, currency), m.money(b, currency));
        expect(sum.minor).toBe(a + b);
        expect(m.subtractMoney(sum, m.money(b, currency)).minor).toBe(a);
        expect(m.addMoney(sum, m.negateMoney(sum)).minor).toBe(0n);
      }),
    );
  });

  it('sums a list, and an empty one to zero', () => {
    expect(m.sumMoney([m.money(1n, 'EUR'), m.money(2n, 'EUR')], 'EUR')).toEqual(m.money(3n, 'EUR'));
    expect(m.sumMoney([], 'EUR')).toEqual(m.zero('EUR'));
  });

  it('never mixes currencies [decisions.10.minor-units]', () => {
    const [euro, yen] = [m.money(1n, 'EUR'), m.money(1n, 'JPY')];
    expect(() => m.addMoney(euro, yen)).toThrow(m.CurrencyMismatch);
    expect(() => m.subtractMoney(euro, yen)).toThrow(m.CurrencyMismatch);
    expect(() => m.compareMoney(euro, yen)).toThrow(m.CurrencyMismatch);
    expect(() => m.sumMoney([yen], 'EUR')).toThrow(m.CurrencyMismatch);
  });

  it('compares and tells signs apart', () => {
    expect([-1n, 0n, 1n].map((n) => m.compareMoney(m.money(n, 'EUR'), m.zero('EUR')))).toEqual([-1, 0, 1]);
    expect([-1n, 0n, 1n].map((n) => m.isNegative(m.money(n, 'EUR')))).toEqual([true, false, false]);
    expect([-1n, 0n, 1n].map((n) => m.isZero(m.money(n, 'EUR')))).toEqual([false, true, false]);
    expect([-1n, 0n, 1n].map((n) => m.isPositive(m.money(n, 'EUR')))).toEqual([false, false, true]);
  });

  it.each([
    [10_000n, 250, 250n],
    [50n, 100, 1n],
    [49n, 100, 0n],
    [-50n, 100, -1n],
    [-49n, 100, 0n],
    [150n, 100, 2n],
    [123n, 10_000, 123n],
  ])('%i minor units × %i basis points = %i', (minor, basisPoints, expected) => {
    expect(m.multiplyBasisPoints(m.money(minor, 'EUR'), basisPoints).minor).toBe(expected);
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('refuses %d basis points', (basisPoints) => {
    expect(() => m.multiplyBasisPoints(m.money(1n, 'EUR'), basisPoints)).toThrow(RangeError);
  });
});

describe('moneyToNumber', () => {
  it('survives JSON unchanged wherever it answers [decisions.10.json-decimals]', async () => {
    const exact = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });
    await fc.assert(
      fc.property(exact, anyCurrency, (minor, currency) => {
        const amount = m.money(minor, currency);
        const written = JSON.stringify(m.moneyToNumber(amount));
        // JSON writes the smallest amounts of three decimals plainly too: 0.001 has no exponent.
        expect(m.parseMoney(written, currency)).toEqual(amount);
      }),
    );
  });

  it('gives the nearest number beyond, and says what is exact [decisions.10.json-decimals]', () => {
    const euro = (minor: bigint) => m.money(minor, 'EUR');
    const bound = 10n ** 15n;
    for (const sign of [1n, -1n]) {
      expect(m.isExactAsNumber(euro(sign * (bound - 1n)))).toBe(true);
      expect(m.isExactAsNumber(euro(sign * bound))).toBe(false);
    }
    expect(m.moneyToNumber(euro(bound - 1n))).toBe(9_999_999_999_999.99);
    expect(m.moneyToNumber(euro(bound))).toBe(10_000_000_000_000);
    expect(m.moneyToNumber(euro(-(2n ** 63n)))).toBeCloseTo(-(2 ** 63) / 100, -2);
  });
});
