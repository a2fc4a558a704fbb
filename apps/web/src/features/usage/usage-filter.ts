import type { UsageOrder, UsageSummaryQuery } from '@counterfoil/contract/usage.ts';
import { USAGE_NUMBER_MAX, usageOrders, usagePageSizes } from '@counterfoil/contract/usage.ts';
import { isDay } from '@counterfoil/domain/time/day.ts';
import {
  isWithin,
  monthPeriod,
  type Period,
  type UsagePreset,
  usagePreset,
  usagePresets,
} from '@counterfoil/domain/time/period.ts';
import type { GridSort } from '../../ui/data/grid/grid-types.ts';
import {
  type DateRangeProblem,
  type DateRangeValue,
  readDateRange,
} from '../../ui/fields/date-range-model.ts';

/** How the filters stand in the URL. */
export const filterNames = [
  ...(['agreement', 'timeframe', 'from', 'to', 'service', 'connection', 'type', 'number', 'only'] as const),
] as const;
export type UsageChoice = { readonly [Name in (typeof filterNames)[number]]?: string | undefined };

/** In the URL instead of a service's id. */
export const ALL_SERVICES = 'all';

/** A preset, or any days. */
export type Timeframe = UsagePreset | 'dates';
export const timeframes: readonly Timeframe[] = [...usagePresets, 'dates'];

/** The timeframe chosen; the last 30 days when the URL says nothing, or nothing that can be understood. */
export const chosenTimeframe = ({ timeframe }: UsageChoice): Timeframe =>
  timeframes.find((one) => one === timeframe) ?? 'last30Days';

/** The days of the timeframe in UTC, or what is wrong with those that were typed. */
export function daysOf(choice: UsageChoice, now: Date): Period | readonly DateRangeProblem[] {
  const timeframe = chosenTimeframe(choice);
  return timeframe === 'dates' ? readDateRange(typedDays(choice)) : usagePreset(timeframe, now);
}

export const typedDays = ({ from = '', to = '' }: UsageChoice): DateRangeValue => ({ from, to });

/** A day or a month as the chart's bars are named: 'YYYY-MM-DD', 'YYYY-MM'. */
function spanNamed(name: string): Period | undefined {
  if (isDay(name)) return { start: name, end: name };
  const month = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(name);
  return month && Number(month[1]) > 0 ? monthPeriod(Number(month[1]), Number(month[2])) : undefined;
}

/** What of the timeframe was chosen in the chart; nothing where that lies outside of it. */
export function chosenPart({ only }: UsageChoice, range: Period): Period | undefined {
  const span = only === undefined ? undefined : spanNamed(only);
  if (span === undefined || span.end < range.start || span.start > range.end) return undefined;
  return {
    start: isWithin(span.start, range) ? span.start : range.start,
    end: isWithin(span.end, range) ? span.end : range.end,
  };
}

/** A filter as the calls take it; what is absent means all. */
export type UsageFilter = UsageSummaryQuery;

/** @param service the chosen one's id; null: all */
export function filterOf(choice: UsageChoice, service: string | null, range: Period): UsageFilter {
  const { agreement, connection, type } = choice;
  const number = choice.number?.trim().slice(0, USAGE_NUMBER_MAX);
  return {
    dateFrom: range.start,
    dateTo: range.end,
    ...(service !== null && { service }),
    ...(agreement && { agreement }),
    ...(type && { recordType: type }),
    ...(connection && { serviceItem: connection }),
    ...(number && { number }),
  };
}

/** Whether anything but timeframe and service narrows what is shown. */
export const isNarrowed = ({ agreement, connection, type, number }: UsageChoice): boolean =>
  [agreement, connection, type, number].some((value) => value !== undefined && value !== '');

/** What another service makes of the filters: type and connection are the service's own (specification, portal §4). */
export const onService = (service: string): UsageChoice => ({
  service,
  type: undefined,
  connection: undefined,
});

type Ids = readonly { readonly id: string }[] | undefined;
export type NamedThing = 'service' | 'agreement' | 'connection' | 'type';

/** Whether a text can be an id. */
export const isId = (text: string): boolean => /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text);

/**
 * The things the URL names that are not there. Before their list is known, only what cannot be an id is one.
 * @param known undefined: not loaded
 */
export const unknownThings = (
  choice: UsageChoice,
  known: Readonly<Record<NamedThing, Ids>>,
): readonly NamedThing[] =>
  (['service', 'agreement', 'connection', 'type'] as const).filter((name) => {
    const id = choice[name];
    if (id === undefined || id === '' || (name === 'service' && id === ALL_SERVICES)) return false;
    return known[name]?.every((one) => one.id !== id) ?? !isId(id);
  });

/** Newest first. */
export const initialSort: { readonly sort: GridSort } = { sort: { column: 'date', direction: 'desc' } };

const isOrder = (text: string): text is UsageOrder => usageOrders.some((order) => order === text);

/** The sort as the calls take it; one the server does not know, or of a column that is not shown, is the initial one. */
export function orderOf(
  sort: GridSort | null,
  { hasCostCentre }: { readonly hasCostCentre: boolean },
): { readonly order: UsageOrder; readonly orderDirection: 'asc' | 'desc' } {
  const asked = sort && isOrder(sort.column) && (hasCostCentre || sort.column !== 'costCentre');
  const { column, direction } = asked ? sort : initialSort.sort;
  return { order: column as UsageOrder, orderDirection: direction };
}

/** Rows a page: those in the URL, else those the person likes, else the usual 100. */
export const pageSizeOf = (inUrl: number | undefined, remembered: unknown): number =>
  usagePageSizes.find((size) => size === inUrl) ??
  usagePageSizes.find((size) => size === remembered) ??
  usagePageSizes[2];
