import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { ReportParams } from './definition.ts';

export interface ReportJobRow {
  id: string;
  name: string;
  status: 10 | 20 | 30 | 40;
  path: string | null;
  file_key: string | null;
  file_name: string;
  rows: number | null;
  size_bytes: bigint | null;
  created_at: Date;
  finished_at: Date | null;
  expires_at: Date | null;
}

const columns = sql`id, name, status, path, file_key, file_name, rows, size_bytes, created_at, finished_at, expires_at`;

export const findJob = (db: Db, scope: CustomerScope, id: string) =>
  db.maybeOne<ReportJobRow>(sql`
    select ${columns} from report_job where customer_id = ${scope.customerId} and id = ${id}`);

export const findJobByPath = (db: Db, scope: CustomerScope, path: string) =>
  db.maybeOne<ReportJobRow>(sql`
    select ${columns} from report_job where customer_id = ${scope.customerId} and path = ${path}`);

/** The latest jobs, newest first. */
export const listJobs = (db: Db, scope: CustomerScope, limit: number) =>
  db.many<ReportJobRow>(sql`
    select ${columns} from report_job where customer_id = ${scope.customerId}
     order by created_at desc, id desc limit ${limit}`);

/** How many reports of the customer wait or run. Who asks waits for others who ask, so that none slips through. */
export async function lockUnfinished(tx: Tx, scope: CustomerScope): Promise<number> {
  await tx.one(sql`select 1 from customer where customer_id = ${scope.customerId} for no key update`);
  const { n } = await tx.one<{ n: number }>(sql`
    select count(*)::int as n from report_job
     where customer_id = ${scope.customerId} and status in (10, 20)`);
  return n;
}

export interface NewReportJob {
  readonly id: string;
  readonly userId: string;
  readonly definition: string;
  readonly name: string;
  readonly params: ReportParams;
  readonly exportType: number;
  readonly byteOrderMark: boolean;
  readonly fileName: string;
  readonly now: Date;
}

export const insertJob = (tx: Tx, scope: CustomerScope, job: NewReportJob) =>
  tx.execute(sql`
    insert into report_job (customer_id, id, reseller_id, user_id, definition, name, parameters, export_type,
                            byte_order_mark, status, file_name, created_at)
    values (${scope.customerId}, ${job.id}, ${scope.resellerId}, ${job.userId}, ${job.definition}, ${job.name},
            ${JSON.stringify(job.params)}, ${job.exportType}, ${job.byteOrderMark}, 10, ${job.fileName}, ${job.now})`);

/** The number of an invoice of the customer. */
export const findInvoiceNumber = (db: Db, scope: CustomerScope, id: string) =>
  db.maybeOne<{ number: string }>(sql`
    select number from invoice where customer_id = ${scope.customerId} and id = ${id}`);

/** The name of a service the customer has items of. */
export const findServiceName = (db: Db, scope: CustomerScope, id: string) =>
  db.maybeOne<{ name: string }>(sql`
    select s.name from service s
     where s.reseller_id = ${scope.resellerId} and s.id = ${id}
       and exists (select from service_item i where i.customer_id = ${scope.customerId} and i.service_id = s.id)`);
