import type { GridColumn } from './grid-types.ts';

/** What a person made of a grid's columns. Ids of columns that are not there now are kept: they may come back. */
export interface ColumnChoice {
  readonly hidden: readonly string[];
  /** In rem. */
  readonly widths: Readonly<Record<string, number>>;
}

export const MIN_WIDTH = 4;
export const MAX_WIDTH = 40;
export const WIDTH_STEP = 2;

type Ids = readonly Pick<GridColumn<never>, 'id'>[];

const clamp = (width: number): number => Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width));
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads what was stored, by whichever version: what cannot be understood was not chosen. */
export function readChoice(value: unknown): ColumnChoice {
  const { hidden, widths } = isRecord(value) ? value : {};
  return {
    hidden: Array.isArray(hidden) ? hidden.filter((id) => typeof id === 'string') : [],
    widths: Object.fromEntries(
      Object.entries(isRecord(widths) ? widths : {}).flatMap(([id, width]) =>
        typeof width === 'number' && Number.isFinite(width) ? [[id, clamp(width)]] : [],
      ),
    ),
  };
}

/** What to store; null for nothing. */
export const choiceToStore = (choice: ColumnChoice): ColumnChoice | null =>
  choice.hidden.length === 0 && Object.keys(choice.widths).length === 0 ? null : choice;

/** The ids shown, in the columns' order; all of them when the choice would leave none. */
export function shownIds(columns: Ids, { hidden }: ColumnChoice): readonly string[] {
  const shown = columns.filter(({ id }) => !hidden.includes(id));
  return (shown.length === 0 ? columns : shown).map(({ id }) => id);
}

/** Shows a hidden column or hides a shown one, but never the last. */
export function toggleColumn(columns: Ids, choice: ColumnChoice, id: string): ColumnChoice {
  const shown = shownIds(columns, choice);
  if (!shown.includes(id)) return { ...choice, hidden: choice.hidden.filter((one) => one !== id) };
  if (shown.length === 1) return choice;
  const present = new Set(columns.map((column) => column.id));
  const others = choice.hidden.filter((one) => !present.has(one) || !shown.includes(one));
  return { ...choice, hidden: [...others, id] };
}

/**
 * One step narrower or wider.
 * @param from the width now, in rem
 * @param least what the column may not go below, in rem
 */
export const stepWidth = (
  choice: ColumnChoice,
  id: string,
  { from, least }: { readonly from: number; readonly least: number },
  direction: 'narrower' | 'wider',
): ColumnChoice => {
  const width = clamp(Math.round(from) + (direction === 'wider' ? WIDTH_STEP : -WIDTH_STEP));
  return { ...choice, widths: { ...choice.widths, [id]: Math.max(least, width) } };
};

/** The narrowest a column may be made, in rem: an amount or a date stays whole. @param floor what it needs, in rem */
export const leastWidth = ({ shortens }: Pick<GridColumn<never>, 'shortens'>, floor = 0): number =>
  shortens === true ? MIN_WIDTH : Math.max(MIN_WIDTH, Math.ceil(floor));

/** The columns as chosen, in their own order. */
export function chosenColumns<Row>(
  columns: readonly GridColumn<Row>[],
  choice: ColumnChoice,
): readonly GridColumn<Row>[] {
  if (choiceToStore(choice) === null) return columns;
  const shown = new Set(shownIds(columns, choice));
  return columns.map((column) => {
    const width = choice.widths[column.id];
    return {
      ...column,
      ...(width !== undefined && { chosenWidth: width }),
      ...(!shown.has(column.id) && { hidden: true }),
    };
  });
}
