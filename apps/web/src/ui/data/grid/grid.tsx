import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { readerLocale } from '../../../text/catalogue.ts';
import { classNames } from '../../class-names.ts';
import { Button } from '../../fields/button.tsx';
import { EmptyState, SectionError } from '../../layout/section-state.tsx';
import { LoadingNote } from '../../layout/skeleton.tsx';
import { usePrinting } from '../../layout/use-printing.ts';
import { t } from '../record-messages.ts';
import { choiceToStore, chosenColumns, readChoice } from './column-choice.ts';
import { ColumnMenu } from './column-menu.tsx';
import styles from './grid.module.css';
import { GridHead, GridSortMenu, SortNews } from './grid-head.tsx';
import { type PaperPage, pageRows, paperRows, pressHeader } from './grid-model.ts';
import { roles } from './grid-roles.ts';
import type {
  GridColumn,
  GridPaging,
  GridPaper,
  GridPreference,
  GridSelection,
  GridState,
} from './grid-types.ts';
import { Pagination } from './pagination.tsx';
import { GridRow, SkeletonRows } from './rows/grid-row.tsx';
import { useRowKeys } from './rows/use-row-keys.ts';
import { useRowsInView } from './rows/use-rows-in-view.ts';
import { useColumnFit } from './use-column-fit.ts';
import { useLasting } from './use-lasting.ts';

/** Most pages are there by then. */
const DIM_AFTER_MS = 150;

export interface GridError {
  readonly requestId?: string | undefined;
  readonly retry: () => void;
  /** Why, in place of what the section error says by itself. */
  readonly message?: string | undefined;
}

export interface GridProps<Row> {
  /** The person's choice of columns and widths, where it is remembered; absent: nothing to choose. */
  readonly preference?: GridPreference | undefined;
  /** Name of the table for screen readers. */
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  /** `undefined`: still loading. */
  readonly rows: readonly Row[] | undefined;
  readonly rowId: (row: Row) => string;
  readonly state: GridState;
  readonly onState: (state: GridState) => void;
  readonly paging: GridPaging;
  readonly selection?: GridSelection<Row> | undefined;
  /** In the box above the head: the selection bar; on a phone it sticks to the bottom edge. */
  readonly toolbar?: ReactNode;
  /** 34 px rows of 13 px type, for usage. */
  readonly dense?: boolean;
  /** Loading failed: shown in place of rows. */
  readonly error?: GridError | undefined;
  /** Shown in place of rows when there are none: an `EmptyState` of level 2. */
  readonly empty?: ReactNode;
  /** A sum under the last row: its words, and the figure under the last column. */
  readonly foot?: { readonly label: string; readonly figure: string } | undefined;
  /** The rows are not what was asked for: they stand, dimmed, until that has come. */
  readonly stale?: boolean | undefined;
  readonly paper?: GridPaper<Row> | undefined;
  /** Rows of the skeleton while loading (default 10). */
  readonly expected?: number;
}

/**
 * The grid of every list: a real table with sortable header buttons, sticky head, figures in columns, paging,
 * and rows that become cards where its columns do not fit side by side. It draws what `state` says and reports what the person wants;
 * `useGridUrlState` keeps that state in the URL.
 */
export const Grid = <Row,>({ preference, ...props }: GridProps<Row>) =>
  preference === undefined ? <PlainGrid {...props} /> : <ChosenGrid {...props} preference={preference} />;

/** With the columns as the person likes them; the skeleton stands until it is known how that is. */
function ChosenGrid<Row>({
  preference: { value, isLoading, choose },
  ...props
}: GridProps<Row> & { readonly preference: GridPreference }) {
  const choice = useMemo(() => readChoice(value), [value]);
  const columns = useMemo(() => chosenColumns(props.columns, choice), [props.columns, choice]);
  return (
    <PlainGrid
      {...props}
      columns={columns}
      rows={isLoading ? undefined : props.rows}
      tools={(floors) => (
        <ColumnMenu
          columns={props.columns}
          choice={choice}
          floors={floors}
          disabled={isLoading}
          onChoose={(change) => choose((before) => choiceToStore(change(readChoice(before))))}
        />
      )}
    />
  );
}

