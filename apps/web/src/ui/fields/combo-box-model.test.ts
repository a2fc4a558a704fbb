import { describe, expect, it } from 'vitest';
import { listedOptions, MOST_LISTED, matchingOptions, sortedOptions, stepIn } from './combo-box-model.ts';

const options = ['Zoë & Söhne', 'branch 10', 'Branch 9', 'Ärzte'].map((label, i) => ({
  id: String(i),
  label,
}));
const labels = (list: readonly { readonly label: string }[]): string[] => list.map((option) => option.label);

describe('options', () => {
  it('stand in the order of the alphabet, case, accents and digits read as people do', () => {
    expect(labels(sortedOptions(options, 'en'))).toEqual(['Ärzte', 'Branch 9', 'branch 10', 'Zoë & Söhne']);
  });
  it('match by every word, without case and accents', () => {
    expect(labels(matchingOptions(options, ' SOHNE zo'))).toEqual(['Zoë & Söhne']);
    expect(labels(matchingOptions(options, 'branch'))).toEqual(['branch 10', 'Branch 9']);
    expect(matchingOptions(options, '   ')).toBe(options);
    expect(matchingOptions(options, 'nobody')).toEqual([]);
  });
  it('are walked by pages, which end at the ends', () => {
    expect([
      stepIn(500, 0, 'PageDown'),
      stepIn(500, 495, 'PageDown'),
      stepIn(500, 25, 'PageUp'),
      stepIn(500, 3, 'PageUp'),
      stepIn(0, -1, 'PageDown'),
    ]).toEqual([10, 499, 15, 0, undefined]);
  });
  it('are walked by keys, round and round', () => {
    expect([
      stepIn(3, -1, 'ArrowDown'),
      stepIn(3, 2, 'ArrowDown'),
      stepIn(3, -1, 'ArrowUp'),
      stepIn(3, 0, 'ArrowUp'),
    ]).toEqual([0, 0, 2, 2]);
    expect([
      stepIn(3, 1, 'Home'),
      stepIn(3, 1, 'End'),
      stepIn(3, 1, 'x'),
      stepIn(0, -1, 'ArrowDown'),
    ]).toEqual([0, 2, undefined, undefined]);
  });
});

describe('listing very many', () => {
  const many = Array.from({ length: 4_000 }, (_, at) => ({ id: String(at), label: `Line ${at}` }));
  it('lists all of a few', () => {
    expect(listedOptions(many.slice(0, MOST_LISTED), '7')).toEqual(many.slice(0, MOST_LISTED));
  });
  it('lists the first of thousands, and never without the chosen one', () => {
    expect(listedOptions(many, undefined)).toEqual(many.slice(0, MOST_LISTED));
    expect(listedOptions(many, '7')).toEqual(many.slice(0, MOST_LISTED));
    const listed = listedOptions(many, '3999');
    expect([listed.length, listed[0]?.id, listed[1]?.id]).toEqual([MOST_LISTED, '3999', '0']);
    expect(listedOptions(many, 'gone')).toHaveLength(MOST_LISTED);
  });
});
