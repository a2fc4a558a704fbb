import type { GridColumn } from './grid-types.ts';

/** What a column takes, in px. */
export interface ColumnNeed {
  /** Below this, something that must be read whole would be cut. */
  readonly least: number;
  /** With every text and its head on one line. */
  readonly natural: number;
}

export interface ColumnFit {
  /** The columns do not fit side by side: rows are drawn as cards. */
  readonly isCards: boolean;
  /** Widths in px, of the columns shown and hidden; hidden ones have 0. */
  readonly widths: readonly number[];
  /** A person's own widths need more than there is: the table scrolls in its box. */
  readonly scrolls: boolean;
}

type Wish = Pick<GridColumn<never>, 'width' | 'chosenWidth' | 'shortens' | 'hidden'>;

/** Narrower than this, rows are cards even where two short columns would fit: a thumb needs room. */
const LEAST_TABLE = 35;
/** A text asks for no more than this by itself. */
const MOST = 40;

/** A column's width in rem, where it says one. */
export function widthOf({ width }: Pick<Wish, 'width'>): number | undefined {
  const found = /^(\d+(?:\.\d+)?)rem$/.exec(width ?? '');
  return found ? Number(found[1]) : undefined;
}

/**
 * Shares a place among the columns. Each has what it must; what is left goes to what is shortened or broken into
 * lines, then to the usual widths, then to the columns without one.
 * @param needs one for each column
 * @param place in px, without the column of checkboxes
 * @param rem px of a rem
 */
export function fitColumns(
  columns: readonly Wish[],
  needs: readonly ColumnNeed[],
  place: number,
  rem: number,
): ColumnFit {
  const shown = columns.map(({ hidden }) => hidden !== true);
  const must = columns.map((_, at) => (shown[at] ? (needs[at]?.least ?? 0) : 0));
  const isCards = place < LEAST_TABLE * rem || sum(must) > place;
  const least = columns.map(({ chosenWidth, shortens }, at) => {
    if (!shown[at] || chosenWidth === undefined) return must[at] ?? 0;
    return shortens ? chosenWidth * rem : Math.max(chosenWidth * rem, must[at] ?? 0);
  });
  const isFree = (at: number) => shown[at] && columns[at]?.chosenWidth === undefined;
  const natural = least.map((width, at) =>
    isFree(at) ? Math.max(width, Math.min(needs[at]?.natural ?? 0, MOST * rem)) : width,
  );
  const usual = natural.map((width, at) =>
    isFree(at) ? Math.max(width, (widthOf(columns[at] ?? {}) ?? 0) * rem) : width,
  );
  let widths: readonly number[] = least;
  for (const wish of [natural, usual]) widths = towards(widths, wish, place);
  const open = columns.map(({ width }, at) => isFree(at) && width === undefined);
  const takers = open.some(Boolean) ? open : columns.map((_, at) => isFree(at) === true);
  const left = Math.max(0, place - sum(widths)) / Math.max(1, takers.filter(Boolean).length);
  return {
    isCards,
    widths: widths.map((width, at) => (takers[at] ? width + left : width)),
    scrolls: !isCards && sum(least) > place,
  };
}

/** As far as the place allows, each by the same part of its way. */
function towards(from: readonly number[], to: readonly number[], place: number): readonly number[] {
  const way = sum(to) - sum(from);
  const part = way > 0 ? Math.min(1, Math.max(0, place - sum(from)) / way) : 0;
  return from.map((width, at) => width + ((to[at] ?? width) - width) * part);
}

const sum = (figures: readonly number[]): number => figures.reduce((total, figure) => total + figure, 0);
