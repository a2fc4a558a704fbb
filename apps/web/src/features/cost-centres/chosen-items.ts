import type { ServiceItem } from '@counterfoil/contract/service-items.ts';

/** Items chosen over pages, by their ids, as they were when they were last seen. */
export type ChosenItems = ReadonlyMap<string, ServiceItem>;

const byId = (items: readonly ServiceItem[]): ReadonlyMap<string, ServiceItem> =>
  new Map(items.map((item) => [item.id, item]));

/**
 * The ids of what is chosen and left by the filters: what these hide is not chosen any more, so that nothing is changed that
 * cannot be seen.
 * @param rows of the page shown, which are newer
 */
export function selectedOf(
  chosen: ChosenItems,
  rows: readonly ServiceItem[] | undefined,
  isShown: (item: ServiceItem) => boolean,
): ReadonlySet<string> {
  const here = byId(rows ?? []);
  return new Set(
    [...chosen.values()].filter((item) => isShown(here.get(item.id) ?? item)).map(({ id }) => id),
  );
}

/** What is chosen once these ids are. @param rows of the page shown */
export function chosenBy(
  ids: ReadonlySet<string>,
  chosen: ChosenItems,
  rows: readonly ServiceItem[] | undefined,
): ChosenItems {
  const known = new Map([...chosen, ...byId(rows ?? [])]);
  return byId([...ids].flatMap((id) => known.get(id) ?? []));
}

/** The same with an item as it was saved, where that is among them. */
export const withSaved = (chosen: ChosenItems, saved: ServiceItem): ChosenItems =>
  chosen.has(saved.id) ? new Map([...chosen, [saved.id, saved]]) : chosen;

/** All of these chosen. */
export const allChosen = byId;
