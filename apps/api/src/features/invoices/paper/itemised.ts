import { addRate, type Rate, zeroRate } from '@counterfoil/domain/money/rate.ts';
import { formatDay } from '@counterfoil/domain/time/day.ts';
import { clockIn, zonesInFull } from '@counterfoil/domain/time/time-zone.ts';
import { isTime, priceText, quantityText, storedRate } from '../../../letters/figures.ts';
import type { Block, RecordCells, RecordPart, RecordsBlock, TableRow } from '../../../pdf/letter/letter.ts';
import type { LineUsageRow } from '../invoice-row.ts';
import type { BilledNumberRow, BilledRecordRow } from '../queries.ts';
import { type BilledLine, isUsage } from './line-facts.ts';

/** More records are better read in the portal; the PDF keeps the table by number. */
export const MOST_RECORDS = 10_000;
/** Rows that are written at once: few enough that requests go on between them. */
const BATCH = 200;

/** What an invoice billed for usage. */
export interface Billed {
  readonly lines: readonly BilledLine[];
  readonly usage: readonly LineUsageRow[];
  /** Of lines of {@link meteredLines}. */
  readonly numbers: readonly BilledNumberRow[];
  readonly sign: string;
  readonly timeZone: string;
  /** Where the full list is. */
  readonly portal: string;
}

/** What is charged by the calendar is no usage, though a record may stand for it. */
export const meteredLines = (lines: readonly BilledLine[]): readonly string[] =>
  lines.filter(isUsage).map(({ id }) => id);

/** Whether a PDF holds these records one by one. */
export const isItemised = (numbers: readonly BilledNumberRow[]): boolean =>
  numbers.length > 0 && recordsOf(numbers) <= MOST_RECORDS;

const recordsOf = (numbers: readonly BilledNumberRow[]): number =>
  numbers.reduce((sum, { records }) => sum + records, 0);

/**
 * Usage records by number with a subtotal each, and the table of all numbers. Nothing where no usage was billed. The records
 * themselves come by {@link recordParts}.
 */
export function itemisedBlocks(all: Billed): Block[] {
  const { lines, numbers, timeZone, portal } = all;
  const metered = new Set(meteredLines(lines));
  const usage = all.usage.filter((part) => metered.has(part.line_id));
  if (usage.length === 0) return [];
  const table = byNumber({ ...all, usage });
  const isListed = isItemised(numbers);
  const elsewhere =
    recordsOf(numbers) > MOST_RECORDS
      ? `This invoice has more than ${MOST_RECORDS.toLocaleString('en')} usage records. The full list is at ${portal}, also as CSV.`
      : lines.some((line) => line.has_archived_usage)
        ? `Records of archived months are only in the sums. What is kept of them is at ${portal}.`
        : undefined;
  const listed: RecordsBlock = {
    kind: 'records',
    heading: 'Usage records by number',
    note: `Times are ${zonesOf(numbers, timeZone)}, 24-hour clock. Durations are h:mm:ss.`,
    numbers: numbers.length,
    records: recordsOf(numbers),
  };
  return [
    ...(isListed ? [listed] : []),
    {
      kind: 'table',
      heading: 'Usage by number',
      ...table,
      isRuled: true,
      keep: 2,
      ...(isListed ? {} : { startsPage: true }),
    },
    ...(elsewhere === undefined ? [] : [{ kind: 'text', text: elsewhere, isMuted: true } as const]),
  ];
}

/** 'AEDT (UTC+11)', or both names where clocks were changed between the records. */
function zonesOf(numbers: readonly BilledNumberRow[], timeZone: string): string {
  const times = numbers
    .flatMap((of) => [of.first_at.getTime(), of.last_at.getTime()])
    .toSorted((a, b) => a - b);
  return zonesInFull(timeZone, new Date(times[0] ?? 0), new Date(times.at(-1) ?? 0)).join(' and ');
}

function clockText(timeZone: string, at: Date): string {
  const { day, clock } = clockIn(timeZone, at);
  return `${formatDay(day)} ${clock}`;
}

/** How records are written. */
interface RecordWords extends Pick<Billed, 'numbers' | 'sign' | 'timeZone'> {
  /** Gives a record its unit, where its type has none. */
  readonly counted: (row: BilledRecordRow) => BilledRecordRow;
}

