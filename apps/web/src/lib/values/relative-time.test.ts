import { describe, expect, it } from 'vitest';
import { timeAgo } from './relative-time.ts';

const now = Date.parse('2026-03-02T09:00:00Z');

describe('how long ago', () => {
  it.each([
    [-5_000, 'just now'],
    [0, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [3_599_999, '59 minutes ago'],
    [3_600_000, '1 hour ago'],
    [86_399_999, '23 hours ago'],
    [86_400_000, '1 day ago'],
    [30 * 86_400_000, '30 days ago'],
  ])('%i ms: %s', (passed, text) => {
    expect(timeAgo(new Date(now - passed).toISOString(), now)).toBe(text);
  });
});
