import type { UsageSummary } from '@counterfoil/contract/usage.ts';
import { parseRate, type Rate, sumRates } from '@counterfoil/domain/money/rate.ts';
import { addDays, type Day, daysBetween } from '@counterfoil/domain/time/day.ts';
import { isWithin, monthOf, type Period } from '@counterfoil/domain/time/period.ts';
import { chosenPart, type UsageChoice } from './usage-filter.ts';

type UsageDay = UsageSummary['days'][number];

/** What the records of some days come to; units and price as decimal texts. */
export interface UsageSums {
  readonly records: number;
  readonly units: string;
  readonly price: string;
}

/** What the units of one kind come to. */
export type UnitSum = Pick<UsageSummary['byUnit'][number], 'unit'> & { readonly units: number | string };

/** A day or a month of the chart, by its name in the URL. */
export interface UsageBar extends UsageSums {
  readonly id: string;
}

export interface UsageBars {
  readonly unit: 'day' | 'month';
  /** What the bars cover. */
  readonly span: Period;
  /** Days or months without records too. */
  readonly bars: readonly UsageBar[];
  /** Name of the bar that is chosen. */
  readonly chosen: string | undefined;
}

/** With more days than this the bars are too thin to tell apart: then they are months. */
export const MOST_DAYS = 100;

const exactly = (figure: number): Rate => parseRate(String(figure), 'round');

/** Exact sums of some of the days. */
export function sumsWithin(days: readonly UsageDay[], span: Period): UsageSums {
  const own = days.filter(({ day }) => isWithin(day as Day, span));
  return {
    records: own.reduce((sum, { records }) => sum + records, 0),
    units: sumRates(own.map(({ units }) => exactly(units))),
    price: sumRates(own.map(({ price }) => exactly(price))),
  };
}

const isLong = (span: Period): boolean => daysBetween(span.start, span.end) >= MOST_DAYS;
const isMonth = (only: string | undefined): boolean => only?.length === 'YYYY-MM'.length;

/**
 * The bars of a timeframe: its days; months where it is long, and the days of the month that is chosen there.
 * @param days those with records, in order
 */
export function usageBars(days: readonly UsageDay[], range: Period, choice: UsageChoice): UsageBars {
  const part = chosenPart(choice, range);
  if (!isLong(range)) return daysWithin(days, range, part && choice.only);
  if (part === undefined) return monthsWithin(days, range);
  const month = chosenPart({ only: part.start.slice(0, 7) }, range) ?? range;
  return daysWithin(days, month, isMonth(choice.only) ? undefined : choice.only);
}

function daysWithin(days: readonly UsageDay[], span: Period, chosen: string | undefined): UsageBars {
  const known = new Map(days.map((one) => [one.day, one]));
  const names: Day[] = [];
  for (let day = span.start; day <= span.end; day = addDays(day, 1)) names.push(day);
  const bars = names.map((id) => {
    const { records = 0, units = 0, price = 0 } = known.get(id) ?? {};
    return { id, records, units: exactly(units), price: exactly(price) };
  });
  return { unit: 'day', span, bars, chosen };
}

/** From the first month with records to the last: a range may begin long before there was anything. */
function monthsWithin(days: readonly UsageDay[], range: Period): UsageBars {
  const [first, last] = [days[0]?.day as Day | undefined, days.at(-1)?.day as Day | undefined];
  const bars: UsageBar[] = [];
  for (let month = first && monthOf(first); month && last && month.start <= last; month = monthAfter(month)) {
    bars.push({ id: month.start.slice(0, 7), ...sumsWithin(days, month) });
  }
  return { unit: 'month', span: range, bars, chosen: undefined };
}

const monthAfter = ({ end }: Period): Period => monthOf(addDays(end, 1));

/**
 * The way back from what was chosen in the chart.
 * @returns undefined: nothing is chosen; `only` is what the URL says then, null for nothing
 */
export function wayBack(choice: UsageChoice, range: Period): { readonly only: string | null } | undefined {
  const { only } = choice;
  if (only === undefined || chosenPart(choice, range) === undefined) return undefined;
  return { only: isLong(range) && !isMonth(only) ? only.slice(0, 7) : null };
}
