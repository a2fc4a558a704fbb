import { describe, expect, it } from 'vitest';
import { feeOf, feeText, readFee } from './fee-fields.ts';

describe('a part of a fee', () => {
  it.each([
    ['basisPoints', '1.5', 'USD', 150, '1.5'],
    ['basisPoints', '2,25', 'USD', 225, '2.25'],
    ['basisPoints', '100', 'USD', 10_000, '100'],
    ['basisPoints', '', 'USD', 0, '0'],
    ['fixedMinor', '0.30', 'USD', 30, '0.30'],
    ['fixedMinor', '30', 'JPY', 30, '30'],
    ['fixedMinor', '0.030', 'KWD', 30, '0.030'],
    ['capMinor', '', 'USD', null, ''],
    ['capMinor', '5', 'USD', 500, '5.00'],
  ] as const)('%s %j in %s is kept as %j and shown as %j', (part, typed, currency, kept, shown) => {
    expect(readFee(part, typed, currency)).toBe(kept);
    expect(feeText(part, kept, currency)).toBe(shown);
  });

  it.each([
    ['basisPoints', '100.01', 'USD'],
    ['basisPoints', '1.234', 'USD'],
    ['basisPoints', '-1', 'USD'],
    ['fixedMinor', '0.005', 'USD'],
    ['fixedMinor', '1.5', 'JPY'],
    ['capMinor', 'none', 'USD'],
  ] as const)('%s %j in %s stays as it was typed', (part, typed, currency) => {
    expect(readFee(part, typed, currency)).toBe(typed);
  });

  it('gives the fee of an amount as it is charged, and none while it cannot be read', () => {
    expect(feeOf('100', { basisPoints: 150, fixedMinor: 30, capMinor: 170 }, 'USD')).toBe('1.70');
    expect(feeOf('100', { basisPoints: 'x', fixedMinor: 30, capMinor: null }, 'USD')).toBeNull();
  });
});
