import { afterEach, beforeEach, expect, vi } from 'vitest';

/**
 * A test that makes something print to `console.error` fails, unless it expects that and says so by
 * `vi.spyOn(console, 'error').mockImplementation(…)` itself.
 */
const unexpected: unknown[][] = [];

beforeEach(() => {
  unexpected.length = 0;
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    unexpected.push(args);
  });
});

afterEach(() => {
  expect(unexpected, 'console.error was called').toEqual([]);
});
