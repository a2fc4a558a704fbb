import type { SortDirection } from '@counterfoil/domain/text/compare.ts';
import type { ReactNode } from 'react';

export type { SortDirection } from '@counterfoil/domain/text/compare.ts';

/** What a cell's raw value is; decides comparator, alignment and the default text. */
export type ColumnType = 'text' | 'number' | 'money' | 'date' | 'boolean';

/** A raw value: ISO day or instant for dates, a number in major units for money. */
export type CellValue = string | number | boolean | null | undefined;

/**
 * Where a cell stands when rows become cards (where the columns do not fit). `lead`: what it is, line 1 start. `figure`: how
 * much, line 1 end. `when`: line 2 start. `state`: status or button, line 2 end. `amount` and `kind`, instead of
 * `state`: a further figure, line 2 end, and a muted word, line 3 end. `rest`: further lines, small. `full`: a line of
 * its own. `none`: left out.
 */
export type CardSlot = 'lead' | 'figure' | 'when' | 'state' | 'amount' | 'kind' | 'rest' | 'full' | 'none';

export interface GridColumn<Row> {
  readonly id: string;
  readonly label: string;
  readonly type: ColumnType;
  /** The value sorted by, and shown unless `cell` draws something else. */
  readonly value: (row: Row) => CellValue;
  readonly cell?: (row: Row) => ReactNode;
  /**
   * What `cell` remembers beside its row, such as a download under way or an open menu. By default it starts again when
   * the row at its place changes. `kept`: it goes where its row goes, for which every row is moved or made again with
   * each sort and page. `none`: it remembers nothing, so what stands there shows the next row without being made again.
   */
  readonly cellState?: 'kept' | 'none';
  /** Default: figures (`number`, `money`) at the end, everything else at the start. */
  readonly align?: 'start' | 'end';
  /** Default: true. With server paging, list only what the server can sort by. */
  readonly sortable?: boolean;
  /** In rem: what it takes where there is room for it; never less than its content. Columns without one share what is left. */
  readonly width?: string;
  /** In rem, as a person chose it. */
  readonly chosenWidth?: number;
  /**
   * May be shortened by an ellipsis, with a title that gives it whole: descriptions, sites. Numbers, dates and amounts
   * never are. A figure: only texts of more characters are.
   */
  readonly shortens?: boolean | number;
  /** Left out of the table; cards still show it. */
  readonly hidden?: boolean;
  /** Holds only what is pressed: left out on paper. */
  readonly screenOnly?: boolean;
  /** 32 px before this column: after the last figure column. */
  readonly gap?: boolean;
  /** Default `rest`. May depend on the row: a settled invoice shows another amount than an open one. */
  readonly card?: CardSlot | ((row: Row) => CardSlot);
  /** Muted word before the value on a card ('Due 12.05.2026'). */
  readonly cardLabel?: string;
  /** Semibold, for the figure that matters. */
  readonly strong?: boolean | ((row: Row) => boolean);
  /** Muted, for a figure that says nothing (0.00). */
  readonly muted?: boolean | ((row: Row) => boolean);
}

export interface GridSort {
  readonly column: string;
  readonly direction: SortDirection;
}

/** Sort and page as the URL holds them. `sort` null: the order the rows came in. */
export interface GridState {
  readonly sort: GridSort | null;
  /** Counted from 1. */
  readonly page: number;
  /** Rows per page where it may be chosen. */
  readonly size?: number | undefined;
}

/** `client`: all rows are here. `server`: `rows` is the page, already sorted, of `total`. */
export type GridPaging =
  | { readonly mode: 'client'; readonly size: number }
  | {
      readonly mode: 'server';
      readonly size: number;
      readonly total: number;
      readonly sizes?: readonly number[];
    };

/** What stands on paper. By itself: all rows, up to some hundreds, in the order of the screen. */
export interface GridPaper<Row> {
  /** With `server` paging: the first rows of all that are chosen, once they were fetched; absent: the page shown. */
  readonly rows?: readonly Row[] | undefined;
  /** A sentence that says where the rows are that do not stand on paper. */
  readonly where?: string;
  /** Only the page shown: the list is one part of a summary. */
  readonly pageOnly?: boolean;
}

export interface GridSelection<Row> {
  readonly selected: ReadonlySet<string>;
  readonly onChange: (selected: ReadonlySet<string>) => void;
  /** Rows that cannot be chosen have no checkbox. */
  readonly canSelect: (row: Row) => boolean;
  /** 'Select INV-20431'. */
  readonly rowLabel: (row: Row) => string;
  /** 'Select all payable invoices'. */
  readonly allLabel: string;
  /** What the box in the head stands for: all rows (default), or those of the page shown; the others keep their state. */
  readonly all?: 'rows' | 'page';
  /** Why a row that can be chosen cannot be added to what is chosen; its box stays, and says so. */
  readonly blocked?: (row: Row) => string | undefined;
}

/** What a person has chosen of a grid, wherever it is kept. */
export interface GridPreference {
  /** As it was made by `choose`; undefined: nothing was chosen, or it could not be loaded. */
  readonly value: unknown;
  readonly isLoading: boolean;
  /** Null forgets the choice. */
  readonly choose: (change: (before: unknown) => unknown) => void;
}
