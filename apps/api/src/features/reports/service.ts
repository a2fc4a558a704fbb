import {
  exportExtension,
  REPORT_JOBS_SHOWN,
  type Report,
  type ReportJob,
  type ReportRequest,
  type ReportStatusAnswer,
} from '@counterfoil/contract/reports.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore, StoredFile } from '../../files/file-store.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { enqueue } from '../../jobs/queue.ts';
import { hasArchivedUsage } from '../usage/service.ts';
import type { ReportDefinition } from './definition.ts';
import { queueKey } from './job-queries.ts';
import * as queries from './queries.ts';
import { readParameters } from './read-parameters.ts';

export interface ReportDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly reports: readonly ReportDefinition[];
}

/** Name of the job in the queue, and how often it is tried. */
export const REPORT_TASK = 'report';
export const REPORT_ATTEMPTS = 3;
/** How many reports of one customer may wait or run, so that nobody else waits long. */
const UNFINISHED_MOST = 3;
const RETRY_AFTER_SECONDS = 10;

/** Every report there is, the standard one first. */
export const listReports = ({ reports }: Pick<ReportDeps, 'reports'>): Report[] =>
  reports.map(({ id, name, exportType, isStandard, parameters }) => ({
    id,
    name,
    exportTypeId: exportType,
    isStandard,
    parameters: [...parameters],
  }));

/**
 * Starts a report: its row and its job in the queue exist together or not at all.
 * @throws {AppError} report.notFound, report.parameter…, report.badRange, report.archived, report.tooMany,
 *   invoice.notFound, service.notFound
 */
export async function startReport(
  deps: ReportDeps,
  scope: CustomerScope,
  userId: string,
  asked: ReportRequest,
): Promise<string> {
  const report = deps.reports.find(({ id }) => id === asked.id);
  if (report === undefined || report.isStandard !== (asked.isStandard ?? report.isStandard)) {
    throw new AppError('report.notFound');
  }
  const params = readParameters(report, asked.parameters);
  const exportType = asked.exportTypeId ?? report.exportType;
  const now = deps.clock.now();
  const id = newId(now.getTime());
  await deps.db.transaction(async (tx) => {
    const { invoiceId, serviceId, dateFrom, dateTo } = params;
    const isSpan = report.readsRecords && dateFrom !== undefined && dateTo !== undefined;
    // A report that silently lacked a month would be worse than none.
    if (isSpan && (await hasArchivedUsage(tx, scope, dateFrom, dateTo)))
      throw new AppError('report.archived');
    if (invoiceId !== undefined && (await queries.findInvoiceNumber(tx, scope, invoiceId)) === undefined)
      throw new AppError('invoice.notFound');
    if (serviceId !== undefined && (await queries.findServiceName(tx, scope, serviceId)) === undefined)
      throw new AppError('service.notFound');
    if ((await queries.lockUnfinished(tx, scope)) >= UNFINISHED_MOST) {
      throw new AppError('report.tooMany', { headers: { 'retry-after': `${RETRY_AFTER_SECONDS}` } });
    }
    await queries.insertJob(tx, scope, {
      id,
      userId,
      definition: report.id,
      name: report.name,
      params,
      exportType,
      now,
      byteOrderMark: asked.byteOrderMark ?? true,
      fileName: `Report ${report.name}.${exportExtension[exportType]}`,
    });
    const options = { key: queueKey(id), maxAttempts: REPORT_ATTEMPTS };
    await enqueue(tx, REPORT_TASK, { customerId: scope.customerId, id }, options);
  });
  return id;
}

/** How far a report is. @throws {AppError} report.notFound */
export async function reportStatus(
  deps: ReportDeps,
  scope: CustomerScope,
  id: string,
): Promise<ReportStatusAnswer> {
  const row = await queries.findJob(deps.db, scope, id);
  if (row === undefined) throw new AppError('report.notFound');
  return presentStatus(row);
}

/** The latest reports of the customer, whoever of its people asked for them. */
export async function listJobs(deps: ReportDeps, scope: CustomerScope): Promise<ReportJob[]> {
  const rows = await queries.listJobs(deps.db, scope, REPORT_JOBS_SHOWN);
  return rows.map((row) => ({
    id: row.id,
    ...presentStatus(row),
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    expiresAt: row.expires_at?.toISOString() ?? null,
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
  }));
}

const presentStatus = (row: queries.ReportJobRow): ReportStatusAnswer => ({
  status: row.status,
  path: row.path,
  name: row.name,
  fileName: row.file_name,
  rows: row.rows,
});

/** A finished file, open. @throws {AppError} report.noFile when there is none, or not for this customer */
export async function openReportFile(
  deps: ReportDeps,
  scope: CustomerScope,
  path: string,
): Promise<StoredFile & { readonly fileName: string }> {
  const row = await queries.findJobByPath(deps.db, scope, path);
  const isThere = row !== undefined && row.expires_at !== null && row.expires_at > deps.clock.now();
  const file = isThere && row.file_key !== null ? await deps.files.read(row.file_key) : undefined;
  if (row === undefined || file === undefined) throw new AppError('report.noFile');
  return { ...file, fileName: row.file_name };
}
