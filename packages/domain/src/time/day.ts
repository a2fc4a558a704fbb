import { InvalidValue } from '../result.ts';

declare const day: unique symbol;
/** A calendar day without time or zone, 'YYYY-MM-DD', years 0001 to 9999. Days compare as strings. */
export type Day = string & { readonly [day]: true };

const MS_PER_DAY = 86_400_000;
const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const pad = (n: number, length: number): string => String(n).padStart(length, '0');

/** Days of a month; month 1 to 12. */
export const daysInMonth = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
};

const exists = (year: number, month: number, dayOfMonth: number): boolean =>
  Number.isInteger(year) &&
  Number.isInteger(month) &&
  Number.isInteger(dayOfMonth) &&
  year >= 1 &&
  year <= 9999 &&
  month >= 1 &&
  month <= 12 &&
  dayOfMonth >= 1 &&
  dayOfMonth <= daysInMonth(year, month);

/**
 * The day of year, month (1 to 12) and day of the month.
 * @throws {InvalidValue} kind 'day' when the calendar has no such day
 */
export function dayOf(year: number, month: number, dayOfMonth: number): Day {
  const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
  if (!exists(year, month, dayOfMonth)) throw new InvalidValue('day', text, 'no such day');
  return text as Day;
}

/** Whether the text is 'YYYY-MM-DD' and the calendar has that day. */
export function isDay(text: string): text is Day {
  const match = dayPattern.exec(text);
  return match !== null && exists(Number(match[1]), Number(match[2]), Number(match[3]));
}

/**
 * Reads 'YYYY-MM-DD'.
 * @throws {InvalidValue} kind 'day' for another form or a day that does not exist, such as 2026-02-29
 */
export function parseDay(text: string): Day {
  if (isDay(text)) return text;
  throw new InvalidValue('day', text, 'not an existing YYYY-MM-DD day');
}

/** Year, month (1 to 12) and day of the month. */
export const dayParts = (d: Day): { year: number; month: number; day: number } => ({
  year: Number(d.slice(0, 4)),
  month: Number(d.slice(5, 7)),
  day: Number(d.slice(8, 10)),
});

/** The day as every screen shows it when it stands alone: 'MM.DD.YYYY'. */
export const formatDay = (d: Day): string => `${d.slice(5, 7)}.${d.slice(8, 10)}.${d.slice(0, 4)}`;

/** Midnight UTC of the day in milliseconds since 1970. */
export const dayToUtcMs = (d: Day): number => Date.parse(`${d}T00:00:00Z`);

/** The day that contains this instant in UTC. @throws {InvalidValue} outside the years 1 to 9999 */
export function dayOfUtcMs(ms: number): Day {
  const date = new Date(ms);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
}

/** The day a number of days later (negative: earlier). @throws {InvalidValue} outside the years 1 to 9999 */
export const addDays = (d: Day, days: number): Day => dayOfUtcMs(dayToUtcMs(d) + days * MS_PER_DAY);

/** Number of days from `from` to `to`; 0 for the same day, negative when `to` is earlier. */
export const daysBetween = (from: Day, to: Day): number => (dayToUtcMs(to) - dayToUtcMs(from)) / MS_PER_DAY;

/** -1, 0 or 1 as `a` is before, the same as or after `b`. */
export const compareDays = (a: Day, b: Day): -1 | 0 | 1 => (a === b ? 0 : a < b ? -1 : 1);
