import { expect, it } from 'vitest';
import { daysText, readDays } from './days.ts';

it.each<readonly [string, number, readonly number[] | string]>([
  ['', 0, []],
  ['3', 0, [3]],
  ['1, 7,14', 1, [1, 7, 14]],
  ['1,', 1, [1]],
  [' 0 ', 0, [0]],
  ['0', 1, '0'],
  ['91', 0, '91'],
  ['one', 0, 'one'],
  ['1.5', 0, '1.5'],
  ['-1', 0, '-1'],
  ['1 2 3 4 5 6', 0, [1, 2, 3, 4, 5, 6]],
  ['1 2 3 4 5 6 7', 0, '1 2 3 4 5 6 7'],
])('%j with at least %i is read as %j', (typed, least, days) => {
  expect(readDays(typed, least)).toEqual(days);
  if (typeof days !== 'string') expect(readDays(daysText(days), least)).toEqual(days);
});
