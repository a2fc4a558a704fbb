import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkInvoiceSums, checkLine } from './invoice-sums.ts';
import { CurrencyMismatch, money, multiplyBasisPoints, zero } from './money.ts';
import { parseRate, rateFromMillionths } from './rate.ts';

const euro = (minor: bigint) => money(minor, 'EUR');

describe('checkInvoiceSums', () => {
  const good = {
    lineTotals: [euro(1000n), euro(500n)],
    subtotal: euro(1500n),
    tax: euro(285n),
    total: euro(1785n),
    rounding: euro(-5n),
    prepaid: euro(780n),
    payable: euro(1000n),
  };

  it('finds nothing in an invoice that adds up', () => {
    expect(checkInvoiceSums(good)).toEqual([]);
    expect(
      checkInvoiceSums({ ...good, lineTotals: [euro(1600n)], allowances: euro(150n), charges: euro(50n) }),
    ).toEqual([]);
  });

  it.each([
    ['lineTotals', [euro(999n)], [['linesVsSubtotal', 501n]]],
    ['lineTotals', [], [['linesVsSubtotal', 1500n]]],
    ['tax', euro(284n), [['subtotalPlusTaxVsTotal', 1n]]],
    ['payable', euro(999n), [['totalVsPayable', -1n]]],
    ['rounding', euro(0n), [['totalVsPayable', -5n]]],
    [
      'total',
      euro(1790n),
      [
        ['subtotalPlusTaxVsTotal', 5n],
        ['totalVsPayable', -5n],
      ],
    ],
    [
      'subtotal',
      euro(1501n),
      [
        ['linesVsSubtotal', 1n],
        ['subtotalPlusTaxVsTotal', -1n],
      ],
    ],
  ])('names what is wrong with %s', (field, value, expected) => {
    const found = checkInvoiceSums({ ...good, [field]: value });
    expect(found.map(({ name, difference }) => [name, difference.minor])).toEqual(expected);
    for (const { stated, expected: calculated, difference } of found) {
      expect(stated.minor - calculated.minor).toBe(difference.minor);
    }
  });

  it('does not compare currencies', () => {
    expect(() => checkInvoiceSums({ ...good, tax: money(285n, 'USD') })).toThrow(CurrencyMismatch);
  });
});

describe('checkLine', () => {
  const line = (
    quantity: string,
    price: string,
    amount: bigint,
    { base = '1', off = 0n, on = 0n, currency = 'EUR', toleranceMinor = 0n } = {},
  ) =>
    checkLine({
      quantity: parseRate(quantity),
      price: parseRate(price),
      baseQuantity: parseRate(base),
      allowances: money(off, currency),
      charges: money(on, currency),
      amount: money(amount, currency),
      toleranceMinor,
    });

  it('accepts lines that add up', () => {
    expect(line('3', '0.333333', 100n)).toBeNull();
    expect(line('1500', '2.5', 375n, { base: '1000' })).toBeNull();
    expect(line('1', '10', 950n, { off: 100n, on: 50n })).toBeNull();
    expect(line('-2', '10', -2000n)).toBeNull();
    expect(line('1', '0.005', 1n)).toBeNull();
    expect(line('-1', '0.005', -1n)).toBeNull();
    expect(line('3', '33.4', 100n, { currency: 'JPY' })).toBeNull();
  });

  it('names the difference', () => {
    expect(line('2', '10', 1999n)).toMatchObject({ name: 'lineAmount', difference: euro(-1n) });
    expect(line('2', '10', 1999n, { toleranceMinor: 1n })).toBeNull();
    expect(line('2', '10', 1998n, { toleranceMinor: 1n })).toMatchObject({ name: 'lineAmount' });
    expect(line('2', '10', 2002n, { toleranceMinor: 1n })).toMatchObject({ name: 'lineAmount' });
  });

  it.each(['0', '-1'])('cannot divide by a base quantity of %s', (base) => {
    expect(line('1', '1', 100n, { base })).toMatchObject({ name: 'baseQuantity' });
  });

  it('rounds once, not at each step [decisions.5.rounding]', () => {
    // 0.004 × 250 ÷ 100 = 0.01; rounding the product per unit first would give 0.
    expect(line('0.004', '250', 1n, { base: '100' })).toBeNull();
  });

  it('accepts quantity × price in whole units and finds any other amount', async () => {
    const n = fc.bigInt({ min: -100_000n, max: 100_000n });
    await fc.assert(
      fc.property(n, n, fc.bigInt({ min: 1n, max: 1000n }), n, (quantity, price, base, error) => {
        const found = checkLine({
          quantity: rateFromMillionths(quantity * base * 1_000_000n),
          price: rateFromMillionths(price * 1_000_000n),
          baseQuantity: rateFromMillionths(base * 1_000_000n),
          allowances: zero('EUR'),
          charges: zero('EUR'),
          amount: multiplyBasisPoints(euro(quantity * price * 100n + error), 10_000),
        });
        expect(found?.difference.minor ?? 0n).toBe(error);
      }),
    );
  });
});
