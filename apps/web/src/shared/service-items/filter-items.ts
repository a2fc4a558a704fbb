import type { ServiceItem } from '@counterfoil/contract/service-items.ts';

/** What is searched for, per column; absent and empty: anything. */
export interface ItemFilters {
  readonly serviceItem?: string | undefined;
  readonly description?: string | undefined;
  readonly costCentre?: string | undefined;
}

/** Case is not told apart in the reader's script, nor are two ways of encoding one letter. */
const folded = (text: string): string => text.normalize('NFC').toLowerCase();

/** Whether a text contains another, whatever its case (specification, portal §2). Blanks around it do not count. */
export function contains(text: string | null, search: string | undefined): boolean {
  const wanted = folded(search?.trim() ?? '');
  return wanted === '' || folded(text ?? '').includes(wanted);
}

/** The items that match every filter, in their order. */
export const filterItems = (items: readonly ServiceItem[], filters: ItemFilters): readonly ServiceItem[] =>
  items.filter(
    (item) =>
      contains(item.serviceItem, filters.serviceItem) &&
      contains(item.description, filters.description) &&
      contains(item.costCentre, filters.costCentre),
  );
