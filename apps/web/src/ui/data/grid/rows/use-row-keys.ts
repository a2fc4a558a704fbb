import { useCallback, useLayoutEffect, useRef } from 'react';
import type { GridColumn } from '../grid-types.ts';

/**
 * A key for each row of a page, by its place, so that another page or order is written into the table rows that are
 * there. One row is its own: what has the focus, or opened a dialog that gives it back, must not become another row's.
 * @param before what this gave for the page before, in its order
 * @param ids of the page to draw, each once
 * @param held id of the row that is its own
 * @returns a number for each id, in the order of the page
 */
export function keysByPlace(
  before: ReadonlyMap<string, number>,
  ids: readonly string[],
  held: string | undefined,
): ReadonlyMap<string, number> {
  const own = held === undefined ? undefined : before.get(held);
  const free = [...before.values()].filter((key) => key !== own).values();
  let unused = Math.max(-1, ...before.values()) + 1;
  const next = () => {
    const { done, value } = free.next();
    return done ? unused++ : value;
  };
  return new Map(ids.map((id) => [id, own !== undefined && id === held ? own : next()]));
}

interface RowKeys {
  /** @param id of a row that is drawn */
  readonly keyOf: (id: string) => string | number;
  /** A row was pressed or has the focus. */
  readonly hold: (id: string) => void;
}

/**
 * The React keys of the rows drawn: by {@link keysByPlace}, or by id where a cell's state must stay with its row.
 * @param ids of the rows drawn
 */
export function useRowKeys<Row>(columns: readonly GridColumn<Row>[], ids: readonly string[]): RowKeys {
  const before = useRef<ReadonlyMap<string, number>>(new Map());
  const held = useRef<string>(undefined);
  const keys = keysByPlace(before.current, ids, held.current);
  useLayoutEffect(() => {
    before.current = keys;
  });
  const hold = useCallback((id: string) => {
    held.current = id;
  }, []);
  const isById = columns.some(({ cellState }) => cellState === 'kept');
  return { keyOf: (id) => (isById ? id : (keys.get(id) ?? id)), hold };
}
