import type { Need, Today } from '@counterfoil/contract/operator/running/today.ts';

/** Everything that is listed, in the order of Today. */
export const needsIn = (today: Today | undefined): readonly Need[] =>
  today?.groups.flatMap(({ items }) => items) ?? [];

/** What a page is about, where that needs a person. @param address path with its query */
export const needAt = (needs: readonly Need[], address: string): Need | undefined =>
  needs.find(({ path }) => path === address);

/**
 * Where to go on from a page: what stands after it now, or in its place once it is seen to; behind the last one the first.
 * @param place of what the page is about, in the list as it was when the page was opened
 */
export function nextAfter(needs: readonly Need[], place: number, address: string): Need | undefined {
  const at = needs.findIndex(({ path }) => path === address);
  const from = at === -1 ? place : at + 1;
  return [...needs.slice(from), ...needs.slice(0, from)].find(({ path }) => path !== address);
}
