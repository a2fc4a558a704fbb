import { type Day, dayParts, isDay } from '@counterfoil/domain/time/day.ts';
import { monthOf, monthPeriod, type Period, periodOf } from '@counterfoil/domain/time/period.ts';

/** The days a summary covers, as the URL holds them: a month 'YYYY-MM', 'year' or 'dates' with both days. */
export interface SpanChoice {
  readonly span?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const MONTHS = 13;

const monthBefore = (today: Day, count: number): Period => {
  const { year, month } = dayParts(today);
  const months = year * 12 + month - 1 - count;
  return monthPeriod(Math.floor(months / 12), (months % 12) + 1);
};

/** The months offered, this one first: a year and the same month of the year before. */
export const offeredMonths = (today: Day): readonly Period[] =>
  Array.from({ length: MONTHS }, (_, count) => monthBefore(today, count));

/** How a month stands in the URL. */
export const monthKey = (month: Period): string => month.start.slice(0, 7);

/** What is chosen when the URL says nothing, or nothing that can be understood: the last whole month. */
export function chosenSpan({ span }: SpanChoice, today: Day): string {
  const isKnown =
    span === 'year' || span === 'dates' || (span !== undefined && /^\d{4}-(0[1-9]|1[0-2])$/.test(span));
  return isKnown ? span : monthKey(monthBefore(today, 1));
}

/** The days of a choice; null while they are incomplete or reversed. */
export function spanDays(choice: SpanChoice, today: Day): Period | null {
  const span = chosenSpan(choice, today);
  if (span === 'year') return { start: monthBefore(today, 11).start, end: monthOf(today).end };
  if (span !== 'dates') return monthPeriod(Number(span.slice(0, 4)), Number(span.slice(5, 7)));
  const { from = '', to = '' } = choice;
  return isDay(from) && isDay(to) && from <= to ? periodOf(from, to) : null;
}

/** Whether both days are there and the wrong way round. */
export const isReversed = ({ from = '', to = '' }: SpanChoice): boolean =>
  isDay(from) && isDay(to) && from > to;
