import { setTimeout as pause } from 'node:timers/promises';
import { ExportType } from '@counterfoil/contract/reports.ts';
import { isFinished, next, type ReportEvent, type ReportStatus } from '@counterfoil/domain/report-job.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import { formatDay } from '@counterfoil/domain/time/day.ts';
import type { Logger } from 'pino';
import { readSnapshot, type Snapshot } from '../../db/cursor.ts';
import type { Database, Tx } from '../../db/database.ts';
import { forCustomer } from '../../db/row-security/for-customer.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import { authorisedCustomer, type CustomerScope } from '../../http/requests/scope.ts';
import type { Job } from '../../jobs/worker.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import type { ReportDefinition, ReportRow, ReportSource } from './definition.ts';
import { writeCsv } from './formats/csv.ts';
import type { ReportHead, WriteFormat } from './formats/format.ts';
import * as rows from './job-queries.ts';
import { findInvoiceNumber, findServiceName } from './queries.ts';
import { REPORT_ATTEMPTS, REPORT_TASK } from './service.ts';

export interface ReportJobDeps {
  readonly db: Database;
  /** With time for long reads. */
  readonly exports: Database;
  readonly clock: Clock;
  readonly files: FileStore;
  readonly reports: readonly ReportDefinition[];
  readonly log: Logger;
}

const DAY_MS = 86_400_000;
/** How long a finished file can be fetched. */
export const KEPT_DAYS = 7;

const writers: Readonly<Record<ExportType, WriteFormat>> = {
  [ExportType.CSV]: writeCsv,
  // Its fonts are loaded with the first report on paper, not with every process.
  async *[ExportType.PDF](head, lines) {
    const { writeTable } = await import('../../pdf/table/write-table.ts');
    yield* writeTable(head, lines);
  },
  async *[ExportType.XLSX](head, lines) {
    const { writeXlsx } = await import('./formats/xlsx.ts');
    yield* writeXlsx(head, lines);
  },
};

/** The job was taken over by another worker, or given up, while this one was making it. */
class Superseded extends Error {
  override readonly name = 'Superseded';
}

/** Makes the file of a report. Run twice, it makes one file. */
export function reportJob(deps: ReportJobDeps): Job {
  return {
    name: REPORT_TASK,
    async run(payload) {
      const job = payload as rows.JobKey;
      const work = await start(deps, job);
      if (work === undefined) return;
      try {
        const made = await makeFile(deps, job, work);
        const now = deps.clock.now();
        const expiresAt = new Date(now.getTime() + KEPT_DAYS * DAY_MS);
        await move(deps, job, work, 'finish', (tx) =>
          rows.markDone(tx, job, { ...made, path: newToken(32), now, expiresAt }),
        );
      } catch (error) {
        if (error instanceof Superseded) return;
        const isLast = work.attempts >= REPORT_ATTEMPTS;
        await move(deps, job, work, isLast ? 'fail' : 'release', (tx, status) =>
          rows.markFailure(tx, job, { status, error: String(error), now: deps.clock.now() }),
        );
        deps.log.error({ err: error, report: job.id, definition: work.definition }, 'a report failed');
        // The queue tries again; what has failed for good is off the queue.
        if (!isLast) throw error;
      }
    },
  };
}

/** Begins an attempt. @returns undefined where there is nothing to do: ended, or forgotten */
const start = (deps: ReportJobDeps, job: rows.JobKey): Promise<rows.WorkRow | undefined> =>
  deps.db.transaction(async (tx) => {
    const row = await rows.lockJob(tx, job);
    if (row === undefined || isFinished(row.status)) return undefined;
    const status = next(row.status, 'start');
    await rows.markStarted(tx, job, status, deps.clock.now());
    return { ...row, status, attempts: row.attempts + 1 };
  });

/** Moves a job as the table of its states says, unless another attempt has it now. */
const move = (
  deps: ReportJobDeps,
  job: rows.JobKey,
  work: rows.WorkRow,
  event: ReportEvent,
  write: (tx: Tx, status: ReportStatus) => Promise<unknown>,
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const row = await rows.lockJob(tx, job);
    if (row === undefined || row.attempts !== work.attempts) return;
    const status = next(row.status, event);
    if (status !== row.status) await write(tx, status);
  });

async function makeFile(deps: ReportJobDeps, job: rows.JobKey, work: rows.WorkRow) {
  const { customerId } = job;
  const report = deps.reports.find((one) => one.id === work.definition);
  if (report === undefined) throw new Error(`there is no report ${work.definition}`);
  const scope = authorisedCustomer(customerId, work.reseller_id, 'system');
  const fileKey = rows.fileKeyOf(job, work.export_type);
  let count = 0;
  const make = async (snapshot: Snapshot) => {
    const brand = brandFromRow(await findCustomerBrand(snapshot, customerId, work.reseller_id));
    const { timeZone, currency, settings } = brand;
    const source: ReportSource = { ...snapshot, timeZone, currency, moneyDigits: settings.moneyDigits };
    const head: ReportHead = {
      title: report.name,
      company: brand.companyName,
      customer: work.customer_label,
      columns: report.columns,
      byteOrderMark: work.byte_order_mark,
      madeAt: deps.clock.now(),
      asked: await askedText(source, scope, work.parameters),
    };
    async function* counted(): AsyncIterable<ReportRow> {
      for await (const row of report?.run(source, scope, work.parameters) ?? []) {
        count += 1;
        yield row;
      }
    }
    async function* content(): AsyncIterable<Uint8Array> {
      yield* breathing(writers[work.export_type](head, counted()));
      // The last moment before the file takes its place.
      if (!(await rows.isCurrent(deps.db, job, work.attempts))) throw new Superseded();
    }
    return deps.files.write(fileKey, content());
  };
  const sizeBytes = await forCustomer(customerId, () => readSnapshot(deps.exports, make));
  return { fileKey, rows: count, sizeBytes };
}

/** Lets the process do its other work between two pieces. */
async function* breathing(pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const piece of pieces) {
    yield piece;
    await pause(0);
  }
}

/** What was asked for, in words. */
async function askedText(
  source: ReportSource,
  scope: CustomerScope,
  { dateFrom, dateTo, serviceId, invoiceId }: rows.WorkRow['parameters'],
): Promise<[string, string][]> {
  const asked: [string, string][] = [];
  if (dateFrom !== undefined && dateTo !== undefined)
    asked.push(['Dates', `${formatDay(dateFrom)} – ${formatDay(dateTo)}`]);
  if (serviceId !== undefined)
    asked.push(['Service', (await findServiceName(source, scope, serviceId))?.name ?? '']);
  if (invoiceId !== undefined)
    asked.push(['Invoice', (await findInvoiceNumber(source, scope, invoiceId))?.number ?? '']);
  return asked;
}
