import { type RefObject, useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { type DrawnRows, type Lag, LONG_PAGE, lagOf, rowsInViewFirst } from './rows-in-view.ts';

interface RowsToDraw {
  readonly rows: DrawnRows;
  /** How rows out of view stand behind; they follow right after the next paint. */
  readonly lag: Lag;
}

/**
 * A long page answers at once: what is in view is drawn and painted before the rest is.
 * @param meant the rows of the page
 * @param isWhole all are drawn at once, for paper and for other columns
 */
export function useRowsInView(
  body: RefObject<HTMLElement | null>,
  meant: DrawnRows,
  isWhole: boolean,
): RowsToDraw {
  const [turn, followUp] = useReducer((count: number) => count + 1, 0);
  const before = useRef<{ readonly rows: DrawnRows; readonly turn: number }>({ rows: [], turn });
  const isTurn = before.current.turn !== turn;
  const rows = isWhole || isTurn ? meant : rowsInViewFirst(before.current.rows, meant, viewOf(body.current));
  const lag = rows === meant ? 'none' : lagOf(rows, meant);
  const isBehind = lag !== 'none';
  useLayoutEffect(() => {
    before.current = { rows, turn };
  });
  useEffect(() => {
    if (!isBehind) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    // A frame begins with this and ends with the paint; the timer is of the time after it.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(followUp);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [isBehind]);
  return { rows, lag };
}

/** Which places are in the window or less than half of its height away; all, where nothing is laid out. */
function viewOf(body: HTMLElement | null): (place: number) => boolean {
  const rows = body?.children;
  if (rows === undefined || rows.length <= LONG_PAGE) return () => true;
  const { innerHeight } = globalThis;
  const boxOf = (at: number) => rows[at]?.getBoundingClientRect() ?? new DOMRect();
  if (boxOf(rows.length - 1).bottom === boxOf(0).top) return () => true;
  const firstWhere = (is: (box: DOMRect) => boolean) => {
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (is(boxOf(middle))) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  const from = firstWhere(({ bottom }) => bottom > -innerHeight / 2);
  const to = firstWhere(({ top }) => top > innerHeight * 1.5);
  return (place) => place >= from && place < to;
}
