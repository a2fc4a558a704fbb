import type { Readable } from 'node:stream';
import type { UsageDownload, UsageQuery } from '@counterfoil/contract/usage.ts';
import { csvRow } from '@counterfoil/domain/text/csv.ts';
import { AppError } from '../../app-error.ts';
import type { Database, Db } from '../../db/database.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { Slots } from '../../limits/slots.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { listServices, type ServiceRow } from '../service-items/queries.ts';
import { CHUNK_ROWS } from './export-ranges.ts';
import { countsOf, csvStatement, type ExportRows, hasMoreLines, jsonStatement } from './export-sql.ts';
import { type ExportFile, openExport } from './export-stream.ts';
import { resolveFilter, type UsageRange, usageRange, wholeRange } from './filter.ts';
import type { UsageSort } from './pages/sort.ts';
import { countLineUsage } from './queries.ts';

export interface ExportDeps {
  readonly db: Database;
  /** With time for long reads. */
  readonly exports: Database;
  readonly slots: Slots;
}

/** Who reads the file: `signal` is aborted when they have gone. */
export interface ExportReader {
  readonly scope: CustomerScope;
  readonly signal: AbortSignal;
}

const COMMA = 44;
const byteOrderMarkText = '\ufeff';

/**
 * Usage as CSV (RFC 4180, UTF-8): times in UTC, numbers with their stored digits, one moment of the database.
 * @returns the stream, broken off where the file is; and the file's name
 * @throws {AppError} usage.badRange, usage.tooManyExports, server.exporting, and those of `resolveFilter`
 */
export async function downloadUsage(
  deps: ExportDeps,
  reader: ExportReader,
  { parameters }: UsageDownload,
): Promise<{ fileName: string; body: Readable }> {
  const { scope } = reader;
  const given = (id: string | null | undefined) => (id === null || id === '' ? undefined : id);
  const { startDate, endDate, serviceId, byteOrderMark } = parameters;
  const range = usageRange(startDate.slice(0, 10), endDate.slice(0, 10));
  const [filter, service, brand, many] = await Promise.all([
    resolveFilter(deps.db, scope, range, {
      agreement: given(parameters.agreementId),
      service: given(serviceId),
      recordType: given(parameters.recordTypeId),
      serviceItem: given(parameters.serviceItemId),
      number: given(parameters.number),
    }),
    serviceOf(deps.db, scope, given(serviceId)),
    findCustomerBrand(deps.db, scope.customerId, scope.resellerId).then(brandFromRow),
    hasMoreLines(deps.db, scope, CHUNK_ROWS),
  ]);
  const { endShowUsageCostCentre: hasCostCentre } = brand.settings;
  const rows: ExportRows = { filter, sort: sortOf(parameters), hasManyLines: many.is_so };
  const file: ExportFile = {
    ...rangeOf(scope, rows),
    statement: (range) => csvStatement(scope, { ...rows, filter: { ...filter, ...range } }, hasCostCentre),
    frame: { crlf: true },
    head: (byteOrderMark ? byteOrderMarkText : '') + csvRow(headOf(service, hasCostCentre)),
    tail: () => '',
  };
  return { fileName: `${service?.name ?? 'All_Services'}_Usage.csv`, body: await open(deps, reader, file) };
}

/**
 * All records of a query as the pages show them, `{"data":{"endUsageDetails":[…],"totalCount":n}}`.
 * @throws {AppError} invoice.notFound, and as `downloadUsage`
 */
export async function streamUsage(
  deps: ExportDeps,
  reader: ExportReader,
  query: UsageQuery,
): Promise<Readable> {
  const { scope } = reader;
  const hasManyLines = (await hasMoreLines(deps.db, scope, CHUNK_ROWS)).is_so;
  const rows: ExportRows = { ...(await rowsOf(deps, scope, query)), sort: sortOf(query), hasManyLines };
  return open(deps, reader, {
    ...rangeOf(scope, rows),
    statement: (range) => jsonStatement(scope, { ...rows, filter: { ...rows.filter, ...range } }),
    frame: { before: COMMA, crlf: false },
    head: '{"data":{"endUsageDetails":[',
    tail: (rowCount) => `],"totalCount":${rowCount}}}`,
  });
}

async function serviceOf(
  db: Db,
  scope: CustomerScope,
  id: string | undefined,
): Promise<ServiceRow | undefined> {
  return id === undefined ? undefined : (await listServices(db, scope)).find((one) => one.id === id);
}

async function rowsOf(
  { db }: ExportDeps,
  scope: CustomerScope,
  query: UsageQuery,
): Promise<Pick<ExportRows, 'filter' | 'invoiceLine'>> {
  const { invoiceLine, agreement, dateFrom, dateTo } = query;
  const mayBeEndless = invoiceLine !== undefined || agreement !== undefined;
  const isEndless = mayBeEndless && dateFrom === undefined && dateTo === undefined;
  const range = isEndless ? wholeRange : usageRange(dateFrom, dateTo);
  const filter = await resolveFilter(db, scope, range, query);
  if (invoiceLine === undefined) return { filter };
  if ((await countLineUsage(db, scope, { lineId: invoiceLine, filter })) === undefined)
    throw new AppError('invoice.notFound');
  return { invoiceLine, filter };
}

const sortOf = (query: Pick<UsageQuery, 'order' | 'orderDirection'>): UsageSort => ({
  order: query.order ?? 'date',
  isDescending: query.orderDirection === 'desc',
});

/** In the order of time a file is read in parts, by two connections. */
function rangeOf(
  scope: CustomerScope,
  rows: ExportRows,
): Pick<ExportFile, 'range' | 'counts' | 'isBackwards'> {
  const { filter, sort, invoiceLine } = rows;
  const range: UsageRange = { from: filter.from, until: filter.until };
  const isInParts = sort.order === 'date' && invoiceLine === undefined;
  return { range, counts: isInParts ? countsOf(scope, filter) : undefined, isBackwards: sort.isDescending };
}

function headOf(service: ServiceRow | undefined, hasCostCentre: boolean): string[] {
  return [
    'Date',
    service?.service_item_label || 'Service Item',
    'Service Item Description',
    service?.service_item2_label || 'Service Item 2',
    service?.service_item3_label || 'Service Item 3',
    'Site',
    service?.units_label || 'Units',
    'Price',
    service?.record_type_label || 'Record Type',
    ...(hasCostCentre ? ['Cost Centre'] : []),
    // Last, so that whoever reads by position finds everything where it was.
    'Unit',
  ];
}

async function open(deps: ExportDeps, { scope, signal }: ExportReader, file: ExportFile): Promise<Readable> {
  const release = deps.slots.take(scope.customerId);
  try {
    return await openExport(deps.exports, file, signal, release);
  } catch (error) {
    release();
    throw error;
  }
}