/** Rows as a letter writes them, a few at a time: they come by number and in order of time. */
export async function* recordParts(
  rows: AsyncIterable<BilledRecordRow> | Iterable<BilledRecordRow>,
  { numbers, sign, timeZone, counted }: RecordWords,
): AsyncIterable<readonly RecordPart[]> {
  const known = new Map(numbers.map((one) => [one.number, one]));
  let open: NumberTotal | undefined;
  let parts: RecordPart[] = [];
  let cells: RecordCells[] = [];
  const close = () => {
    if (cells.length > 0) parts.push({ kind: 'rows', rows: cells });
    cells = [];
  };
  let waiting = 0;
  for await (const stored of rows) {
    const row = counted(stored);
    if (row.service_item !== open?.number) {
      close();
      if (open !== undefined) parts.push(open.part());
      const of = known.get(row.service_item);
      const [number, description] = [row.service_item, of?.description ?? ''];
      open = new NumberTotal(number, sign);
      parts.push({ kind: 'number', number, description, count: of?.records ?? 1 });
    }
    open.add(row);
    const quantity = quantityText(storedRate(row.units), row.unit ?? '');
    cells.push([
      clockText(timeZone, row.started_at),
      row.called || row.record_type,
      isTime(row.unit ?? '') ? quantity.text : [quantity.text, quantity.unit].filter(Boolean).join(' '),
      priceText(storedRate(row.price), sign),
    ]);
    waiting += 1;
    if (waiting < BATCH) continue;
    close();
    yield parts;
    parts = [];
    waiting = 0;
  }
  close();
  if (open !== undefined) parts.push(open.part());
  if (parts.length > 0) yield parts;
}

/** Adds up the records of one number. */
class NumberTotal {
  readonly number: string;
  readonly #sign: string;
  #count = 0;
  #price = zeroRate;
  #time = zeroRate;
  /** Of the records that are measured in time; more than one cannot be added up. */
  readonly #units = new Set<string>();

  constructor(number: string, sign: string) {
    this.number = number;
    this.#sign = sign;
  }

  add({ price, units, unit }: BilledRecordRow): void {
    this.#count += 1;
    this.#price = addRate(this.#price, storedRate(price));
    if (unit === null || !isTime(unit)) return;
    this.#units.add(unit);
    this.#time = addRate(this.#time, storedRate(units));
  }

  part(): RecordPart {
    const [unit] = this.#units;
    const isOneUnit = unit !== undefined && this.#units.size === 1;
    return {
      kind: 'total',
      total: [
        `${this.#count.toLocaleString('en')} ${this.#count === 1 ? 'record' : 'records'}`,
        isOneUnit ? quantityText(this.#time, unit).text : '',
        priceText(this.#price, this.#sign),
      ],
    };
  }
}

interface NumberSum {
  readonly units: Map<string, Rate>;
  price: Rate;
}

/** A row per number, a column per unit, and all of them together. */
function byNumber({ usage, sign }: Billed) {
  const sums = new Map<string, NumberSum>();
  const total: NumberSum = { units: new Map(), price: zeroRate };
  for (const part of usage) {
    const own = sums.get(part.service_item) ?? { units: new Map(), price: zeroRate };
    sums.set(part.service_item, own);
    const unit = part.unit ?? '';
    for (const sum of [own, total]) {
      sum.units.set(unit, addRate(sum.units.get(unit) ?? zeroRate, storedRate(part.units)));
      sum.price = addRate(sum.price, storedRate(part.price));
    }
  }
  // Time first, then data, then what is counted.
  const units = [...total.units.keys()].toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1)).slice(0, 5);
  const row = (name: string, sum: NumberSum, kind: TableRow['kind']): TableRow => ({
    kind,
    cells: [
      name,
      ...units.map((unit) => quantityText(sum.units.get(unit) ?? zeroRate, unit).text),
      priceText(sum.price, sign),
    ],
  });
  return {
    columns: [
      { label: 'Number' },
      ...units.map((unit) => ({
        label: quantityText(storedRate('2'), unit).unit || 'Count',
        isFigure: true,
      })),
      { label: 'Subtotal', isFigure: true },
    ],
    rows: [...[...sums].map(([name, sum]) => row(name, sum, 'line')), row('All numbers', total, 'sum')],
  };
}

const rank = (unit: string): number => (isTime(unit) ? 0 : quantityText(zeroRate, unit).unit === '' ? 2 : 1);
