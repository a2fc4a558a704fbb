import {
  USAGE_PAGE_SIZE,
  type UsagePage,
  type UsageQuery,
  type UsageSummary,
  type UsageSummaryQuery,
} from '@counterfoil/contract/usage.ts';
import { AppError } from '../../app-error.ts';
import { type Database, DatabaseUnavailable, sqlState } from '../../db/database.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { resolveFilter, usageRange, wholeRange } from './filter.ts';
import { nameKeysOf, noStamp, presentRecords, readNames } from './pages/names.ts';
import type { UsagePages } from './pages/read-page.ts';
import { readState } from './pages/state.ts';
import * as queries from './queries.ts';
import { sumUsage } from './summary.ts';

export { KEEP_COLUMNS_EVERY_MS, keepColumns } from './columns/write.ts';
export { ensureMonths, hasArchivedUsage, type MonthState } from './months/months.ts';
export { CHOOSE_SELECTIONS_EVERY_MS, chooseNext } from './selections/choose.ts';
export { addToSelections } from './selections/write.ts';

interface Deps {
  readonly db: Database;
  readonly pages: UsagePages;
}

/**
 * A page of the records of a filter, or of those among them that one invoice line billed.
 * @throws {AppError} usage.badRange, usage.tooMuch, invoice.notFound, and those of `resolveFilter`
 */
export async function usagePageOf(deps: Deps, scope: CustomerScope, query: UsageQuery): Promise<UsagePage> {
  const { pageNumber = 1, pageSize = USAGE_PAGE_SIZE, order = 'date', orderDirection } = query;
  const offset = (pageNumber - 1) * pageSize;
  const isDescending = orderDirection === 'desc';
  if (query.invoiceLine !== undefined) {
    const sort = { order, isDescending };
    return inTime(lineUsageOf(deps, scope, query.invoiceLine, query, { sort, offset, limit: pageSize }));
  }
  const range = usageRange(query.dateFrom, query.dateTo);
  const page = { ...query, range, order, isDescending, offset, size: pageSize };
  return inTime(deps.pages.read(deps.db, scope, page));
}

async function lineUsageOf(
  { db }: Deps,
  scope: CustomerScope,
  lineId: string,
  query: UsageQuery,
  page: {
    readonly sort: Parameters<typeof queries.listLineUsage>[3];
    readonly offset: number;
    readonly limit: number;
  },
): Promise<UsagePage> {
  const hasDates = query.dateFrom !== undefined || query.dateTo !== undefined;
  const range = hasDates ? usageRange(query.dateFrom, query.dateTo) : wholeRange;
  const line = { lineId, filter: await resolveFilter(db, scope, range, query) };
  const counted = await queries.countLineUsage(db, scope, line);
  if (counted === undefined) throw new AppError('invoice.notFound');
  // A page past the end is empty; there is nothing to look for.
  const rows = page.offset >= counted.n ? [] : await queries.listLineUsage(db, scope, line, page.sort, page);
  const { names } = await readNames(db, scope, nameKeysOf(rows), noStamp);
  return { endUsageDetails: presentRecords(rows, names), totalCount: counted.n };
}

/** Exact sums of a filter. @throws {AppError} usage.badRange, usage.tooMuch, and those of `resolveFilter` */
export async function usageSummaryOf(
  { db }: Pick<Deps, 'db'>,
  scope: CustomerScope,
  query: UsageSummaryQuery,
): Promise<UsageSummary> {
  const range = usageRange(query.dateFrom, query.dateTo);
  return inTime(
    db.transaction(
      async (tx) => sumUsage(tx, scope, await readState(tx, scope, { ...query, range, order: 'date' })),
      { isolation: 'repeatable read', readOnly: true },
    ),
  );
}

const STATEMENT_TIMED_OUT = '57014';

/** What takes the database too long is the question's fault, not the server's: it can be asked of fewer days. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const isTooMuch =
      error instanceof DatabaseUnavailable && sqlState(error.cause)?.code === STATEMENT_TIMED_OUT;
    throw isTooMuch ? new AppError('usage.tooMuch', { cause: error }) : error;
  }
}
