import type { ReactElement } from 'react';

type DrawnRow = ReactElement<{ readonly row: unknown; readonly [name: string]: unknown }>;

/** Rows as they are drawn: elements with the keys of their places. */
export type DrawnRows = readonly DrawnRow[];

/** Shorter pages are drawn at once: most of what they hold is in view. */
export const LONG_PAGE = 40;

/**
 * What a change of a long page draws first: the rows in view as they are now, the others as they stood. Rows that say
 * the same are the same elements, so that nothing looks at them again.
 * @param before as it was drawn last
 * @param isInView whether somebody may see the row at that place, counted from 0
 * @returns `now`, where it is short, another number of rows or rows at other places; `before`, where nothing changed
 */
export function rowsInViewFirst(
  before: DrawnRows,
  now: DrawnRows,
  isInView: (place: number) => boolean,
): DrawnRows {
  const isAlike = before.length === now.length && now.every(({ key }, at) => key === before[at]?.key);
  if (!isAlike || now.length <= LONG_PAGE) return now;
  const rows = now.map((row, at) => {
    const old = before[at];
    return old !== undefined && (saysTheSame(old, row) || !isInView(at)) ? old : row;
  });
  return rows.every((row, at) => row === before[at]) ? before : rows;
}

/** What is drawn, beside what is meant: all of it; the same rows, of which some are not yet chosen, or no longer; other rows. */
export type Lag = 'none' | 'state' | 'rows';

/** @param drawn as many as are meant, of the same columns */
export function lagOf(drawn: DrawnRows, meant: DrawnRows): Lag {
  const late = meant.flatMap((row, at) => {
    const stands = drawn[at];
    return stands === undefined || saysTheSame(row, stands) ? [] : [stands.props.row !== row.props.row];
  });
  return late.length === 0 ? 'none' : late.includes(true) ? 'rows' : 'state';
}

const saysTheSame = (one: DrawnRow, other: DrawnRow): boolean =>
  one === other || Object.entries(one.props).every(([name, value]) => Object.is(value, other.props[name]));
