import type { StoredBrandSettings } from '@counterfoil/contract/brand.ts';
import { addDays, type Day } from '@counterfoil/domain/time/day.ts';

export type InvoiceMailSettings = StoredBrandSettings['invoiceMails'];

/** A reminder that was not sent on its day, because no process ran, is sent up to so many days later. */
const CATCH_UP_DAYS = 2;

/** A reminder of a brand, and the due dates of the invoices it is about on a day. */
export interface Reminder {
  /** As it is stored: 'before:3', 'after:7'. */
  readonly step: string;
  readonly isAhead: boolean;
  readonly dueFrom: Day;
  readonly dueTo: Day;
  /** This one and those that come after it: who has had one of them does not get this one. */
  readonly steps: readonly string[];
}

/** The reminders of a brand on a day, the last one first: of several that are due at once a customer gets the last. */
export function remindersOn(today: Day, { daysBefore, daysAfter }: InvoiceMailSettings): readonly Reminder[] {
  const ahead = unique(daysBefore).toSorted((a, b) => a - b);
  const late = unique(daysAfter).toSorted((a, b) => b - a);
  const all = [
    ...late.map((days) => ({ step: `after:${days}`, isAhead: false, day: addDays(today, -days) })),
    ...ahead.map((days) => ({ step: `before:${days}`, isAhead: true, day: addDays(today, days) })),
  ];
  return all.map(({ step, isAhead, day }, at) => ({
    step,
    isAhead,
    // A reminder that comes before the due date is none any more after it.
    dueFrom: isAhead ? latest(addDays(day, -CATCH_UP_DAYS), today) : addDays(day, -CATCH_UP_DAYS),
    dueTo: day,
    steps: all.slice(0, at + 1).map((one) => one.step),
  }));
}

const unique = (days: readonly number[]): number[] => [...new Set(days)];
const latest = (one: Day, other: Day): Day => (one > other ? one : other);
