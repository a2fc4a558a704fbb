import type { SetText } from '../../../../pdf/text/set-text.ts';
import { figureWidth } from '../../../../pdf/text/text-setter.ts';
import type { InvoiceDocumentLine } from '../document.ts';
import type { Sheet } from './sheet.ts';
import { bold, boldFigures, figures, page, size, text } from './theme.ts';

export interface Column {
  readonly key: 'product' | 'details' | 'quantity' | 'price' | 'amount';
  readonly label: string;
  /** Left edge of a text column, right edge of a figure column, in points. */
  readonly edge: number;
  readonly width: number;
  readonly isFigure: boolean;
}

export interface Row {
  /** By column key; wrapped to the column's width. */
  readonly cells: Readonly<Record<Column['key'], readonly SetText[]>>;
  /** Distance by which the price stands left of its edge, so that decimal marks align. */
  readonly priceShift: number;
  readonly lineCount: number;
}

const inset = 8;
const gap = 14;
const widestFigure = 110;
const styles = { product: text, details: figures, quantity: figures, price: figures, amount: boldFigures };

/** Widths follow the content: figure columns are as wide as their widest figure, the texts share the rest. */
export function layOutLines(sheet: Sheet): {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
} {
  const { doc, labels, set } = sheet;
  const texts = doc.lines.map((line) => cellTexts(line, doc.period));
  const single = texts.map((cells) => ({
    product: set.line(cells.product, styles.product),
    details: set.line(cells.details, styles.details),
    quantity: set.line(cells.quantity, styles.quantity),
    price: set.line(cells.price, styles.price),
    amount: set.line(cells.amount, styles.amount),
  }));
  const points = (key: Column['key']): number =>
    single.reduce((widest, cells) => Math.max(widest, (cells[key].width * size.cell) / 1000), 0);
  const mark = doc.decimalMark ?? '.';
  const shifts = priceShifts(
    texts.map((cells) => cells.price),
    mark,
    (set.line(mark, figures).width * size.cell) / 1000,
  );
  const columns: Column[] = [];
  let right = page.right - inset;
  for (const key of ['amount', 'price', 'quantity'] as const) {
    const widest = points(key) + (key === 'price' ? Math.max(0, ...shifts) : 0);
    if (widest === 0 && key !== 'amount') continue;
    const heading = (set.line(labels[key], bold).width * size.small) / 1000;
    const width = Math.min(widestFigure, Math.max(widest, heading));
    columns.unshift({ key, label: labels[key], edge: right, width, isFigure: true });
    right -= width + gap;
  }
  const left = page.left + inset;
  const available = right - left;
  const details = points('details');
  const product = details === 0 ? available : shareForProduct(points('product'), details, available - gap);
  if (details > 0) {
    const edge = left + product + gap;
    columns.unshift({ key: 'details', label: labels.details, edge, width: right - edge, isFigure: false });
  }
  columns.unshift({ key: 'product', label: labels.product, edge: left, width: product, isFigure: false });
  const widthOf = new Map(columns.map((column) => [column.key, column.width]));
  const rows = single.map((cells, index) => {
    const fitted = (key: Column['key']): readonly SetText[] => {
      const width = ((widthOf.get(key) ?? 0) * 1000) / size.cell + 0.5;
      const isLong = cells[key].width > width || /[\r\n]/.test(texts[index]?.[key] ?? '');
      return isLong ? set.wrap(texts[index]?.[key] ?? '', styles[key], width) : [cells[key]];
    };
    const priceShift = (shifts[index] ?? 0) + points('price') <= widestFigure ? (shifts[index] ?? 0) : 0;
    const wrapped = {
      product: fitted('product'),
      details: fitted('details'),
      quantity: fitted('quantity'),
      price: fitted('price'),
      amount: fitted('amount'),
    };
    const lineCount = Object.values(wrapped).reduce((most, lines) => Math.max(most, lines.length), 1);
    return { cells: wrapped, priceShift, lineCount };
  });
  return { columns, rows };
}

/** Width of the product column beside the details: what both need, or else in proportion to it. */
function shareForProduct(product: number, details: number, available: number): number {
  if (product + details <= available) return product + (available - product - details) / 3;
  return available * Math.min(0.62, Math.max(0.34, product / (product + details)));
}

function cellTexts(line: InvoiceDocumentLine, period: string | undefined): Record<Column['key'], string> {
  const details = [
    line.details,
    line.serviceItem,
    line.period === period ? undefined : line.period,
    line.costCentre,
  ].filter((part) => part !== undefined && part !== '');
  return {
    product: line.description,
    details: details.join(', '),
    quantity: line.quantity ?? '',
    price: line.unitPrice ?? '',
    amount: line.amount,
  };
}

/**
 * How far each price moves left so that the decimal marks of 32.50 and 0.0125 stand below each other.
 * @param markWidth in points
 */
function priceShifts(prices: readonly string[], mark: '.' | ',', markWidth: number): readonly number[] {
  const pattern = mark === '.' ? /\.(\d{1,8})$/ : /,(\d{1,8})$/;
  const figure = (figureWidth(figures) * size.cell) / 1000;
  const widths = prices.map((price) => {
    const digits = pattern.exec(price)?.[1]?.length ?? 0;
    return digits === 0 ? 0 : digits * figure + markWidth;
  });
  const widest = Math.max(0, ...widths);
  return prices.map((price, index) => (/\d$/.test(price) ? widest - (widths[index] ?? 0) : 0));
}
