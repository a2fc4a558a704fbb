import { type Day, dayOf, dayParts, daysInMonth } from '@counterfoil/domain/time/day.ts';
import { type Period, periodOf } from '@counterfoil/domain/time/period.ts';
import type { DateRangeValue } from '../../ui/fields/date-range-model.ts';

/** How many months a statement covers unless asked otherwise. */
const MONTHS = 3;

/** The last three months up to a day: from the same day of the month, or its last where it has no such day. */
export function lastMonths(today: Day): Period {
  const { year, month, day } = dayParts(today);
  const first = year * 12 + (month - 1) - MONTHS;
  const [startYear, startMonth] = [Math.floor(first / 12), (first % 12) + 1];
  return periodOf(dayOf(startYear, startMonth, Math.min(day, daysInMonth(startYear, startMonth))), today);
}

/** The two days as the address has them; what is absent is the default. */
export function chosenRange(
  chosen: { readonly from: string | undefined; readonly to: string | undefined },
  today: Day,
): DateRangeValue {
  const { start, end } = lastMonths(today);
  return { from: chosen.from ?? start, to: chosen.to ?? end };
}
