import { InvalidValue } from '../result.ts';
import type { Day } from './day.ts';
import {
  addDays,
  compareDays,
  dayOf,
  dayOfUtcMs,
  dayParts,
  daysInMonth,
  dayToUtcMs,
  formatDay,
} from './day.ts';

/** A span of days; both ends are included. */
export interface Period {
  readonly start: Day;
  readonly end: Day;
}

/** A period from two days. @throws {InvalidValue} kind 'day' when it ends before it starts */
export function periodOf(start: Day, end: Day): Period {
  if (compareDays(start, end) > 0) throw new InvalidValue('day', end, `the period starts later, ${start}`);
  return { start, end };
}

/** A whole calendar month; month 1 to 12. */
export const monthPeriod = (year: number, month: number): Period => ({
  start: dayOf(year, month, 1),
  end: dayOf(year, month, daysInMonth(year, month)),
});

/** The calendar month around a day. */
export function monthOf(d: Day): Period {
  const { year, month } = dayParts(d);
  return monthPeriod(year, month);
}

/** Whether the period is exactly one calendar month. */
export function isFullMonth(period: Period): boolean {
  const month = monthOf(period.start);
  return month.start === period.start && month.end === period.end;
}

/** Whether the day lies in the period. */
export const isWithin = (d: Day, period: Period): boolean => d >= period.start && d <= period.end;

const monthFormats = new Map<string, Intl.DateTimeFormat>();

function monthFormat(locale: string): Intl.DateTimeFormat {
  const known = monthFormats.get(locale);
  if (known !== undefined) return known;
  const options = { month: 'long', year: 'numeric', calendar: 'gregory', timeZone: 'UTC' } as const;
  if (!isLocale(locale)) return new Intl.DateTimeFormat('en-US', options);
  const format = new Intl.DateTimeFormat(locale, options);
  if (monthFormats.size >= 100) monthFormats.clear(); // languages come from outside
  monthFormats.set(locale, format);
  return format;
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/**
 * The period in words: 'March 2026' for a full month, else 'MM.DD.YYYY – MM.DD.YYYY'.
 * @param locale language of the month name (BCP 47); an unusable one gives English
 */
export const periodText = (period: Period, locale = 'en-US'): string =>
  isFullMonth(period)
    ? monthFormat(locale).format(dayToUtcMs(period.start))
    : `${formatDay(period.start)} – ${formatDay(period.end)}`;

/** File name of a transactions download: '03_2026_Transactions.csv' for a full month, else both dates. */
export function transactionsFileName(period: Period): string {
  const { start, end } = period;
  const span = isFullMonth(period) ? `${start.slice(5, 7)}_${start.slice(0, 4)}` : `${start}_${end}`;
  return `${span}_Transactions.csv`;
}

/** Time frames offered on the usage page. */
export const usagePresets = ['thisMonth', 'lastMonth', 'last7Days', 'last30Days'] as const;
/** One of {@link usagePresets}. */
export type UsagePreset = (typeof usagePresets)[number];

/**
 * The period of a usage time frame, in UTC. 'This month' is the whole calendar month; the last 7 or 30 days end
 * with today.
 */
export function usagePreset(preset: UsagePreset, now: Date): Period {
  const current = dayOfUtcMs(now.getTime());
  switch (preset) {
    case 'thisMonth':
      return monthOf(current);
    case 'lastMonth':
      return monthOf(addDays(monthOf(current).start, -1));
    case 'last7Days':
      return { start: addDays(current, -6), end: current };
    case 'last30Days':
      return { start: addDays(current, -29), end: current };
  }
}
