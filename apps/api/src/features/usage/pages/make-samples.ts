import { createHash } from 'node:crypto';
import type { Database } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { type UsageFilter, usageCondition } from '../filter.ts';
import { type PagingOptions, pagingOptions } from './options.ts';
import * as queries from './sample-queries.ts';
import { type ValueOrder, valueColumns } from './sort.ts';
import { type CountedMonth, isWhole, rangeOf } from './state.ts';

/** What months are sampled of. */
export interface SampledList {
  readonly scope: CustomerScope;
  readonly filter: UsageFilter;
  readonly order: ValueOrder;
  readonly options: PagingOptions;
}

/** How many records lie between two samples of a month with so many. */
export const distanceOf = (n: number, { sampleDistance, samplesPerMonth }: PagingOptions): number =>
  Math.max(sampleDistance, Math.ceil(n / samplesPerMonth));

/** What samples of all records with `service_item3` are kept under. */
const GIVEN = 'given';

/** Months at the same time. */
const AT_ONCE = 2;

/** A month, with what its samples are kept under. */
export type KeyedMonth = CountedMonth & { readonly key: string };

/** Samples months of a list, each as long as it has the version it was counted under. */
export async function sampleMonths(
  db: Database,
  list: SampledList,
  months: readonly KeyedMonth[],
): Promise<void> {
  const waiting = [...months];
  const work = async () => {
    for (let month = waiting.shift(); month !== undefined; month = waiting.shift())
      await sampleMonth(db, list, month);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Months that are being sampled: who asks meanwhile waits for them. */
const underWay = new Map<string, Promise<unknown>>();

async function sampleMonth(
  db: Database,
  { scope, filter, order, options }: SampledList,
  month: KeyedMonth,
): Promise<void> {
  const { from, until, n } = month;
  const name = [scope.customerId, month.month, order, month.key, month.version].join();
  const where = usageCondition(scope, { ...filter, from, until });
  const distance = distanceOf(n, options);
  const work =
    underWay.get(name) ??
    db.transaction(async (tx) => {
      // What is lost in a crash is made again, so nobody need wait for the disk.
      await tx.execute(sql`set local synchronous_commit = off`);
      await tx.execute(queries.takeSamples(scope, { ...month, order, where, distance }));
    });
  underWay.set(name, work);
  await work.finally(() => underWay.delete(name));
}

/** '' for a whole month without a filter, {@link GIVEN} for all with `service_item3`, else a hash of what is filtered. */
export function filterKey(filter: UsageFilter, month: CountedMonth): string {
  const { agreementId, recordTypeIds, serviceItemId, number, hasThird } = filter;
  const range = isWhole(month) ? undefined : [month.from.toISOString(), month.until.toISOString()];
  const parts = { agreementId, recordTypeIds, serviceItemId, number, hasThird, range };
  const named = Object.entries(parts).flatMap(([name, part]) => (part === undefined ? [] : [name]));
  if (named.length === 0) return '';
  if (named.length === 1 && hasThird === true) return GIVEN;
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/** All records that an order is of: what whole months are sampled of. */
export const wholeFilter = ({ from, until }: UsageFilter, order: ValueOrder): UsageFilter =>
  order === 'serviceItem3' ? { from, until, hasThird: true } : { from, until };

export const wholeKey = (order: ValueOrder): string => (order === 'serviceItem3' ? GIVEN : '');

/** Whether a filter leaves all records of a month. */
export const isWholeList = (filter: UsageFilter, month: CountedMonth): boolean =>
  ['', GIVEN].includes(filterKey(filter, month));

/** As a whole, whatever part of it a range has. */
export const wholeMonth = (month: KeyedMonth): KeyedMonth => ({ ...month, ...rangeOf(month.month) });

/** Samples a whole month in all orders. @param of which, as far as it still has this version */
export async function sampleWholeMonth(
  db: Database,
  of: {
    readonly scope: Pick<CustomerScope, 'customerId'>;
    readonly month: string;
    readonly version: bigint;
    readonly n: number;
  },
  where: Sql<boolean>,
): Promise<void> {
  const distance = distanceOf(of.n, pagingOptions);
  for (const order of Object.keys(valueColumns) as ValueOrder[]) {
    const isThird = order === 'serviceItem3';
    const within = isThird ? sql<boolean>`${where} and u.service_item3 <> ''` : where;
    await db.execute(
      queries.takeSamples(of.scope, { ...of, key: isThird ? GIVEN : '', order, where: within, distance }),
    );
  }
}
