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

const isAbandoned = sql`
  r.status in (${ReportStatus.QUEUED}, ${ReportStatus.RUNNING})
  and not exists (select from graphile_worker.jobs q
                   where q.key = 'report:' || r.id and (q.attempts < q.max_attempts or q.locked_at is not null))`;

/** What the queue has given up or lost, some at a time. */
export const listAbandoned = (db: Db, limit: number) =>
  db.many<{ customer_id: string; id: string; export_type: ExportType }>(sql`
    select r.customer_id, r.id, r.export_type from report_job r where ${isAbandoned} limit ${limit}`);

/** Marks it as failed: nothing waits for ever. */
export const failAbandoned = (tx: Tx, { customerId, id }: JobKey, now: Date) =>
  tx.execute(sql`
    update report_job r
       set status = ${ReportStatus.FAILED}, finished_at = ${now}, error = coalesce(error, 'the queue gave it up')
     where r.customer_id = ${customerId} and r.id = ${id} and ${isAbandoned}`);

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
