export interface ComboOption<Id extends string = string> {
  readonly id: Id;
  readonly label: string;
}

/** Options by label in the reader's alphabet; numbers inside labels count as numbers. */
export function sortedOptions<Id extends string>(
  options: readonly ComboOption<Id>[],
  locale: string,
): readonly ComboOption<Id>[] {
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return options.toSorted((a, b) => compare(a.label, b.label));
}

/** Case and accents do not matter when searching. */
const folded = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLocaleLowerCase();

/** Options whose label contains every word of the search text. */
export function matchingOptions<Id extends string>(
  options: readonly ComboOption<Id>[],
  search: string,
): readonly ComboOption<Id>[] {
  const words = folded(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter((option) => {
    const label = folded(option.label);
    return words.every((word) => label.includes(word));
  });
}

/** Most options listed at once: nobody scrolls through more, and drawing them all would take too long. */
export const MOST_LISTED = 500;

/** The options to list: all, or the first of very many; the chosen one is among them, at its place or before all. */
export function listedOptions<Id extends string>(
  options: readonly ComboOption<Id>[],
  chosen: Id | undefined,
): readonly ComboOption<Id>[] {
  if (options.length <= MOST_LISTED) return options;
  const at = options.findIndex(({ id }) => id === chosen);
  if (at < MOST_LISTED) return options.slice(0, MOST_LISTED);
  return [...options.slice(at, at + 1), ...options.slice(0, MOST_LISTED - 1)];
}

const PAGE = 10;

/**
 * The option that an arrow, Page Down or Up, Home or End leads to; arrows wrap around. -1: none is active.
 * @returns undefined for other keys
 */
export function stepIn(length: number, active: number, key: string): number | undefined {
  if (length === 0) return undefined;
  if (key === 'ArrowDown') return (active + 1) % length;
  if (key === 'ArrowUp') return active <= 0 ? length - 1 : active - 1;
  if (key === 'PageDown') return Math.min(active + PAGE, length - 1);
  if (key === 'PageUp') return Math.max(active - PAGE, 0);
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  return undefined;
}
