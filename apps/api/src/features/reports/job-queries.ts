import { type ExportType, exportExtension } from '@counterfoil/contract/reports.ts';
import { ReportStatus } from '@counterfoil/domain/report-job.ts';
import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { ReportParams } from './definition.ts';

/** What the worker and the sweep do with the rows of jobs. */

/** What names a job, in the queue too. */
export interface JobKey {
  readonly customerId: string;
  readonly id: string;
}

export interface WorkRow {
  status: ReportStatus;
  reseller_id: number;
  definition: string;
  name: string;
  parameters: ReportParams;
  export_type: ExportType;
  byte_order_mark: boolean;
  attempts: number;
  customer_label: string;
}

/** A job, locked until the transaction ends. */
export const lockJob = (tx: Tx, { customerId, id }: JobKey) =>
  tx.maybeOne<WorkRow>(sql`
    select j.status, j.reseller_id, j.definition, j.name, j.parameters, j.export_type, j.byte_order_mark, j.attempts,
           c.label as customer_label
      from report_job j join customer c on c.customer_id = j.customer_id
     where j.customer_id = ${customerId} and j.id = ${id} for update of j`);

/** Begins a further attempt. */
export const markStarted = (tx: Tx, { customerId, id }: JobKey, status: ReportStatus, now: Date) =>
  tx.execute(sql`
    update report_job set status = ${status}, attempts = attempts + 1, started_at = ${now}
     where customer_id = ${customerId} and id = ${id}`);

/** Whether this attempt is still the one that makes the report. */
export const isCurrent = async (db: Db, { customerId, id }: JobKey, attempt: number): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from report_job where customer_id = ${customerId} and id = ${id} and attempts = ${attempt}
       and status = ${ReportStatus.RUNNING}`)) !== undefined;

export interface Finished {
  readonly path: string;
  readonly fileKey: string;
  readonly rows: number;
  readonly sizeBytes: number;
  readonly now: Date;
  readonly expiresAt: Date;
}

export const markDone = (tx: Tx, { customerId, id }: JobKey, done: Finished) =>
  tx.execute(sql`
    update report_job
       set status = ${ReportStatus.DONE}, path = ${done.path}, file_key = ${done.fileKey}, rows = ${done.rows},
           size_bytes = ${done.sizeBytes}, error = null, finished_at = ${done.now}, expires_at = ${done.expiresAt}
     where customer_id = ${customerId} and id = ${id}`);

/** After a failure: back into the queue, or failed for good. */
export const markFailure = (
  tx: Tx,
  { customerId, id }: JobKey,
  failure: { readonly status: ReportStatus; readonly error: string; readonly now: Date },
) =>
  tx.execute(sql`
    update report_job
       set status = ${failure.status}, error = ${failure.error},
           finished_at = ${failure.status === ReportStatus.FAILED ? failure.now : null}
     where customer_id = ${customerId} and id = ${id}`);

/** The key of a report's job in the queue. */
export const queueKey = (id: string): string => `report:${id}`;

/** Where the file of a report lies, also one that nobody has written down. */
export const fileKeyOf = ({ customerId, id }: JobKey, type: ExportType): string =>
  `reports/${customerId}/${id}.${exportExtension[type]}`;

const isUnfinished = sql`status in (${ReportStatus.QUEUED}, ${ReportStatus.RUNNING})`;
/** The queue will try it, or a worker has it. */
const isInQueue = sql`(attempts < max_attempts or locked_at is not null)`;

export type UnfinishedRow = JobKey & { readonly exportType: ExportType };

/**
 * What the queue seems to have given up or lost, some at a time. The queue is asked by a statement of its own: on Citus the
 * two do not lie on one machine. So it is asked again about each ({@link isAbandoned}).
 */
export async function listAbandoned(db: Db, limit: number): Promise<readonly UnfinishedRow[]> {
  const queued = await db.many<{ id: string }>(sql`
    select substr(key, ${queueKey('').length + 1}) as id from graphile_worker.jobs
     where key like ${`${queueKey('')}%`} and ${isInQueue}`);
  return db.many(sql<UnfinishedRow>`
    select customer_id as "customerId", id, export_type as "exportType" from report_job
     where ${isUnfinished} and id <> all(${queued.map(({ id }) => id)}::uuid[]) limit ${limit}`);
}

/** Whether nobody makes it. The queue is asked first: a report is marked as made before its job leaves the queue. */
export async function isAbandoned(db: Db, { customerId, id }: JobKey): Promise<boolean> {
  const queued = sql`select 1 from graphile_worker.jobs where key = ${queueKey(id)} and ${isInQueue}`;
  if ((await db.maybeOne(queued)) !== undefined) return false;
  const unfinished = sql`
    select 1 from report_job where customer_id = ${customerId} and id = ${id} and ${isUnfinished}`;
  return (await db.maybeOne(unfinished)) !== undefined;
}

/** Marks it as failed: nothing waits for ever. */
export const failAbandoned = (tx: Tx, { customerId, id }: JobKey, now: Date) =>
  tx.execute(sql`
    update report_job
       set status = ${ReportStatus.FAILED}, finished_at = ${now}, error = coalesce(error, 'the queue gave it up')
     where customer_id = ${customerId} and id = ${id} and ${isUnfinished}`);

export interface ExpiredRow {
  customer_id: string;
  id: string;
  file_key: string;
}

/** Files whose time is over, some at a time. */
export const listExpired = (db: Db, now: Date, limit: number) =>
  db.many<ExpiredRow>(sql`
    select customer_id, id, file_key from report_job
     where path is not null and expires_at <= ${now} order by expires_at limit ${limit}`);

export const forgetFile = (tx: Tx, { customer_id: customerId, id }: ExpiredRow) =>
  tx.execute(sql`
    update report_job set path = null, file_key = null where customer_id = ${customerId} and id = ${id}`);

/** Jobs that ended before a moment and have no file are no longer listed. */
export const deleteOld = (tx: Tx, before: Date) =>
  tx.execute(sql`delete from report_job where finished_at < ${before} and path is null`);