interface PlainGridProps<Row> extends Omit<GridProps<Row>, 'preference'> {
  /** At the end above the table; not where there is nothing to show, and not over cards. */
  readonly tools?: (floors: Readonly<Record<string, number>>) => ReactNode;
}

function PlainGrid<Row>(props: PlainGridProps<Row>) {
  const { label, columns, rows, rowId, state, onState, paging, selection, toolbar, dense } = props;
  const { error, empty, paper } = props;
  const locale = readerLocale();
  const isPrinting = usePrinting();
  const page = useMemo(
    () => pageRows(rows ?? [], columns, state, paging, locale),
    [rows, columns, state, paging, locale],
  );
  const sheet = useMemo(
    () =>
      isPrinting ? paperRows({ page, rows: rows ?? [], columns, state, paging, paper }, locale) : undefined,
    [page, rows, columns, state, paging, locale, isPrinting, paper],
  );
  const view = sheet ?? page;
  const whole = useRef<HTMLDivElement>(null);
  const toggle = useToggle(selection);
  const { keyOf, hold } = useRowKeys(columns, view.rows.map(rowId));
  const body = useRef<HTMLTableSectionElement>(null);
  const isOtherTable = useIsOther(columns);
  const meant = view.rows.map((row) => {
    const id = rowId(row);
    return (
      <GridRow
        key={keyOf(id)}
        id={id}
        row={row}
        columns={columns}
        selectable={selection?.canSelect(row)}
        selectLabel={selection?.rowLabel(row)}
        blocked={selection?.blocked?.(row)}
        selected={selection?.selected.has(id) ?? false}
        onSelect={toggle}
        onHold={hold}
      />
    );
  });
  const { rows: drawn, lag } = useRowsInView(body, meant, isPrinting || isOtherTable);
  const isPart = lag === 'rows';
  const content = useMemo(() => rows && { rows: view.rows, isPart }, [rows, view.rows, isPart]);
  const fitted = useColumnFit(whole, columns, content);
  const fit = isPrinting ? undefined : fitted;
  const loading = rows === undefined && !error;
  const isPastEnd = !loading && view.total > 0 && view.rows.length === 0;
  const isWaiting = loading || props.stale === true;
  const isDimmed = useLasting(props.stale === true, DIM_AFTER_MS);
  const shownCount = columns.filter(({ hidden }) => hidden !== true).length;
  const head = { columns, sort: state.sort };
  return (
    <div ref={whole} className={styles.whole} data-grid data-cards={fit?.isCards || undefined}>
      <span className={styles.measure} aria-hidden="true">
        <span className={styles.probe} data-probe />
      </span>
      <SortNews {...head} waiting={isWaiting} />
      {props.tools && (
        <div className={styles.tools}>
          {!error && (loading || view.total > 0) && props.tools(fitted?.floors ?? {})}
        </div>
      )}
      {(loading || view.total > 1) && (
        <GridSortMenu {...head} onSort={(sort) => onState({ ...state, sort, page: 1 })} />
      )}
      <div
        className={classNames(styles.box, isDimmed && styles.stale)}
        aria-busy={isWaiting || lag !== 'none' || undefined}
      >
        {isWaiting && <LoadingNote />}
        {toolbar}
        <Scroller label={label} isWide={fit?.scrolls === true}>
          <table
            className={classNames(styles.grid, dense && styles.dense)}
            style={fit?.scrolls ? { minInlineSize: `${fit.least}px` } : undefined}
            {...roles.table}
            aria-label={label}
          >
            <GridHead
              {...head}
              widths={fit?.widths}
              rows={(selection?.all === 'page' ? view.rows : rows) ?? []}
              rowId={rowId}
              selection={selection}
              onPress={(column) => onState(pressHeader(state, column))}
            />
            {loading ? (
              <SkeletonRows
                columns={columns}
                count={props.expected ?? 10}
                selectable={selection !== undefined}
              />
            ) : (
              <tbody ref={body} {...roles.rowgroup}>
                {drawn}
              </tbody>
            )}
            {props.foot && !loading && view.total > 0 && (
              <tfoot {...roles.rowgroup}>
                <tr {...roles.row} className={classNames(styles.foot, columns.at(-1)?.hidden && styles.off)}>
                  <td {...roles.cell} colSpan={shownCount - 1 + (selection ? 1 : 0)}>
                    {props.foot.label}
                  </td>
                  <td {...roles.cell} className={styles.end}>
                    {props.foot.figure}
                  </td>
                </tr>
              </tfoot>
            )}
          </table>
        </Scroller>
        {error && (
          <SectionError level={2} requestId={error.requestId} onRetry={error.retry}>
            {error.message}
          </SectionError>
        )}
        {!error && !loading && view.total === 0 && (empty ?? <EmptyState level={2} />)}
        {!error && isPastEnd && (
          <PastEnd
            asked={state.page}
            last={view.page}
            onLast={() => onState({ ...state, page: view.page })}
          />
        )}
      </div>
      {sheet !== undefined && sheet.left > 0 && <LeftOut sheet={sheet} where={paper?.where} />}
      {!error && !loading && view.total > 0 && (
        <Pagination
          page={view.page}
          size={paging.size}
          total={view.total}
          onPage={(page) => onState({ ...state, page })}
          sizes={paging.mode === 'server' ? paging.sizes : undefined}
          onSize={(size) => onState({ ...state, size, page: 1 })}
        />
      )}
    </div>
  );
}

