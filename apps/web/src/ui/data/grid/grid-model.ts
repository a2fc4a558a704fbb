import {
  by,
  type Comparator,
  compareBoolean,
  compareDate,
  compareNumber,
  compareText,
} from '@counterfoil/domain/text/compare.ts';
import type {
  CellValue,
  ColumnType,
  GridColumn,
  GridPaging,
  GridPaper,
  GridSelection,
  GridSort,
  GridState,
  SortDirection,
} from './grid-types.ts';
import { clampPage, pageCount } from './pagination-model.ts';

const asText = (value: CellValue): string | null =>
  value === null || value === undefined ? null : String(value);
const asNumber = (value: CellValue): number | null => (typeof value === 'number' ? value : null);
const asBoolean = (value: CellValue): boolean | null => (typeof value === 'boolean' ? value : null);

/** The comparator of a column type; missing values stand last when rising, first when falling. */
export function comparatorFor(
  type: ColumnType,
  direction: SortDirection,
  locale: string,
): Comparator<CellValue> {
  if (type === 'number' || type === 'money') return by(asNumber, compareNumber(direction));
  if (type === 'date') return by(asText, compareDate(direction));
  if (type === 'boolean') return by(asBoolean, compareBoolean(direction));
  return by(asText, compareText(direction, locale));
}

/** Rows in the order of `sort`; equal rows keep their order. An unknown column changes nothing. */
export function sortRows<Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  sort: GridSort | null,
  locale: string,
): readonly Row[] {
  const column = sort && columns.find((candidate) => candidate.id === sort.column);
  if (!sort || !column || column.sortable === false) return rows;
  return rows.toSorted(by(column.value, comparatorFor(column.type, sort.direction, locale)));
}

/** What pressing a column's header makes of the state: rising first, then falling, back on page 1 each time. */
export function pressHeader(state: GridState, column: string): GridState {
  const rising = state.sort?.column === column && state.sort.direction === 'asc';
  return { ...state, sort: { column, direction: rising ? 'desc' : 'asc' }, page: 1 };
}

export interface GridPage<Row> {
  readonly rows: readonly Row[];
  /** Rows over all pages. */
  readonly total: number;
  /** The page shown: the one asked for, moved into what exists. */
  readonly page: number;
}

/** The rows to draw. Client paging sorts and cuts; server paging shows what came. */
export function pageRows<Row>(
  rows: readonly Row[],
  columns: readonly GridColumn<Row>[],
  state: GridState,
  paging: GridPaging,
  locale: string,
): GridPage<Row> {
  if (paging.mode === 'server') {
    return { rows, total: paging.total, page: clampPage(state.page, pageCount(paging.total, paging.size)) };
  }
  const page = clampPage(state.page, pageCount(rows.length, paging.size));
  const from = (page - 1) * paging.size;
  const sorted = sortRows(rows, columns, state.sort, locale);
  return { rows: sorted.slice(from, from + paging.size), total: rows.length, page };
}

/** Beyond this a list is for a file, not for paper. */
export const PAPER_ROWS = 500;

export interface PaperPage<Row> extends GridPage<Row> {
  /** Place of its first row, from 1. */
  readonly first: number;
  /** Rows that stand neither on paper nor on the screen. */
  readonly left: number;
}

interface PaperInput<Row> {
  /** As the screen has it. */
  readonly page: GridPage<Row>;
  readonly rows: readonly Row[];
  readonly columns: readonly GridColumn<Row>[];
  readonly state: GridState;
  readonly paging: GridPaging;
  readonly paper: GridPaper<Row> | undefined;
}

/** The rows a sheet holds, which has no second page to press: the first {@link PAPER_ROWS}, as far as they are here. */
export function paperRows<Row>(input: PaperInput<Row>, locale: string): PaperPage<Row> {
  const { page, rows, columns, state, paging, paper } = input;
  const all = paging.mode === 'client' ? sortRows(rows, columns, state.sort, locale) : paper?.rows;
  const isPage = paper?.pageOnly === true || all === undefined;
  const shown = isPage ? page.rows : all.slice(0, PAPER_ROWS);
  const first = isPage ? (page.page - 1) * paging.size + 1 : 1;
  return { ...page, rows: shown, first, left: page.total - shown.length };
}

/** One text for sort and direction, as it stands in the URL: 'dateInvoice' rises, '-dateInvoice' falls. */
export const sortToText = (sort: GridSort): string =>
  sort.direction === 'desc' ? `-${sort.column}` : sort.column;

/** Reads {@link sortToText}; anything that is no text is no sort. */
export function sortFromText(text: unknown): GridSort | null {
  if (typeof text !== 'string' || text === '' || text === '-') return null;
  return text.startsWith('-')
    ? { column: text.slice(1), direction: 'desc' }
    : { column: text, direction: 'asc' };
}

/** Whether all, some or none of the rows that may be chosen are chosen. */
export function selectionOf(ids: readonly string[], selected: ReadonlySet<string>): 'all' | 'some' | 'none' {
  const count = ids.filter((id) => selected.has(id)).length;
  if (count === 0) return 'none';
  return count === ids.length ? 'all' : 'some';
}

/** The rows that may be added to what is chosen now. */
export const choosableOf = <Row>(
  rows: readonly Row[],
  { canSelect, blocked }: Pick<GridSelection<Row>, 'canSelect' | 'blocked'>,
): readonly Row[] => rows.filter((row) => canSelect(row) && blocked?.(row) === undefined);

/**
 * What pressing the box in the head makes of the selection: all of its rows, or none of them when all are chosen.
 * @param ids of the rows the box stands for
 */
export function toggleAll(
  ids: readonly string[],
  { selected, all }: Pick<GridSelection<never>, 'selected' | 'all'>,
): ReadonlySet<string> {
  const mine = new Set(ids);
  const others = all === 'page' ? [...selected].filter((id) => !mine.has(id)) : [];
  return new Set(selectionOf(ids, selected) === 'all' ? others : [...others, ...ids]);
}
