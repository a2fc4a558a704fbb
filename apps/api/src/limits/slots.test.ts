import { describe, expect, it } from 'vitest';
import { Slots } from './slots.ts';

const codeOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('places for long work', () => {
  it('are few, and not all of them one’s; what is given back twice is free once', () => {
    const codes = { tooManyOfOne: 'usage.tooManyExports', tooManyOfAll: 'server.exporting' } as const;
    const slots = new Slots({ atOnce: 3, each: 2, ...codes });
    const give = [slots.take('a'), slots.take('a')];
    expect(codeOf(() => slots.take('a'))).toBe('usage.tooManyExports');
    slots.take('b');
    expect(codeOf(() => slots.take('b'))).toBe('server.exporting');
    give[0]?.();
    give[0]?.();
    slots.take('b');
    expect(codeOf(() => slots.take('c'))).toBe('server.exporting');
    give[1]?.();
    expect(codeOf(() => typeof slots.take('a'))).toBe('function');
  });
});
