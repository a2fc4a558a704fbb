import { interFace } from '../fonts/face.ts';
import type { Weight } from '../fonts/families.ts';

const unknown = -32768;

/** Pairs of ASCII characters have a place of their own: they are asked for thousands of times a document. */
const ascii: Record<Weight, Int16Array> = {
  400: new Int16Array(128 * 128).fill(unknown),
  600: new Int16Array(128 * 128).fill(unknown),
};
const others: Record<Weight, Map<number, number>> = { 400: new Map(), 600: new Map() };
const mostOthers = 20_000;

/** Kerning of two characters in Inter, thousandths of the em; looked up in the font once per pair. */
export function interKerning(weight: Weight, left: number, right: number): number {
  if (left < 128 && right < 128) {
    const table = ascii[weight];
    const index = left * 128 + right;
    const known = table[index] ?? 0;
    if (known !== unknown) return known;
    const value = interFace(weight).kerning(left, right);
    table[index] = value;
    return value;
  }
  const key = left * 0x110000 + right;
  const pairs = others[weight];
  const known = pairs.get(key);
  if (known !== undefined) return known;
  if (pairs.size >= mostOthers) pairs.clear();
  const value = interFace(weight).kerning(left, right);
  pairs.set(key, value);
  return value;
}
