import { expect, it } from 'vitest';
import { shownValues } from './shown-values.ts';

const value = (name: string, text = name, isWrong = false) => ({ name, value: text, isWrong });

it('shows what is wrong first, an empty value too, and a few of the others that say something', () => {
  const all = [value('a'), value('b', ''), value('c', '', true), ...'defghi'.split('').map((n) => value(n))];
  expect(shownValues(all).map(({ name }) => name)).toEqual(['c', 'a', 'd', 'e', 'f']);
});
