import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allocateByLargestRemainder } from './allocate.ts';

const sum = (list: readonly bigint[]): bigint => list.reduce((a, b) => a + b, 0n);
const total = fc.oneof(fc.bigInt({ min: -9n, max: 9n }), fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }));
const weight = fc.bigInt({ min: 0n, max: 10n ** 12n });

describe('allocateByLargestRemainder', () => {
  it.each([
    [100n, [1n, 1n, 1n], [34n, 33n, 33n]],
    [-100n, [1n, 1n, 1n], [-34n, -33n, -33n]],
    [-1n, [1n, 1n], [-1n, 0n]],
    [10n, [0n, 5n, 0n], [0n, 10n, 0n]],
    [5n, [0n, 0n], [3n, 2n]],
    [0n, [3n, 4n], [0n, 0n]],
    [0n, [], []],
    [7n, [1n, 2n, 4n], [1n, 2n, 4n]],
    [1n, [1n, 2n, 4n], [0n, 0n, 1n]],
    [20n, [150n, -50n], [30n, -10n]],
    [20n, [-150n, 50n], [30n, -10n]],
    [10n, [5n, -5n], [5n, 5n]],
  ])('%s over %s', (amount, weights, expected) => {
    expect(allocateByLargestRemainder(amount, weights)).toEqual(expected);
  });

  it('has nowhere to put a total without parts', () => {
    expect(() => allocateByLargestRemainder(1n, [])).toThrow(RangeError);
  });

  it('adds up, stays within one unit of the exact share and gives nothing to a weight of 0', async () => {
    await fc.assert(
      fc.property(total, fc.array(weight, { minLength: 1, maxLength: 30 }), (amount, weights) => {
        const parts = allocateByLargestRemainder(amount, weights);
        expect(sum(parts)).toBe(amount);
        const all = sum(weights);
        if (all === 0n) return;
        for (const [i, part] of parts.entries()) {
          const exact = amount * (weights[i] ?? 0n);
          const gap = part * all - exact;
          expect(gap < all && gap > -all).toBe(true);
          if (weights[i] === 0n) expect(part).toBe(0n);
        }
      }),
    );
  });

  it('mirrors a negative total and adds up for weights of either sign', async () => {
    const weights = fc.array(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), {
      minLength: 1,
      maxLength: 20,
    });
    await fc.assert(
      fc.property(total, weights, (amount, list) => {
        const parts = allocateByLargestRemainder(amount, list);
        expect(sum(parts)).toBe(amount);
        expect(allocateByLargestRemainder(-amount, list)).toEqual(parts.map((part) => -part));
      }),
    );
  });
});
