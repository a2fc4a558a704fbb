import { unitOfLine } from '@counterfoil/domain/money/quantity.ts';
import { addRate, parseRate, type Rate, zeroRate } from '@counterfoil/domain/money/rate.ts';
import { dayText, isMetered, quantityText, storedRate } from '../../../letters/figures.ts';
import type { InvoiceLineRow } from '../invoice-row.ts';

/** What an invoice charges for, in the order of its paper. */
export const LINE_CLASSES = ['fixed', 'usage', 'adjustment'] as const;
export type LineClass = (typeof LINE_CLASSES)[number];

/** Units of what is charged by the calendar. */
export const CALENDAR_UNITS: ReadonlySet<string> = new Set(['MON', 'ANN', 'DAY', 'WEE']);

export const isUsage = (line: Pick<InvoiceLineRow, 'unit' | 'usage_records' | 'record_type'>): boolean =>
  isMetered(line.unit) ||
  (!CALENDAR_UNITS.has(line.unit) && (line.usage_records > 0 || line.record_type !== null));

export function classOf(line: InvoiceLineRow): LineClass {
  if (line.kind !== 'line') return 'adjustment';
  return isUsage(line) ? 'usage' : 'fixed';
}

/** As the line writes it, or what its usage counts one by one. */
export const unitFor = ({ unit, record_unit }: InvoiceLineRow): string =>
  unitOfLine(unit, record_unit) ?? unit;

export const periodOf = (line: InvoiceLineRow): string | undefined => {
  const [from, to] = [dayText(line.date_from), dayText(line.date_to)];
  return from === undefined || to === undefined ? undefined : `${from} – ${to}`;
};

/** What the lines of one product in one unit come to. */
export interface Service {
  readonly name: string;
  readonly unit: string;
  readonly of: LineClass;
  quantity: Rate;
  /** Minor units. */
  amount: bigint;
  lines: number;
}

/** What usage of an invoice asks of the lines that billed it. */
export type BilledLine = Pick<
  InvoiceLineRow,
  | 'id'
  | 'quantity'
  | 'unit'
  | 'amount_minor'
  | 'tax_minor'
  | 'usage_records'
  | 'record_type'
  | 'has_archived_usage'
>;

/** What the first page says of all lines of an invoice, gathered from one after another. */
export class LineFacts {
  count = 0;
  /** Some quantity has a unit beside it. */
  hasUnits = false;
  /** Some of what was billed are usage records, or were. */
  hasUsage = false;
  readonly services = new Map<string, Service>();
  /** Lines that billed usage. */
  readonly billed: BilledLine[] = [];
  /** Units that measure time or data, as these lines write them. */
  readonly meteredUnits = new Set<string>();
  private readonly periods = new Map<LineClass, string | null | undefined>();
  private readonly units = new Set<string>();

  constructor(lines: Iterable<InvoiceLineRow> = []) {
    for (const line of lines) this.add(line);
  }

  add(line: InvoiceLineRow): void {
    const of = classOf(line);
    const unit = unitFor(line);
    this.count += 1;
    this.addService(line, of, unit);
    this.addUnits(line, unit);
    const period = periodOf(line);
    if (!this.periods.has(of)) this.periods.set(of, period);
    else if (this.periods.get(of) !== period) this.periods.set(of, null);
    const isBilled = line.usage_records > 0 || line.has_archived_usage;
    this.hasUsage ||= isBilled;
    if (!isBilled && !isUsage(line)) return;
    const { id, quantity, amount_minor, tax_minor, usage_records, record_type, has_archived_usage } = line;
    this.billed.push({
      id,
      quantity,
      unit: line.unit,
      amount_minor,
      tax_minor,
      usage_records,
      record_type,
      has_archived_usage,
    });
  }

  /** The classes that there are, in their order. */
  get classes(): readonly LineClass[] {
    return LINE_CLASSES.filter((of) => this.periods.has(of));
  }

  /** The period of all lines of a class, where it is one. */
  period(of: LineClass): string | undefined {
    return this.periods.get(of) ?? undefined;
  }

  private addUnits(line: InvoiceLineRow, unit: string): void {
    if (isMetered(line.unit)) this.meteredUnits.add(line.unit);
    if (this.hasUnits || this.units.has(unit)) return;
    this.units.add(unit);
    this.hasUnits = quantityText(storedRate('2'), unit).unit !== '';
  }

  private addService(line: InvoiceLineRow, of: LineClass, unit: string): void {
    const key = JSON.stringify([of, line.product_name, unit]);
    let service = this.services.get(key);
    if (service === undefined) {
      service = { name: line.product_name, unit, of, quantity: zeroRate, amount: 0n, lines: 0 };
      this.services.set(key, service);
    }
    service.quantity = addRate(service.quantity, parseRate(line.quantity));
    service.amount += line.amount_minor;
    service.lines += 1;
  }
}
