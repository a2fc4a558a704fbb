import { describe, expect, it } from 'vitest';
import { keysByPlace } from './use-row-keys.ts';

const keys = (
  before: Readonly<Record<string, number>>,
  ids: readonly string[],
  held?: string,
): Readonly<Record<string, number>> =>
  Object.fromEntries(keysByPlace(new Map(Object.entries(before)), ids, held));

describe('keys of rows by place', () => {
  it('another page or order takes the keys as they stand; rows beyond get new ones', () => {
    expect(keys({}, ['a', 'b'])).toEqual({ a: 0, b: 1 });
    expect(keys({ a: 0, b: 1 }, ['c', 'd', 'e'])).toEqual({ c: 0, d: 1, e: 2 });
    expect(keys({ a: 0, b: 1 }, ['b', 'a'])).toEqual({ b: 0, a: 1 });
    expect(keys({ a: 0, b: 1 }, ['c'])).toEqual({ c: 0 });
  });

  it('the held row keeps its key wherever it goes on the page', () => {
    expect(keys({ a: 0, b: 1, c: 2 }, ['c', 'a', 'd'], 'c')).toEqual({ c: 2, a: 0, d: 1 });
  });

  it('nobody takes over from a held row that left the page', () => {
    expect(keys({ a: 0, b: 1, c: 2 }, ['d', 'e', 'f'], 'b')).toEqual({ d: 0, e: 2, f: 3 });
    expect(keys({ d: 0, e: 2, f: 3 }, ['a', 'b', 'c'], 'b')).toEqual({ a: 0, b: 2, c: 3 });
  });

  it('gives the same again for the same page', () => {
    const first = keys({ a: 0, b: 1, c: 2 }, ['c', 'x', 'a'], 'c');
    expect(
      keys({ c: first['c'] ?? -1, x: first['x'] ?? -1, a: first['a'] ?? -1 }, ['c', 'x', 'a'], 'c'),
    ).toEqual(first);
  });
});
