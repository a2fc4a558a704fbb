import { setImmediate as turn } from 'node:timers/promises';
import { parseRate } from '@counterfoil/domain/money/rate.ts';
import { priceText, quantityText, type Show } from '../../../letters/figures.ts';
import { chargeColumns } from '../../../pdf/letter/charge-columns.ts';
import type { ComingTableBlock, TableBlock, TableRow } from '../../../pdf/letter/letter.ts';
import type { InvoiceLineRow } from '../invoice-row.ts';
import {
  classOf,
  isUsage,
  LINE_CLASSES,
  type LineClass,
  LineFacts,
  periodOf,
  type Service,
  unitFor,
} from './line-facts.ts';

/** How amounts of one invoice are written. */
export interface Written {
  readonly show: Show;
  /** Before prices. */
  readonly sign: string;
  /** Of prices that are not those of usage, at least. */
  readonly decimals: number;
  /** Cost centre of the whole invoice; not repeated on its lines. */
  readonly costCentre: string | null;
}

const HEADS: Readonly<Record<LineClass, string>> = {
  fixed: 'Fixed charges',
  usage: 'Usage',
  adjustment: 'Discounts and surcharges',
};
/** Services that stand on page 1 by name. */
const MOST_SERVICES = 9;
/** Headings of the summary, and what stands beside the services. */
const HEAD_ROWS = 4;
/** So many are written before others have their turn: some 5 ms. */
const AT_ONCE = 250;
/** Lines of an invoice that may be wrapped into two rows; used to guess how high they are. */
const WIDE = 46;
/** Where the unit stands among the columns. */
const UNIT = 2;
/** Different shapes of figures: more are all as wide as one of these. */
const MOST_SAMPLES = 2_000;

/** The body of page 1 above the subtotal, and the table of all charges where page 1 does not say everything. */
export interface Charges {
  readonly columns: TableBlock['columns'];
  readonly rows: readonly TableRow[];
  /** Page 1 is a summary: this says the rest. */
  readonly all: TableBlock | ComingTableBlock | undefined;
}

/** @param room rows of the grid that page 1 has for them */
export type ChargesOn = (written: Written, room: number) => Promise<Charges>;

/**
 * Few lines stand on page 1 as they are. Of many it is a summary by service, and all of them follow on page 2. Others have their
 * turn while hundreds are written.
 */
export const chargesOf =
  (lines: readonly InvoiceLineRow[], facts: LineFacts = new LineFacts(lines)): ChargesOn =>
  async (written, room) => {
    const ordered = LINE_CLASSES.flatMap((of) => lines.filter((line) => classOf(line) === of));
    const rows: TableRow[] = [];
    for await (const some of chargeRows(ordered, facts, written)) rows.push(...some);
    const height = rows.reduce((sum, row) => sum + ((row.cells[0]?.length ?? 0) > WIDE ? 2 : 1), 0);
    const columns = columnsOf(facts);
    if (height <= room) return { columns, rows, all: undefined };
    return { ...summaryOf(facts, written, room), all: { kind: 'table', ...allCharges, columns, rows } };
  };

/** The same of thousands: page 1 is a summary, and the rows come by {@link chargeRows}. */
export const manyCharges =
  (facts: LineFacts, widest: WidestRows): ChargesOn =>
  (written, room) =>
    Promise.resolve({
      ...summaryOf(facts, written, room),
      all: {
        kind: 'comingTable',
        ...allCharges,
        columns: columnsOf(facts),
        count: facts.count + (hasHeads(facts) ? facts.classes.length : 0),
        samples: widest.rows(),
      },
    });

const allCharges = { heading: 'All charges', startsPage: true, keep: 2 } as const;

const columnsOf = ({ hasUnits }: LineFacts): TableBlock['columns'] =>
  hasUnits ? chargeColumns : chargeColumns.toSpliced(UNIT, 1);

const hasHeads = (facts: LineFacts): boolean =>
  facts.classes.length > 1 || facts.classes.some((of) => facts.period(of) !== undefined);

/**
 * Lines as rows below the headings of their classes, some hundreds at a time.
 * @param lines class by class
 */
