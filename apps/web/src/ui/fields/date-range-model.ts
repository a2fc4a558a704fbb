import { addDays, type Day, dayToUtcMs, isDay } from '@counterfoil/domain/time/day.ts';
import { monthOf, type Period, periodOf } from '@counterfoil/domain/time/period.ts';

/** Two days as the fields hold them: 'YYYY-MM-DD', or empty while they are being typed. */
export interface DateRangeValue {
  readonly from: string;
  readonly to: string;
}

/** Why two days are no period, and at which field that is said. */
export interface DateRangeProblem {
  readonly field: 'from' | 'to';
  readonly kind: 'missing' | 'reversed';
}

/** Nobody's bills are older; a year that is only half typed ('0202') is. */
const FIRST_YEAR = '1970';

const isWhole = (text: string): text is Day => isDay(text) && text >= FIRST_YEAR;

/** The period two fields name, or what is wrong with them. */
export function readDateRange({ from, to }: DateRangeValue): Period | readonly DateRangeProblem[] {
  const missing = [
    ...(isWhole(from) ? [] : [{ field: 'from', kind: 'missing' } as const]),
    ...(isWhole(to) ? [] : [{ field: 'to', kind: 'missing' } as const]),
  ];
  if (!isWhole(from) || !isWhole(to)) return missing;
  return from > to ? [{ field: 'to', kind: 'reversed' }] : periodOf(from, to);
}

/** Whether {@link readDateRange} found a period. */
export const isPeriod = (read: Period | readonly DateRangeProblem[]): read is Period => 'start' in read;

export const rangeOf = ({ start, end }: Period): DateRangeValue => ({ from: start, to: end });

/** The whole week before the one of a day. @param first the weekday weeks begin with: 1 is Monday, 7 is Sunday */
export function lastWeek(today: Day, first: number): Period {
  const weekday = new Date(dayToUtcMs(today)).getUTCDay();
  const start = addDays(today, -((weekday - first + 7) % 7) - 7);
  return periodOf(start, addDays(start, 6));
}

/** The calendar month of a day, and the one before it. */
export const thisMonth = (today: Day): Period => monthOf(today);
export const lastMonth = (today: Day): Period => monthOf(addDays(monthOf(today).start, -1));
