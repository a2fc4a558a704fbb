import { useState } from 'react';
import { classNames } from '../../class-names.ts';
import { Checkbox } from '../../fields/checkbox.tsx';
import { Select } from '../../fields/select.tsx';
import { Icon } from '../../icon.tsx';
import { VisuallyHidden } from '../../visually-hidden.tsx';
import { t } from '../record-messages.ts';
import styles from './grid.module.css';
import { choosableOf, selectionOf, sortFromText, sortToText, toggleAll } from './grid-model.ts';
import { roles } from './grid-roles.ts';
import type { ColumnType, GridColumn, GridSelection, GridSort, SortDirection } from './grid-types.ts';

/** Whether a column's figures stand at the end. */
export const isAtEnd = <Row,>(column: GridColumn<Row>): boolean =>
  (column.align ?? (column.type === 'number' || column.type === 'money' ? 'end' : 'start')) === 'end';

interface GridHeadProps<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly sort: GridSort | null;
  readonly onPress: (column: string) => void;
  /** Those the box that chooses all stands for. */
  readonly rows: readonly Row[];
  readonly rowId: (row: Row) => string;
  readonly selection: GridSelection<Row> | undefined;
  /** Of the columns, in px; absent: not known yet. */
  readonly widths: readonly number[] | undefined;
}

/** Sortable headers; the arrow stands before the label in figure columns, so that label and figures share an edge. */
export function GridHead<Row>({
  columns,
  sort,
  onPress,
  rows,
  rowId,
  selection,
  widths,
}: GridHeadProps<Row>) {
  const choosable = selection ? choosableOf(rows, selection).map(rowId) : [];
  const chosen = selection ? selectionOf(choosable, selection.selected) : 'none';
  return (
    <>
      <colgroup>
        {selection && <col className={styles.selectColumn} />}
        {columns.map((column, at) => (
          <col
            key={column.id}
            className={column.hidden ? styles.off : undefined}
            style={widths && { inlineSize: `${widths[at]}px` }}
          />
        ))}
      </colgroup>
      <thead {...roles.rowgroup}>
        <tr {...roles.row}>
          {selection && (
            <th scope="col" {...roles.columnheader} className={styles.select}>
              {choosable.length === 0 ? (
                <VisuallyHidden>{selection.allLabel}</VisuallyHidden>
              ) : (
                <Checkbox
                  label={selection.allLabel}
                  checked={chosen === 'all'}
                  mixed={chosen === 'some'}
                  onChange={() => selection.onChange(toggleAll(choosable, selection))}
                />
              )}
            </th>
          )}
          {columns.map((column) => {
            const direction = sort?.column === column.id ? sort.direction : undefined;
            const sorted =
              direction === undefined ? 'none' : direction === 'asc' ? 'ascending' : 'descending';
            const sortable = column.sortable !== false;
            return (
              <th
                key={column.id}
                scope="col"
                {...roles.columnheader}
                data-column={column.id}
                aria-sort={sortable ? sorted : undefined}
                className={classNames(
                  isAtEnd(column) && styles.end,
                  column.gap && styles.gap,
                  column.hidden && styles.off,
                  column.screenOnly && styles.screenOnly,
                )}
              >
                {sortable ? (
                  <button type="button" onClick={() => onPress(column.id)}>
                    {column.label}
                    <Icon name={direction === 'asc' ? 'up' : 'down'} />
                  </button>
                ) : (
                  <span>{column.label}</span>
                )}
              </th>
            );
          })}
        </tr>
      </thead>
    </>
  );
}

interface GridSortMenuProps<Row> {
  readonly columns: readonly GridColumn<Row>[];
  readonly sort: GridSort | null;
  readonly onSort: (sort: GridSort) => void;
}

/** Cards have no head to press: the order is chosen here. */
export function GridSortMenu<Row>({ columns, sort, onSort }: GridSortMenuProps<Row>) {
  const sortable = columns.filter((column) => column.sortable !== false);
  if (sortable.length === 0) return null;
  return (
    <div className={styles.sortMenu}>
      <Select
        label={t('grid.sortBy')}
        filter
        value={sort ? sortToText(sort) : ''}
        onChange={(event) => {
          const chosen = sortFromText(event.currentTarget.value);
          if (chosen) onSort(chosen);
        }}
      >
        {sort === null && <option value="">{t('grid.unsorted')}</option>}
        {sortable.flatMap((column) =>
          (['asc', 'desc'] as const).map((direction) => (
            <option key={`${column.id}${direction}`} value={sortToText({ column: column.id, direction })}>
              {orderText(column, direction)}
            </option>
          )),
        )}
      </Select>
    </div>
  );
}

/** 'Date, newest first'. */
const orderText = <Row,>({ type, label }: GridColumn<Row>, direction: SortDirection): string =>
  t(`grid.${kindOf(type)}.${direction}`, { column: label });

const kindOf = (type: ColumnType): 'figure' | 'date' | 'text' =>
  type === 'number' || type === 'money' ? 'figure' : type === 'date' ? 'date' : 'text';

interface SortNewsProps<Row> extends Pick<GridSortMenuProps<Row>, 'columns' | 'sort'> {
  /** The rows are still in the old order. */
  readonly waiting: boolean;
}

/** Tells a screen reader in which order the rows stand now, once they do; not how they stood at first. */
export function SortNews<Row>({ columns, sort, waiting }: SortNewsProps<Row>) {
  const order = sort === null ? '' : sortToText(sort);
  const [last, setLast] = useState(order);
  const [hasChanged, setHasChanged] = useState(false);
  if (order !== last) {
    setLast(order);
    setHasChanged(true);
  }
  const column = columns.find(({ id }) => id === sort?.column);
  const text = column && sort && t('grid.sorted', { order: orderText(column, sort.direction) });
  return (
    <VisuallyHidden>
      <span aria-live="polite">{hasChanged && !waiting ? text : ''}</span>
    </VisuallyHidden>
  );
}
