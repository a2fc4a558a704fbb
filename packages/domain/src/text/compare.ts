/** Direction in which a grid is sorted. */
export type SortDirection = 'asc' | 'desc';
/** Compares two cells as Array.sort wants it. */
export type Comparator<T> = (a: T, b: T) => number;

/**
 * Missing values stand at the end when rising and at the start when falling (specification, portal §4), which is
 * also what PostgreSQL does by default.
 */
function directed<T>(
  direction: SortDirection,
  isMissing: (value: T | null | undefined) => boolean,
  compare: Comparator<T>,
): Comparator<T | null | undefined> {
  const sign = direction === 'asc' ? 1 : -1;
  return (a, b) => {
    const missingA = a === null || a === undefined || isMissing(a);
    const missingB = b === null || b === undefined || isMissing(b);
    if (missingA || missingB) return missingA === missingB ? 0 : missingA ? sign : -sign;
    return sign * compare(a, b) || 0;
  };
}

const never = (): boolean => false;

/**
 * Text as people of that language order it, digits by their value ('INV-9' before 'INV-10'), case aside.
 * @param locale BCP 47; the browser's language when absent
 */
export function compareText(
  direction: SortDirection,
  locale?: string,
): Comparator<string | null | undefined> {
  const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return directed<string>(direction, never, (a, b) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0));
}

/** Numbers and integers of any size; NaN counts as missing. */
export const compareNumber = (direction: SortDirection): Comparator<number | bigint | null | undefined> =>
  directed<number | bigint>(
    direction,
    (value) => typeof value === 'number' && Number.isNaN(value),
    (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  );

/** Instants or ISO dates; what is no date counts as missing. */
export const compareDate = (direction: SortDirection): Comparator<Date | string | null | undefined> =>
  directed<Date | string>(
    direction,
    (value) => value !== null && value !== undefined && Number.isNaN(timeOf(value)),
    (a, b) => timeOf(a) - timeOf(b),
  );

const timeOf = (value: Date | string): number =>
  typeof value === 'string' ? Date.parse(value) : value.getTime();

/** False before true when rising. */
export const compareBoolean = (direction: SortDirection): Comparator<boolean | null | undefined> =>
  directed<boolean>(direction, never, (a, b) => Number(a) - Number(b));

/** Sorts rows by one of their values: `rows.toSorted(by((row) => row.number, compareText('asc')))`. */
export const by =
  <Row, Value>(read: (row: Row) => Value, compare: Comparator<Value>): Comparator<Row> =>
  (a, b) =>
    compare(read(a), read(b));
