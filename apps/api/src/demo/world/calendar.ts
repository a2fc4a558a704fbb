import {
  addDays,
  type Day,
  dayOf,
  dayParts,
  monthOf,
  monthPeriod,
  today,
} from '@counterfoil/domain/time/dates.ts';

/** Whole months of history, the last of them the one before the month of the seeding day. */
export const HISTORY_MONTHS = 24;

/** One month of the demo world. */
export interface DemoMonth {
  /** 0 is the oldest; {@link HISTORY_MONTHS} is the month of the seeding day. */
  readonly index: number;
  readonly start: Day;
  readonly end: Day;
  /** 'YYYY-MM' */
  readonly name: string;
}

/** The history's months and, after them, the running one. @param now the seeding time; its month in UTC counts */
export function demoMonths(now: Date): readonly DemoMonth[] {
  const { year, month } = dayParts(today('UTC', now));
  return Array.from({ length: HISTORY_MONTHS + 1 }, (_, index) => {
    const count = year * 12 + month - 1 - HISTORY_MONTHS + index;
    const { start, end } = monthPeriod(Math.floor(count / 12), (count % 12) + 1);
    return { index, start, end, name: start.slice(0, 7) };
  });
}

/** The day a month is invoiced: the first of the next. */
export const issueDay = (month: DemoMonth): Day => addDays(month.end, 1);

/** When that invoice is due: the fifth of the month after, so that the newest is never overdue. */
export function dueDay(month: DemoMonth): Day {
  const next = addDays(monthOf(issueDay(month)).end, 1);
  const { year, month: number } = dayParts(next);
  return dayOf(year, number, 5);
}