export async function* chargeRows(
  lines: AsyncIterable<InvoiceLineRow> | Iterable<InvoiceLineRow>,
  facts: LineFacts,
  written: Written,
): AsyncIterable<readonly TableRow[]> {
  const withHeads = hasHeads(facts);
  const columns = columnsOf(facts).length;
  let rows: TableRow[] = [];
  let before: LineClass | undefined;
  for await (const line of lines) {
    const of = classOf(line);
    const period = facts.period(of);
    if (withHeads && of !== before) rows.push(headRow(of, period, columns));
    before = of;
    rows.push(lineRow(line, facts, written, period));
    if (rows.length < AT_ONCE) continue;
    yield rows;
    rows = [];
    await turn();
  }
  if (rows.length > 0) yield rows;
}

/** Lines that are as wide as the widest, found without a look at any font: all digits are of one width. */
export class WidestRows {
  private readonly samples: string[][] = [];
  private readonly shapes = new Set<string>();
  private readonly facts: LineFacts;
  private readonly written: Written;

  constructor(facts: LineFacts, written: Written) {
    this.facts = facts;
    this.written = written;
  }

  add(line: InvoiceLineRow): void {
    if (this.samples.length === MOST_SAMPLES) return;
    const figures = figureCells(line, this.written);
    let isNew = false;
    for (const [at, cell] of figures.entries()) {
      const shape = `${at}${cell.replace(/\d/g, '0')}`;
      isNew ||= !this.shapes.has(shape);
      this.shapes.add(shape);
    }
    if (isNew) this.samples.push([line.product_name, ...figures]);
  }

  /** Once all lines are there. */
  rows(): readonly TableRow[] {
    const { hasUnits } = this.facts;
    return this.samples.map((cells) => ({
      kind: 'line',
      cells: hasUnits ? cells : cells.toSpliced(UNIT, 1),
    }));
  }
}

function headRow(of: LineClass, period: string | undefined, columns: number): TableRow {
  return {
    kind: 'group',
    cells: [HEADS[of], ...Array.from({ length: columns - 1 }, () => '')],
    ...(period === undefined ? {} : { remark: period }),
  };
}

/** Quantity, unit, price, amount. */
function figureCells(line: InvoiceLineRow, { show, sign, decimals }: Written): string[] {
  const quantity = quantityText(parseRate(line.quantity), unitFor(line));
  return [
    quantity.text,
    quantity.unit,
    priceText(parseRate(line.price), sign, isUsage(line) ? undefined : decimals),
    show(line.amount_minor),
  ];
}

function lineRow(line: InvoiceLineRow, { hasUnits }: LineFacts, written: Written, period?: string): TableRow {
  const own = periodOf(line);
  const base = parseRate(line.base_quantity);
  const product = [
    line.product_name,
    line.details.includes(line.service_item) ? '' : line.service_item,
    line.details,
    own === period ? '' : (own ?? ''),
    Number(base) === 1 ? '' : `per ${quantityText(base, '').text}`,
    line.cost_centre === written.costCentre ? '' : (line.cost_centre ?? ''),
  ];
  const cells = [product.filter(Boolean).join(', '), ...figureCells(line, written)];
  return { kind: 'line', cells: hasUnits ? cells : cells.toSpliced(UNIT, 1) };
}

function summaryOf(facts: LineFacts, written: Written, room: number): Omit<Charges, 'all'> {
  return {
    columns: [
      { label: 'Service', grows: true },
      { label: 'Quantity', isFigure: true },
      { label: 'Unit', isMuted: true },
      { label: 'Amount', isFigure: true },
    ],
    rows: summaryRows(facts, written, Math.max(1, Math.min(MOST_SERVICES, room - HEAD_ROWS))),
  };
}

/** Lines of one product in one unit are one service; the greatest stand by name, the rest together. */
function summaryRows(facts: LineFacts, { show }: Written, most: number): TableRow[] {
  const all = [...facts.services.values()];
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
      return [headRow(of, facts.period(of), 4), ...own.map((one) => serviceRow(one, show))];
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
