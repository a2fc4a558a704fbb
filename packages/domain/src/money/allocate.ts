import { magnitude } from './integer.ts';

/**
 * Splits a total in proportion to weights so that the parts add up exactly (largest-remainder method; equal
 * remainders go to the earlier part). Used for the tax of usage lines and for payments over several invoices.
 *
 * A negative total is split as its mirror image. Negative weights are allowed (credit lines among charges).
 * Weights that add up to 0 cannot give proportions: their absolute values are taken instead, and if all are 0
 * the parts are as equal as can be.
 *
 * @param total   minor units, or any other integer
 * @param weights one per part, in the same order as the answer
 * @throws {RangeError} when there is no part to take a total other than 0
 */
export function allocateByLargestRemainder(total: bigint, weights: readonly bigint[]): bigint[] {
  if (weights.length === 0) {
    if (total === 0n) return [];
    throw new RangeError('A total cannot be split into no parts');
  }
  if (total < 0n) return allocateByLargestRemainder(-total, weights).map((part) => -part);
  const usable = usableWeights(weights);
  const sum = usable.reduce((a, b) => a + b, 0n);

  const parts = usable.map((weight, index) => {
    const exact = total * weight;
    const floor = floorDivide(exact, sum);
    return { index, floor, remainder: exact - floor * sum };
  });
  const left = total - parts.reduce((a, part) => a + part.floor, 0n);
  const favoured = new Set(
    [...parts]
      .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1))
      .slice(0, Number(left))
      .map((part) => part.index),
  );
  return parts.map((part) => part.floor + (favoured.has(part.index) ? 1n : 0n));
}

/** The same proportions with a positive sum. */
function usableWeights(weights: readonly bigint[]): readonly bigint[] {
  const sum = weights.reduce((a, b) => a + b, 0n);
  if (sum > 0n) return weights;
  if (sum < 0n) return weights.map((weight) => -weight);
  return weights.every((weight) => weight === 0n) ? weights.map(() => 1n) : weights.map(magnitude);
}

/** Division towards minus infinity; the divisor is positive. */
function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}
