import { setImmediate as turn } from 'node:timers/promises';
import { unitOfLine } from '@counterfoil/domain/money/quantity.ts';
import { addRate, parseRate, type Rate } from '@counterfoil/domain/money/rate.ts';
import { dayText, isMetered, priceText, quantityText, type Show, storedRate } from '../../letters/figures.ts';
import { chargeColumns } from '../../pdf/letter/charge-columns.ts';
import type { TableBlock, TableRow } from '../../pdf/letter/letter.ts';
import type { InvoiceLineRow } from './invoice-row.ts';

/** How amounts of one invoice are written. */
export interface Written {
  readonly show: Show;
  /** Before prices. */
  readonly sign: string;
  /** Cost centre of the whole invoice; not repeated on its lines. */
  readonly costCentre: string | null;
}

type Class = 'fixed' | 'usage' | 'adjustment';

const HEADS: Readonly<Record<Class, string>> = {
  fixed: 'Fixed charges',
  usage: 'Usage',
  adjustment: 'Discounts and surcharges',
};
const CLASSES = ['fixed', 'usage', 'adjustment'] as const;
/** Units of what is charged by the calendar. */
const CALENDAR = new Set(['MON', 'ANN', 'DAY', 'WEE']);
/** Services that stand on page 1 by name. */
const MOST_SERVICES = 9;
/** Headings of the summary, and what stands beside the services. */
const HEAD_ROWS = 4;
/** So many are written before others have their turn: some 10 ms. */
const AT_ONCE = 500;
/** Lines of an invoice that may be wrapped into two rows; used to guess how high they are. */
const WIDE = 46;

export const isUsage = (line: Pick<InvoiceLineRow, 'unit' | 'usage_records' | 'record_type'>): boolean =>
  isMetered(line.unit) || (!CALENDAR.has(line.unit) && (line.usage_records > 0 || line.record_type !== null));

function classOf(line: InvoiceLineRow): Class {
  if (line.kind !== 'line') return 'adjustment';
  return isUsage(line) ? 'usage' : 'fixed';
}

/** The body of page 1 above the subtotal, and the table of all charges where page 1 does not say everything. */
export interface Charges {
  readonly columns: TableBlock['columns'];
  readonly rows: readonly TableRow[];
  /** Page 1 is a summary: this says the rest. */
  readonly all: TableBlock | undefined;
}

/**
 * Few lines stand on page 1 as they are. Of many it is a summary by service, and all of them follow on page 2. Others have their
 * turn while thousands are written.
 * @param room rows of the grid that page 1 has for them
 */
export async function chargesOf(
  lines: readonly InvoiceLineRow[],
  written: Written,
  room: number,
): Promise<Charges> {
  const all = await allLines(lines, written);
  const rows = all.rows.reduce((sum, row) => sum + ((row.cells[0]?.length ?? 0) > WIDE ? 2 : 1), 0);
  if (rows <= room) return { columns: all.columns, rows: all.rows, all: undefined };
  return {
    columns: [
      { label: 'Service', grows: true },
      { label: 'Quantity', isFigure: true },
      { label: 'Unit', isMuted: true },
      { label: 'Amount', isFigure: true },
    ],
    rows: summaryRows(lines, written, Math.max(1, Math.min(MOST_SERVICES, room - HEAD_ROWS))),
    all: { kind: 'table', heading: 'All charges', ...all, startsPage: true, keep: 2 },
  };
}

async function allLines(
  lines: readonly InvoiceLineRow[],
  written: Written,
): Promise<Pick<TableBlock, 'columns' | 'rows'>> {
  const groups = CLASSES.map((of) => {
    const own = lines.filter((line) => classOf(line) === of);
    return { of, own, period: commonPeriod(own) };
  }).filter(({ own }) => own.length > 0);
  const hasHeads = groups.length > 1 || groups.some(({ period }) => period !== undefined);
  const rows: TableRow[] = [];
  for (const { of, own, period } of groups) {
    if (hasHeads) rows.push(headRow(of, period, chargeColumns.length));
    for (const line of own) {
      rows.push(lineRow(line, written, period));
      if (rows.length % AT_ONCE === 0) await turn();
    }
  }
  const unit = 2;
  if (rows.some((row) => row.cells[unit] !== '')) return { columns: chargeColumns, rows };
  return {
    columns: chargeColumns.toSpliced(unit, 1),
    rows: rows.map((row) => ({ ...row, cells: row.cells.toSpliced(unit, 1) })),
  };
}

