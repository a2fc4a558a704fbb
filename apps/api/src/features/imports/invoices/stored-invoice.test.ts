import { parseRate } from '@counterfoil/domain/money/rate.ts';
import { describe, expect, it } from 'vitest';
import { taxesOfLines } from './stored-invoice.ts';

/** A line whose category is counted when it is looked at. */
function countedLine(amount: bigint, category: string, looked: { times: number }) {
  return {
    amount,
    taxPercent: '20',
    get taxCategory() {
      looked.times += 1;
      return category;
    },
  };
}

describe('taxesOfLines', () => {
  const tax = (category: string, taxMinor: bigint) => ({
    category,
    percent: parseRate('20'),
    taxableMinor: 0n,
    taxMinor,
  });

  it.each([
    [1n, [4n, 50n, 3n, 0n]],
    [-1n, [-4n, -50n, -3n, 0n]],
  ])('splits the tax of each category over its lines, times %s', (sign, expected) => {
    const lines = ['S', 'R', 'S', 'E'].map((category) => countedLine(sign * 10n, category, { times: 0 }));
    const taxes = [tax('S', 7n), tax('R', 50n), tax('none of a line', 9n)];
    expect(taxesOfLines({ taxes }, lines, sign)).toEqual(expected);
  });

  it('looks at each line once, however many categories there are', () => {
    const looked = { times: 0 };
    const lines = Array.from({ length: 500 }, (_, at) => countedLine(5n, `C${at}`, looked));
    const taxes = lines.map((_, at) => tax(`C${at}`, BigInt(at)));
    expect(taxesOfLines({ taxes }, lines, 1n)).toEqual(lines.map((_, at) => BigInt(at)));
    expect(looked.times).toBe(lines.length);
  });
});
