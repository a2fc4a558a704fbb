import { expect, it } from 'vitest';
import { fakeClock } from './clock.ts';

it('stands still until it is moved', () => {
  const clock = fakeClock('2026-01-31T23:59:59Z');
  const before = clock.now();
  clock.advance(1_000);
  expect([before.toISOString(), clock.now().toISOString()]).toEqual([
    '2026-01-31T23:59:59.000Z',
    '2026-02-01T00:00:00.000Z',
  ]);
  clock.set('2026-03-01T00:00:00Z');
  expect(clock.now().getUTCMonth()).toBe(2);
});
