import { expect, it } from 'vitest';
import { longestWord } from './use-choice-rows.ts';

it.each([
  ['', ''],
  ['  ', ''],
  ['INV-2044', 'INV-2044'],
  ['inv 03.15.2026', '03.15.2026'],
  ['one  two', 'one'],
])('of %j the server is asked for %j', (typed, asked) => expect(longestWord(typed)).toBe(asked));
