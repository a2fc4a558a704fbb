import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { feeFor, noFee } from './fee.ts';
import { money } from './money.ts';

const fee = (due: bigint, basisPoints: number, fixedMinor: bigint, capMinor: bigint | null): bigint =>
  feeFor(money(due, 'EUR'), { basisPoints, fixedMinor, capMinor }).minor;

describe('feeFor', () => {
  it.each([
    [10_000n, 150, 30n, null, 180n],
    [10_000n, 150, 30n, 100n, 100n],
    [10_000n, 150, 30n, 180n, 180n],
    [10_000n, 0, 30n, null, 30n],
    [33n, 150, 0n, null, 0n],
    [34n, 150, 0n, null, 1n],
    [0n, 150, 30n, null, 0n],
    [-500n, 150, 30n, null, 0n],
    [100n, 100, -50n, null, 0n],
    [100n, -500, 0n, null, 0n],
    [100n, 100, 0n, -1n, 0n],
    [100n, 100, 5n, 0n, 0n],
  ])('due %i at %i bp + %i, cap %s: %i [decisions.6.fee-parts]', (due, basisPoints, fixed, cap, expected) => {
    expect(fee(due, basisPoints, fixed, cap)).toBe(expected);
  });

  it.each([
    [12_340n, 150, null, 190n],
    [12_340n, 100, null, 120n],
    [500n, 100, null, 10n],
    [400n, 100, null, 0n],
    [12_340n, 150, 187n, 180n],
  ])('of %i fils at %i bp, cap %s, is a whole number of tens: %i', (due, basisPoints, capMinor, expected) => {
    const rule = { basisPoints, fixedMinor: 0n, capMinor };
    expect(feeFor(money(due, 'KWD'), rule, money(10n, 'KWD')).minor).toBe(expected);
  });

  it('costs nothing without a rule', () => {
    expect(feeFor(money(12_345n, 'JPY'), noFee)).toEqual(money(0n, 'JPY'));
  });

  it('never falls below 0, never exceeds the cap and never falls when more is due [decisions.6.fee-parts]', async () => {
    const amount = fc.bigInt({ min: 0n, max: 10n ** 12n });
    await fc.assert(
      fc.property(
        amount,
        amount,
        fc.nat({ max: 10_000 }),
        amount,
        fc.option(amount),
        (a, b, bp, fixed, cap) => {
          const [less, more] = a < b ? [a, b] : [b, a];
          const low = fee(less, bp, fixed, cap);
          expect(low >= 0n && (cap === null || low <= cap)).toBe(true);
          expect(fee(more, bp, fixed, cap) >= low).toBe(true);
        },
      ),
    );
  });
});
