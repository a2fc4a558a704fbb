import { describe, expect, it } from 'vitest';
import { nextAfter } from './next-need.ts';

const needs = (...paths: readonly string[]) => paths.map((path) => ({ path }) as never);

describe('what is next after a thing', () => {
  it.each([
    [['/a', '/b', '/c'], 0, '/a', '/b'],
    [['/a', '/b', '/c'], 2, '/c', '/a'],
    [['/a', '/c'], 1, '/b', '/c'],
    [['/a'], 1, '/b', '/a'],
    [['/a', '/a', '/b'], 0, '/a', '/b'],
    [['/a'], 0, '/a', undefined],
    [[], 0, '/a', undefined],
  ] as const)('of %j, opened at place %i as %s, is %s', (paths, place, address, next) => {
    expect(nextAfter(needs(...paths), place, address)?.path).toBe(next);
  });
});
