import type { GridColumn } from './grid-types.ts';

/** Up to here any currency's figure fits the width that a column asks for. */
const ORDINARY = 100_000;

/** What stands left and right of a figure, in rem. */
const PADDING = 1.5;
const GAP = 1.25;
const EDGE = 0.75;

type Figures<Row> = Pick<GridColumn<Row>, 'type' | 'value' | 'cell' | 'width' | 'gap'>;

const textOf = <Row>({ cell, value }: Figures<Row>, row: Row): string => {
  const shown = cell === undefined ? value(row) : cell(row);
  return typeof shown === 'string' || typeof shown === 'number' ? String(shown) : String(value(row) ?? '');
};

/**
 * The columns, those of money as wide as their longest amount: an amount is never cut. The width is in characters
 * (`ch`), which are at least as wide as any part of an amount.
 * @param foot the sum under the last column
 */
export function fitFigures<Row>(
  columns: readonly GridColumn<Row>[],
  rows: readonly Row[],
  foot = '',
): readonly GridColumn<Row>[] {
  const last = columns.at(-1);
  let isChanged = false;
  const fitted = columns.map((column) => {
    if (column.type !== 'money' || column.width === undefined) return column;
    let longest = column === last ? foot.length : 0;
    for (const row of rows) {
      if (Math.abs(Number(column.value(row))) >= ORDINARY)
        longest = Math.max(longest, textOf(column, row).length);
    }
    // A dozen characters fit any column of money.
    if (longest <= 12) return column;
    isChanged = true;
    const around = PADDING + (column.gap === true ? GAP : 0) + (column === last ? EDGE : 0);
    return { ...column, width: `max(${column.width}, calc(${longest}ch + ${around}rem))` };
  });
  return isChanged ? fitted : columns;
}
