import { expect, it } from 'vitest';
import { morningOf } from './snooze-until.ts';

it.each([
  ['tomorrow', [2026, 2, 31, 23], [2026, 3, 1, 6]],
  ['nextWeek', [2026, 2, 2, 5], [2026, 2, 9, 6]],
  ['nextWeek', [2026, 2, 3, 9], [2026, 2, 9, 6]],
  ['nextWeek', [2026, 2, 8, 9], [2026, 2, 9, 6]],
] as const)('%s, from %j on', (until, [year, month, day, hour], [ofYear, ofMonth, ofDay, ofHour]) => {
  expect(morningOf(until, new Date(year, month, day, hour))).toEqual(
    new Date(ofYear, ofMonth, ofDay, ofHour),
  );
});
