import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { type ColumnFit, type ColumnNeed, fitColumns } from './column-fit.ts';
import type { GridColumn } from './grid-types.ts';

/** What the browser says of the grid, in px. */
interface Measured {
  readonly needs: readonly ColumnNeed[];
  /** Of the column of checkboxes. */
  readonly select: number;
  readonly place: number;
  readonly rem: number;
}

export interface FittedColumns extends ColumnFit {
  /** What each column needs at least, in rem. */
  readonly floors: Readonly<Record<string, number>>;
  /** Of the whole table, in px. */
  readonly least: number;
}

/**
 * How the columns fit the grid's own place, by what they hold, in the font that is there. Measured before the browser
 * paints: when the rows change, when the place does, and when the font or its size does.
 * @param whole the element around the grid; it holds the table and, for the font, an element `data-probe`
 * @param content changes whenever what the table shows does; undefined while it is on its way
 * @returns undefined until it is known, and where nothing is laid out
 */
export function useColumnFit<Row>(
  whole: RefObject<HTMLElement | null>,
  columns: readonly GridColumn<Row>[],
  content: unknown,
): FittedColumns | undefined {
  const [measured, setMeasured] = useState<Measured>();
  const before = useRef<{
    readonly columns: unknown;
    readonly content: unknown;
    readonly measured: Measured;
  }>(undefined);
  const look = useRef<(isNewFont: boolean) => void>(undefined);

  useLayoutEffect(() => {
    look.current = (isNewFont) => {
      const known = before.current;
      const isKnown = !isNewFont && known?.content !== undefined && known.columns === columns;
      if (isKnown && whole.current && fitsAsItStands(whole.current, columns)) return;
      const found = whole.current && measure(whole.current);
      if (!found) return;
      // Pages of one list are as wide as the widest of them so far: columns do not jump from page to page.
      const isSame = isKnown && known?.measured.rem === found.rem;
      const next = isSame ? widest(known.measured, found) : found;
      before.current = { columns, content, measured: next };
      setMeasured(next);
    };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is measured is what they draw
  useLayoutEffect(() => look.current?.(false), [columns, content]);

  useLayoutEffect(() => {
    const element = whole.current;
    const probe = element?.querySelector('[data-probe]');
    if (!element || !probe || typeof ResizeObserver === 'undefined') return undefined;
    let seen = 0;
    const observer = new ResizeObserver((entries) => {
      const isProbe = entries.some(({ target }) => target === probe);
      // The first report is of what the effect above has measured already.
      seen += 1;
      if (isProbe && seen > 1) look.current?.(true);
      else
        setMeasured((known) => {
          const place = element.clientWidth - 2;
          if (known === undefined || place <= 0) {
            queueMicrotask(() => look.current?.(true));
            return known;
          }
          return known.place === place ? known : { ...known, place };
        });
    });
    observer.observe(element);
    observer.observe(probe);
    return () => observer.disconnect();
  }, [whole]);

  if (measured === undefined || measured.needs.length !== columns.length) return undefined;
  const { needs, select, place, rem } = measured;
  const fit = fitColumns(columns, needs, place - select, rem);
  const floors = Object.fromEntries(columns.map(({ id }, at) => [id, (needs[at]?.least ?? 0) / rem]));
  return { ...fit, floors, least: Math.ceil(select + fit.widths.reduce((all, width) => all + width, 0)) };
}

const widest = (one: Measured, other: Measured): Measured => ({
  ...other,
  needs: other.needs.map((need, at) => ({
    least: Math.max(need.least, one.needs[at]?.least ?? 0),
    natural: Math.max(need.natural, one.needs[at]?.natural ?? 0),
  })),
});

/**
 * Whether other rows of the same columns need nothing new: cards stay cards, as widths only grow, and in the table no
 * text that must be read whole is wider than its cell. Spares most sorts and pages the measuring.
 */
function fitsAsItStands<Row>(whole: HTMLElement, columns: readonly GridColumn<Row>[]): boolean {
  if (whole.dataset['cards'] !== undefined) return true;
  const own = columns.flatMap(({ hidden, shortens }, at) => (hidden || shortens ? [] : [at]));
  for (const row of whole.querySelectorAll('tbody tr')) {
    const { children } = row;
    const first = children.length - columns.length;
    if (first < 0) continue;
    if (own.some((at) => isCut(children[first + at]))) return false;
  }
  return true;
}

const isCut = (cell: Element | undefined): boolean =>
  cell !== undefined && cell.scrollWidth > cell.clientWidth;

/** Lays the table out twice, as narrow and as wide as its content goes, and leaves it as it was. */
function measure(whole: HTMLElement): Measured | undefined {
  const table = whole.querySelector('table');
  // Its own edge is two of them.
  const place = whole.clientWidth - 2;
  if (!table || place <= 0) return undefined;
  const heads = [...table.querySelectorAll('thead th')];
  // What the last measuring gave them must not speak in this one.
  const given = [table, ...table.querySelectorAll('col')].map(({ style }) => {
    const { inlineSize, minInlineSize } = style;
    Object.assign(style, { inlineSize: '', minInlineSize: '' });
    return () => Object.assign(style, { inlineSize, minInlineSize });
  });
  const widths = (way: 'least' | 'natural') => {
    table.dataset['measure'] = way;
    return heads.map((head) => Math.ceil(head.getBoundingClientRect().width));
  };
  const { cards } = whole.dataset;
  // The page must not become shorter meanwhile, or it would scroll.
  whole.style.blockSize = `${whole.offsetHeight}px`;
  delete whole.dataset['cards'];
  const least = widths('least');
  const natural = widths('natural');
  delete table.dataset['measure'];
  if (cards !== undefined) whole.dataset['cards'] = cards;
  whole.style.blockSize = '';
  for (const release of given) release();
  const own = heads.flatMap((head, at) => (head.hasAttribute('data-column') ? [at] : []));
  return {
    needs: own.map((at) => ({
      least: least[at] ?? 0,
      natural: Math.max(natural[at] ?? 0, least[at] ?? 0),
    })),
    select: own.length < heads.length ? (least[0] ?? 0) : 0,
    place,
    rem: Number.parseFloat(getComputedStyle(document.documentElement).fontSize),
  };
}
