import { grouped, ms, print } from '../report.ts';
import { type Measured, p50, p99 } from './measure.ts';

/** With more records a page may take so many times as long. */
const GROWTH = 2;

const HEAD = [
  'page',
  'p50 ms',
  'p99 ms',
  'best SQL p50',
  'ratio',
  'limit',
  'fewer records p50',
  'growth',
  'OFFSET ms',
];

/** The head of the table that people read. */
export const printHead = (): void => void process.stderr.write(`${HEAD.join(' | ')}\n`);

/** Prints the figures of one page, and its line of the table. */
export function printPage(
  { place, ours, best, small }: Measured,
  records: number,
  smallRecords: number | undefined,
): void {
  const { case: list, where, page, plainMs } = place;
  const [own, theirs, less] = [p50(ours), p50(best), p50(small)];
  const name = `${list.name}, ${where} page of ${grouped(place.expected.totalCount)} rows, asked for again and again`;
  print({
    figure: `${grouped(records)} records: ${name}, p50, limit: ${list.limit} times the best SQL`,
    unit: 'ms',
    value: own,
    limit: list.limit * theirs,
    isMost: true,
  });
  const isCompared = smallRecords !== undefined && small.length > 0;
  if (isCompared) {
    print({
      figure: `${grouped(records)} against ${grouped(smallRecords)} records: ${name}, p50`,
      unit: 'ms',
      value: own,
      limit: GROWTH * less,
      isMost: true,
    });
  }
  const limit = `${list.limit}${own > list.limit * theirs ? ' OVER' : ''}`;
  const growth = isCompared ? [ms(less), `${ms(own / less)}${own > GROWTH * less ? ' OVER' : ''}`] : ['', ''];
  const cells = [
    `${list.name}, ${where} (${page})`,
    ms(own),
    ms(p99(ours)),
    ms(theirs),
    ms(own / theirs),
    limit,
  ];
  process.stderr.write(`${[...cells, ...growth, ms(plainMs)].join(' | ')}\n`);
}
