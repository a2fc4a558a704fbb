import type { ServiceItem } from '@counterfoil/contract/service-items.ts';
import { expect, it } from 'vitest';
import { allChosen, chosenBy, selectedOf, withSaved } from './chosen-items.ts';

const item = (id: string, costCentre: string | null = null): ServiceItem => ({
  id,
  serviceId: 's',
  serviceItem: id,
  description: null,
  costCentre,
});
const [a, b, c] = [item('a', 'Sales'), item('b'), item('c', 'Sales')];
const all = () => true;
const sales = ({ costCentre }: ServiceItem) => costCentre === 'Sales';

it('what is chosen on one page stays so on others', () => {
  const first = chosenBy(new Set(['a', 'b']), allChosen([]), [a, b]);
  const second = chosenBy(new Set(['a', 'b', 'c']), first, [c]);
  expect(selectedOf(second, [c], all)).toEqual(new Set(['a', 'b', 'c']));
  expect(selectedOf(chosenBy(new Set(['b']), second, [a]), undefined, all)).toEqual(new Set(['b']));
});

it('what the filters hide is not chosen, by what is known last of an item', () => {
  const chosen = allChosen([a, b, c]);
  expect(selectedOf(chosen, undefined, sales)).toEqual(new Set(['a', 'c']));
  // The page shown is newer than the choice.
  expect(selectedOf(chosen, [item('b', 'Sales'), item('c')], sales)).toEqual(new Set(['a', 'b']));
  expect(selectedOf(withSaved(chosen, item('a')), [], sales)).toEqual(new Set(['c']));
  expect(withSaved(allChosen([b]), a)).toEqual(allChosen([b]));
});
