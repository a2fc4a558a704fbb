/**
 * How a column is written.
 * - `text`: as it is
 * - `number`: a quantity or count, with the digits it has
 * - `money`: an exact decimal; the currency stands in a column of its own, or above the table
 * - `day`: 'YYYY-MM-DD'
 * - `moment`: a point in time, shown in UTC
 */
export type ColumnKind = 'text' | 'number' | 'money' | 'day' | 'moment';

export interface TableColumn {
  readonly label: string;
  readonly kind: ColumnKind;
}

/** Decimals are text, so that no digit is lost. Null is an empty cell. */
export type Cell = string | number | Date | null;
export type TableRow = readonly Cell[];
export type Labelled = readonly [label: string, value: string];

/** What stands above the rows of a table. */
export interface TableHead {
  readonly title: string;
  /** The provider's name. */
  readonly company: string;
  readonly customer: string;
  /** What was asked for, as label and value. */
  readonly asked: readonly Labelled[];
  readonly columns: readonly TableColumn[];
  readonly madeAt: Date;
}
