import { dayOfUtcMs, formatDay, isDay } from '@counterfoil/domain/time/day.ts';
import type { SetText, TextStyle } from '../text/set-text.ts';
import type { TextSetter } from '../text/text-setter.ts';
import type { Cell, ColumnKind, TableColumn, TableRow } from './table-document.ts';

export const words: TextStyle = { weight: 400, tabular: false };
export const boldWords: TextStyle = { weight: 600, tabular: false };
export const figures: TextStyle = { weight: 400, tabular: true };

export const sheet = {
  width: 841.89,
  height: 595.28,
  left: 36,
  right: 805.89,
  top: 58,
  bottom: 556,
} as const;

/** Between two columns, points. */
const gutter = 8;
/** No column takes more while others want for room. */
const widest = 220;
const narrowest = 26;
const widestFigure = 110;
/** Many columns are set smaller. */
const manyColumns = 11;

export interface PlacedColumn {
  readonly label: readonly SetText[];
  readonly kind: ColumnKind;
  readonly isFigure: boolean;
  readonly style: TextStyle;
  readonly left: number;
  readonly right: number;
}

export interface TableColumns {
  readonly columns: readonly PlacedColumn[];
  readonly size: number;
  readonly leading: number;
}

const isFigure = (kind: ColumnKind): boolean => kind === 'number' || kind === 'money';
const styleOf = (kind: ColumnKind): TextStyle => (kind === 'text' ? words : figures);

/** '03.01.2026 12:34:56', UTC. */
export const printedMoment = (moment: Date): string =>
  `${formatDay(dayOfUtcMs(moment.getTime()))} ${moment.toISOString().slice(11, 19)}`;

/** A cell as it is printed: days as on every screen, figures with their thousands apart. */
export function cellText(kind: ColumnKind, cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof Date) return printedMoment(cell);
  const text = String(cell);
  if (kind === 'day' && isDay(text)) return formatDay(text);
  if (kind !== 'number' && kind !== 'money') return text;
  const [whole = '', fraction = ''] = text.split('.');
  const digits = kind === 'number' ? fraction.replace(/0+$/, '') : fraction;
  return whole.replace(/\B(?=(\d{3})+$)/g, ',') + (digits === '' ? '' : `.${digits}`);
}

/** Shares the width of the page out among the columns, by what the first rows hold. */
export function layOutColumns(
  set: TextSetter,
  columns: readonly TableColumn[],
  sample: readonly TableRow[],
): TableColumns {
  const size = columns.length >= manyColumns ? 6.5 : 8.5;
  const points = (text: string, style: TextStyle): number => (set.line(text, style).width * size) / 1000;
  const wanted = columns.map(({ label, kind }, index) => {
    const cells = sample.map((row) => points(cellText(kind, row[index] ?? null), styleOf(kind)));
    const longestWord = Math.max(...label.split(' ').map((word) => points(word, boldWords)));
    return (
      Math.max(
        narrowest,
        longestWord,
        Math.min(kind === 'text' ? widest : widestFigure, Math.max(0, ...cells)),
      ) + 1
    );
  });
  const room = sheet.right - sheet.left - gutter * (columns.length - 1);
  const widths = share(
    wanted,
    columns.map(({ kind }) => kind === 'text'),
    room,
  );
  let left: number = sheet.left;
  const placed = columns.map(({ label, kind }, index): PlacedColumn => {
    const width = widths[index] ?? 0;
    const column = {
      kind,
      isFigure: isFigure(kind),
      style: styleOf(kind),
      left,
      right: left + width,
      label: set.wrap(label, boldWords, (width * 1000) / size),
    };
    left += width + gutter;
    return column;
  });
  return { columns: placed, size, leading: size * 1.3 };
}

/** Text columns give what is missing and take what is left over; without any, all of them do. */
function share(wanted: readonly number[], isText: readonly boolean[], room: number): readonly number[] {
  const bends = isText.includes(true) ? isText : isText.map(() => true);
  const sum = (of: readonly boolean[]) =>
    wanted.reduce((all, width, i) => all + (of[i] === true ? width : 0), 0);
  const stiff = sum(bends.map((bend) => !bend));
  const factor = Math.max(0, room - stiff) / sum(bends);
  const widths = wanted.map((width, i) => (bends[i] === true ? Math.max(narrowest, width * factor) : width));
  const total = widths.reduce((all, width) => all + width, 0);
  return total <= room + 0.01 ? widths : widths.map((width) => (width * room) / total);
}