function headRow(of: Class, period: string | undefined, columns: number): TableRow {
  return {
    kind: 'group',
    cells: [HEADS[of], ...Array.from({ length: columns - 1 }, () => '')],
    ...(period === undefined ? {} : { remark: period }),
  };
}

/** As the line writes it, or what its usage counts one by one. */
const unitFor = ({ unit, record_unit }: InvoiceLineRow): string => unitOfLine(unit, record_unit) ?? unit;

const periodOf = (line: InvoiceLineRow): string | undefined => {
  const [from, to] = [dayText(line.date_from), dayText(line.date_to)];
  return from === undefined || to === undefined ? undefined : `${from} – ${to}`;
};

/** The period of all of these lines, where it is one. */
function commonPeriod(lines: readonly InvoiceLineRow[]): string | undefined {
  const [first, ...others] = lines.map(periodOf);
  return others.every((period) => period === first) ? first : undefined;
}

function lineRow(line: InvoiceLineRow, { show, sign, costCentre }: Written, period?: string): TableRow {
  const own = periodOf(line);
  const base = parseRate(line.base_quantity);
  const quantity = quantityText(parseRate(line.quantity), unitFor(line));
  const product = [
    line.product_name,
    line.details.includes(line.service_item) ? '' : line.service_item,
    line.details,
    own === period ? '' : (own ?? ''),
    Number(base) === 1 ? '' : `per ${quantityText(base, '').text}`,
    line.cost_centre === costCentre ? '' : (line.cost_centre ?? ''),
  ];
  return {
    kind: 'line',
    cells: [
      product.filter(Boolean).join(', '),
      quantity.text,
      quantity.unit,
      priceText(parseRate(line.price), sign, isUsage(line)),
      show(line.amount_minor),
    ],
  };
}

interface Service {
  readonly name: string;
  readonly unit: string;
  readonly of: Class;
  quantity: Rate;
  amount: bigint;
  lines: number;
}

/** Lines of one product in one unit are one service; the greatest stand by name, the rest together. */
function summaryRows(lines: readonly InvoiceLineRow[], { show }: Written, most: number): TableRow[] {
  const services = new Map<string, Service>();
  for (const line of lines) {
    const of = classOf(line);
    const unit = unitFor(line);
    const key = JSON.stringify([of, line.product_name, unit]);
    const before = services.get(key) ?? {
      name: line.product_name,
      unit,
      of,
      quantity: storedRate('0'),
      amount: 0n,
      lines: 0,
    };
    before.quantity = addRate(before.quantity, parseRate(line.quantity));
    before.amount += line.amount_minor;
    before.lines += 1;
    services.set(key, before);
  }
  const all = [...services.values()];
  const adjustments = all.filter(({ of }) => of === 'adjustment');
  const others = all.filter(({ of }) => of !== 'adjustment');
  const size = (minor: bigint): bigint => (minor < 0n ? -minor : minor);
  const greatest = others.toSorted((a, b) => Number(size(b.amount) - size(a.amount)));
  const named = new Set(greatest.slice(0, others.length <= most ? most : Math.max(0, most - 1)));
  const rest = others.filter((service) => !named.has(service));
  return [
    ...(['fixed', 'usage'] as const).flatMap((of) => {
      const own = others.filter((service) => service.of === of && named.has(service));
      if (own.length === 0) return [];
      const ofClass = lines.filter((line) => classOf(line) === of);
      return [headRow(of, commonPeriod(ofClass), 4), ...own.map((one) => serviceRow(one, show))];
    }),
    ...(rest.length === 0 ? [] : [restRow(rest, show)]),
    ...adjustments.map((one) => serviceRow(one, show)),
  ];
}

function serviceRow({ name, unit, quantity, amount, lines, of }: Service, show: Show): TableRow {
  const { text, unit: label } = quantityText(quantity, unit);
  // Without a unit of its own, a quantity says little about charges of different things.
  const remark = lines > 1 ? { remark: `${lines} lines` } : {};
  const shown = of === 'adjustment' ? ['', ''] : [text, label];
  return { kind: 'line', cells: [name, ...shown, show(amount)], ...remark };
}

function restRow(rest: readonly Service[], show: Show): TableRow {
  const amount = rest.reduce((sum, service) => sum + service.amount, 0n);
  return { kind: 'line', cells: [`Other services (${rest.length}), see page 2`, '', '', show(amount)] };
}
