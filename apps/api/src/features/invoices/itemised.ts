import { formatDay } from '@counterfoil/domain/day.ts';
import { addRate, type Rate, zeroRate } from '@counterfoil/domain/rate.ts';
import { clockIn, zonesInFull } from '@counterfoil/domain/time-zone.ts';
import { isTime, priceText, quantityText, storedRate } from '../../letters/figures.ts';
import type { Block, RecordsOfNumber, TableRow } from '../../pdf/letter/letter.ts';
import type { InvoiceLineRow, LineUsageRow } from './invoice-row.ts';
import type { BilledRecordRow } from './queries.ts';
import { isUsage } from './summary.ts';

/** More records are better read in the portal; the PDF keeps the table by number. */
export const MOST_RECORDS = 2_000;

/** What an invoice billed for usage. */
export interface Billed {
  readonly lines: readonly InvoiceLineRow[];
  readonly usage: readonly LineUsageRow[];
  /** At most one more than {@link MOST_RECORDS}. */
  readonly records: readonly BilledRecordRow[];
  readonly sign: string;
  readonly timeZone: string;
  /** Where the full list is. */
  readonly portal: string;
}

/** Usage records by number with a subtotal each, and the table of all numbers. Nothing where no usage was billed. */
export function itemisedBlocks(all: Billed): Block[] {
  const billed = withoutRentals(all);
  const { usage, lines, records, timeZone, portal } = billed;
  if (usage.length === 0) return [];
  const isTooLong = all.records.length > MOST_RECORDS;
  const isArchived = lines.some((line) => line.has_archived_usage);
  const table = byNumber(billed);
  const heading = 'Usage by number';
  const isListed = !isTooLong && records.length > 0;
  const elsewhere = isTooLong
    ? `This invoice has more than ${MOST_RECORDS.toLocaleString('en')} usage records. The full list is at ${portal}, also as CSV.`
    : isArchived
      ? `Records of archived months are only in the sums. What is kept of them is at ${portal}.`
      : undefined;
  return [
    ...(isListed
      ? [
          {
            kind: 'records',
            heading: 'Usage records by number',
            note: `Times are ${zonesOf(records, timeZone)}, 24-hour clock. Durations are h:mm:ss.`,
            numbers: numbersOf(billed),
          } as const,
        ]
      : []),
    { kind: 'table', heading, ...table, isRuled: true, keep: 2, ...(isListed ? {} : { startsPage: true }) },
    ...(elsewhere === undefined ? [] : [{ kind: 'text', text: elsewhere, isMuted: true } as const]),
  ];
}

/** What is charged by the calendar is no usage, though a record may stand for it. */
function withoutRentals(billed: Billed): Billed {
  const metered = new Set(billed.lines.filter(isUsage).map(({ id }) => id));
  return {
    ...billed,
    usage: billed.usage.filter((part) => metered.has(part.line_id)),
    records: billed.records.filter((record) => metered.has(record.line_id)),
  };
}

/** 'AEDT (UTC+11)', or both names where clocks were changed between the records. */
function zonesOf(records: readonly BilledRecordRow[], timeZone: string): string {
  const times = records.map((record) => record.started_at.getTime()).toSorted((a, b) => a - b);
  return zonesInFull(timeZone, new Date(times[0] ?? 0), new Date(times.at(-1) ?? 0)).join(' and ');
}

function clockText(timeZone: string, at: Date): string {
  const { day, clock } = clockIn(timeZone, at);
  return `${formatDay(day)} ${clock}`;
}

function numbersOf({ records, sign, timeZone }: Billed): RecordsOfNumber[] {
  return [...Map.groupBy(records, (record) => record.service_item).values()].map((own) => {
    const [first] = own;
    const price = own.reduce((sum, record) => addRate(sum, storedRate(record.price)), zeroRate);
    const timed = own.filter(({ unit }) => isTime(unit ?? ''));
    const [unit] = new Set(timed.map((record) => record.unit));
    const time = timed.reduce((sum, record) => addRate(sum, storedRate(record.units)), zeroRate);
    const isAllTime = typeof unit === 'string' && timed.every((record) => record.unit === unit);
    return {
      number: first?.service_item ?? '',
      description: first?.description ?? '',
      rows: own.map((record) => {
        const quantity = quantityText(storedRate(record.units), record.unit ?? '');
        return [
          clockText(timeZone, record.started_at),
          record.called || record.record_type,
          isTime(record.unit ?? '')
            ? quantity.text
            : [quantity.text, quantity.unit].filter(Boolean).join(' '),
          priceText(storedRate(record.price), sign, true),
        ] as const;
      }),
      total: [
        `${own.length.toLocaleString('en')} ${own.length === 1 ? 'record' : 'records'}`,
        isAllTime ? quantityText(time, unit).text : '',
        priceText(price, sign, true),
      ],
    };
  });
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
      priceText(sum.price, sign, true),
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
