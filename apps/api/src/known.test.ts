import { expect, it } from 'vitest';
import { Known } from './known.ts';

it('forgets the least used first, by what each weighs by now', () => {
  const known = new Known<string>(10);
  known.set('a', 'A', 4);
  known.set('b', 'B', 4);
  known.get('a');
  known.set('c', 'C', 4);
  const kept = () => ['a', 'b', 'c', 'd'].filter((key) => known.get(key) !== undefined);
  expect(kept()).toEqual(['a', 'c']);
  // What is looked up later makes it heavier.
  known.set('c', 'C', 9);
  expect(kept()).toEqual(['c']);
  known.forget('c');
  known.set('d', 'D', 10);
  known.set('a', 'A', 0);
  expect(kept()).toEqual(['a', 'd']);
  // What does not fit alone is not kept.
  known.set('b', 'B', 11);
  expect(kept()).toEqual([]);
});
