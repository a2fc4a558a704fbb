import { type CSSProperties, Fragment, memo, type ReactNode } from 'react';
import { formatDay, formatMoney, formatNumber } from '../../../../text/format.ts';
import { classNames } from '../../../class-names.ts';
import { Checkbox } from '../../../fields/checkbox.tsx';
import { Skeleton } from '../../../layout/skeleton.tsx';
import { t } from '../../record-messages.ts';
import styles from '../grid.module.css';
import { isAtEnd } from '../grid-head.tsx';
import { roles } from '../grid-roles.ts';
import type { GridColumn } from '../grid-types.ts';

interface GridRowProps<Row> {
  readonly id: string;
  readonly row: Row;
  readonly columns: readonly GridColumn<Row>[];
  /** `undefined`: the grid has no selection column. `false`: this row has no checkbox. */
  readonly selectable: boolean | undefined;
  readonly selectLabel: string | undefined;
  /** Why the row cannot be added now. */
  readonly blocked: string | undefined;
  readonly selected: boolean;
  readonly onSelect: (id: string, chosen: boolean) => void;
  /** Something in it was pressed or has the focus. */
  readonly onHold: (id: string) => void;
}

function PlainGridRow<Row>(props: GridRowProps<Row>) {
  const { id, row, columns, selectable, selectLabel, blocked, selected, onSelect, onHold } = props;
  return (
    <tr
      {...roles.row}
      aria-selected={selectable ? selected : undefined}
      onFocus={() => onHold(id)}
      // Not every browser gives the focus to what is pressed.
      onPointerDown={() => onHold(id)}
    >
      {selectable !== undefined && (
        <td {...roles.cell} className={styles.select}>
          {selectable && (
            <Checkbox
              label={selectLabel ?? t('grid.selectRow', { name: id })}
              checked={selected}
              blocked={blocked}
              onChange={(chosen) => onSelect(id, chosen)}
            />
          )}
        </td>
      )}
      {columns.map((column) => (
        <GridCell key={column.id} column={column} id={id} row={row} />
      ))}
    </tr>
  );
}

/** A row draws again only when its own data, the columns or its selection change. */
export const GridRow = memo(PlainGridRow) as typeof PlainGridRow;

const isTelephone = (text: string): boolean => /^[+\d][\d ().-]{4,}$/.test(text);

/** A text of more characters, where it may not be shortened, goes on in the next line. */
const LONG = 36;

interface GridCellProps<Row> {
  readonly column: GridColumn<Row>;
  /** Of the row. */
  readonly id: string;
  readonly row: Row;
}

function GridCell<Row>({ column, id, row }: GridCellProps<Row>) {
  const slot = (typeof column.card === 'function' ? column.card(row) : column.card) ?? 'rest';
  const strong = typeof column.strong === 'function' ? column.strong(row) : column.strong;
  const muted = typeof column.muted === 'function' ? column.muted(row) : column.muted;
  const text = column.type === 'text' ? String(column.value(row) ?? '') : '';
  const isShort =
    column.shortens === true || text.length > Number(column.shortens || Number.POSITIVE_INFINITY);
  return (
    <td
      {...roles.cell}
      // A name is shortened at its own end, whatever script it is in.
      dir={column.type === 'text' ? 'auto' : undefined}
      title={isShort && text !== '' ? text : undefined}
      className={classNames(
        isAtEnd(column) && styles.end,
        column.gap && styles.gap,
        column.hidden && styles.off,
        column.screenOnly && styles.screenOnly,
        strong && styles.strong,
        muted && styles.muted,
        isShort ? styles.short : text.length > LONG && styles.long,
        isTelephone(text) && styles.unbroken,
        styles[slot],
      )}
    >
      {/* Its words say nothing of the direction of what follows. */}
      {column.cardLabel && <bdi className={styles.cardLabel}>{column.cardLabel} </bdi>}
      {column.cell ? ownCell(column, id, row) : defaultText(column, row)}
    </td>
  );
}

/** What a column draws itself; its state ends with its row, though the table row goes on with another. */
function ownCell<Row>({ cell, cellState }: GridColumn<Row>, id: string, row: Row): ReactNode {
  const content = cell?.(row);
  const isPlain = cellState === 'none' || typeof content !== 'object';
  return isPlain ? content : <Fragment key={id}>{content}</Fragment>;
}

function defaultText<Row>(column: GridColumn<Row>, row: Row): ReactNode {
  const value = column.value(row);
  if (value === null || value === undefined || value === '') return '-';
  if (column.type === 'boolean') return t(value ? 'grid.yes' : 'grid.no');
  if (column.type === 'date') return <time dateTime={String(value)}>{formatDay(String(value))}</time>;
  if (typeof value === 'number') return column.type === 'money' ? formatMoney(value) : formatNumber(value);
  return String(value);
}

/** Widths that differ from row to row, so that the skeleton reads as text. */
const shares = ['62%', '48%', '55%', '70%', '44%'];

interface SkeletonRowsProps<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly count: number;
  readonly selectable: boolean;
}

/** Rows of the size that comes; invisible for the first 150 ms, and hidden from screen readers. */
export function SkeletonRows<Row>({ columns, count, selectable }: SkeletonRowsProps<Row>) {
  const lines = Array.from({ length: count }, (_, line) => line);
  return (
    <tbody {...roles.rowgroup} aria-hidden="true">
      {lines.map((line) => (
        <tr key={line} {...roles.row}>
          {selectable && <td {...roles.cell} className={styles.select} />}
          {columns.map((column, index) => (
            <SkeletonCell key={column.id} column={column} share={(line + index) % shares.length} />
          ))}
        </tr>
      ))}
    </tbody>
  );
}

/** What a column is likely to need, so that cards and tables wait as they come. */
const likelyWidth = <Row,>({ type, card, shortens, width }: GridColumn<Row>): string =>
  type === 'number' ? '3rem' : card === 'state' && !shortens ? (width ?? '6rem') : '5.5rem';

function SkeletonCell<Row>({ column, share }: { readonly column: GridColumn<Row>; readonly share: number }) {
  const end = isAtEnd(column);
  const slot = typeof column.card === 'function' ? (end ? 'figure' : 'when') : (column.card ?? 'rest');
  return (
    <td
      {...roles.cell}
      className={classNames(
        end && styles.end,
        column.gap && styles.gap,
        column.hidden && styles.off,
        styles[slot],
        styles.waiting,
      )}
    >
      <span className={styles.likely} style={{ '--likely': likelyWidth(column) } as CSSProperties}>
        <Skeleton width={end ? '4.5rem' : (shares[share] ?? '50%')} />
      </span>
    </td>
  );
}