/** A sheet says itself what it does not hold. */
const LeftOut = <Row,>({
  sheet: { first, rows, total, left },
  where,
}: {
  readonly sheet: PaperPage<Row>;
  readonly where: string | undefined;
}) => (
  <p className={styles.leftOut}>
    {t('grid.leftOut', { from: first, to: first + rows.length - 1, total, left })} {where}
  </p>
);

/** An old link may name a page of the server that is no longer there. */
const PastEnd = (props: { readonly asked: number; readonly last: number; readonly onLast: () => void }) => (
  <EmptyState
    level={2}
    title={t('grid.pastEnd', { page: props.asked })}
    action={<Button onClick={props.onLast}>{t('grid.toLast', { page: props.last })}</Button>}
  >
    {t('grid.pastEndWhy', { page: props.last })}
  </EmptyState>
);

/** A box that scrolls sideways, by keyboard too. */
const Scroller = ({
  label,
  isWide,
  children,
}: {
  readonly label: string;
  readonly isWide: boolean;
  readonly children: ReactNode;
}) => (
  <div
    {...(isWide && { role: 'region', 'aria-label': label, tabIndex: 0 })}
    className={classNames(styles.place, isWide && styles.scroller)}
  >
    {children}
  </div>
);

/** Whether a value is another one than it was when this was drawn last. */
function useIsOther(value: unknown): boolean {
  const before = useRef(value);
  const isOther = before.current !== value;
  useLayoutEffect(() => {
    before.current = value;
  });
  return isOther;
}

/** A callback that stays the same over renders, so that choosing one row redraws one row. */
function useToggle<Row>(selection: GridSelection<Row> | undefined): (id: string, chosen: boolean) => void {
  const latest = useRef(selection);
  useLayoutEffect(() => {
    latest.current = selection;
  });
  return useCallback((id, chosen) => {
    const next = new Set(latest.current?.selected);
    if (chosen) next.add(id);
    else next.delete(id);
    latest.current?.onChange(next);
  }, []);
}
