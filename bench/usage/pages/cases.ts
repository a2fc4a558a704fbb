import type { UsageOrder } from '../../../packages/contract/src/usage.ts';
import type { World } from '../data/world.ts';

/** Which records of the largest customer. */
export interface Filter {
  readonly service?: string;
  readonly recordType?: string;
  readonly agreement?: string;
  readonly serviceItem?: string;
  /** How the number begins. */
  readonly number?: string;
}

/** A list somebody may look at: sort, filter and range. */
export interface PageCase {
  readonly name: string;
  readonly order: UsageOrder;
  readonly isDescending: boolean;
  readonly filter: Filter;
  /** First and last day, 'YYYY-MM-DD'. */
  readonly dateFrom: string;
  readonly dateTo: string;
  /** How many times the best hand-written SQL it may take. */
  readonly limit: number;
}

export const PAGE_SIZE = 100;
/** Value sorts over many months plan a scan of each: no hand-written statement can be much better. */
const LIMIT = 2;
const LIMIT_OF_MANY_MONTHS = 4;

/** The last day of a month. @param month 'YYYY-MM-01' */
export function lastDayOf(month: string): string {
  const start = new Date(`${month}T00:00:00Z`);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 0)).toISOString().slice(0, 10);
}

/** The filters of the largest customer by name. */
export function filtersOf({ services, customers }: World) {
  const [customer] = customers;
  const [telephony] = services;
  if (customer === undefined || telephony === undefined) throw new Error('an empty world');
  const service = telephony.id;
  const agreement = customer.agreementIds[0] ?? '';
  return {
    customerId: customer.id,
    byName: {
      'no filter': {},
      service: { service },
      type: { recordType: telephony.types[1]?.id ?? '' },
      agreement: { agreement },
      'agreement and service': { agreement, service },
      'one big line': { serviceItem: customer.lines[0]?.id ?? '' },
      'rare type': { recordType: telephony.types.at(-1)?.id ?? '' },
    } satisfies Record<string, Filter>,
  };
}
type FilterName = keyof ReturnType<typeof filtersOf>['byName'];

/** All that is measured, @param months of the records, first days in order */
export function pageCases(world: World, months: readonly string[]): PageCase[] {
  const { byName } = filtersOf(world);
  const ranges = {
    '24 months': { dateFrom: months[0] ?? '', dateTo: lastDayOf(months.at(-1) ?? '') },
    'one month': { dateFrom: months.at(-2) ?? '', dateTo: lastDayOf(months.at(-2) ?? '') },
    // Neither end is a month's: sums of whole months are not enough.
    'part of 19 months': {
      dateFrom: `${months[3]?.slice(0, 8)}10`,
      dateTo: `${months[21]?.slice(0, 8)}20`,
    },
  };
  const make = (order: UsageOrder, filter: FilterName, range: keyof typeof ranges, isDescending = false) => ({
    name: `${order}${isDescending ? ' descending' : ''}, ${range}, ${filter}`,
    order,
    isDescending,
    filter: byName[filter],
    ...ranges[range],
    limit: isValue(order) && range !== 'one month' ? LIMIT_OF_MANY_MONTHS : LIMIT,
  });
  const dates = (Object.keys(byName) as FilterName[]).map((filter) => make('date', filter, '24 months'));
  const values = (['price', 'units', 'serviceItem2'] as const).flatMap((order) => [
    make(order, 'no filter', 'one month'),
    make(order, 'service', 'one month'),
    make(order, 'no filter', '24 months'),
    make(order, 'service', '24 months'),
  ]);
  return [
    ...dates,
    make('date', 'no filter', '24 months', true),
    make('date', 'service', 'part of 19 months'),
    ...values,
    make('price', 'type', 'part of 19 months', true),
    make('serviceItemName', 'no filter', '24 months'),
    make('serviceItemName', 'no filter', 'part of 19 months'),
    make('costCentre', 'no filter', '24 months'),
    make('costCentre', 'service', 'part of 19 months'),
    make('recordType', 'no filter', '24 months'),
    make('recordType', 'agreement', '24 months'),
  ];
}

const isValue = (order: UsageOrder): boolean => ['price', 'units', 'serviceItem2'].includes(order);

/** The path of a page. @param page 1 is the first */
export function pathOf({ order, isDescending, filter, dateFrom, dateTo }: PageCase, page: number): string {
  const query = new URLSearchParams({
    dateFrom,
    dateTo,
    order,
    orderDirection: isDescending ? 'desc' : 'asc',
    ...filter,
    pageNumber: String(page),
    pageSize: String(PAGE_SIZE),
  });
  return `/v1/ec/usage?${query}`;
}
