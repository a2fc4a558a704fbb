import type { MailKind } from '@counterfoil/contract/mail-texts.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { MailWords } from '../../mail/compose.ts';
import type { MailState, MailTry } from '../../mail/kept.ts';

export interface MailRow {
  id: string;
  kind: MailKind;
  address: string;
  subject: string;
  state: MailState;
  customer_id: string | null;
  customer: string | null;
  user_id: string | null;
  tries: readonly MailTry[];
  created_at: Date;
  updated_at: Date;
}

export interface WholeMailRow extends MailRow {
  reseller_id: number;
  brand_id: number;
  content: Omit<MailWords, 'subject'>;
  task: string;
  payload: Readonly<Record<string, unknown>>;
  job_id: string;
}

export interface MailFilter {
  readonly resellerId: number;
  readonly customerId?: string | undefined;
  readonly address?: string | undefined;
  readonly kind?: string | undefined;
  readonly state?: string | undefined;
  /** The id after which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const columns = sql`
  m.id, m.kind, m.address, m.subject, m.state, m.customer_id, c.label as customer, m.user_id, m.tries, m.created_at,
  m.updated_at`;
const from = sql`from mail m left join customer c on c.customer_id = m.customer_id`;

/** Mails of a reseller, the newest first. */
export function listMails(db: Db, filter: MailFilter): Promise<MailRow[]> {
  const { resellerId, customerId, address, kind, state, before, limit } = filter;
  const where: readonly (Sql | false)[] = [
    customerId !== undefined &&
      sql`(m.customer_id = ${customerId}
           or m.user_id in (select user_id from membership where customer_id = ${customerId}))`,
    address !== undefined && sql`lower(m.address) = ${address.toLowerCase()}`,
    kind !== undefined && sql`m.kind = ${kind}`,
    state !== undefined && sql`m.state = ${state}`,
    before !== undefined && sql`m.id < ${before}`,
  ];
  const conditions = where.reduce<Sql>(
    (all, one) => (one === false ? all : sql`${all} and ${one}`),
    sql`m.reseller_id = ${resellerId} and m.operator_id is null`,
  );
  return db.many<MailRow>(sql`
    select ${columns} ${from} where ${conditions} order by m.id desc limit ${limit}`);
}

/** One mail with what it says. @param resellerId whose it has to be; undefined: anybody's */
export const findMail = (
  db: Db,
  id: string,
  resellerId: number | undefined,
): Promise<WholeMailRow | undefined> =>
  db.maybeOne<WholeMailRow>(sql`
    select ${columns}, m.reseller_id, m.brand_id, m.content, m.task, m.payload, m.job_id
      ${from} where m.id = ${id} and m.operator_id is null and ${resellerId === undefined ? sql`true` : sql`m.reseller_id = ${resellerId}`}`);

/** Keeps others from changing a mail until the transaction ends. @returns where it stands */
export const lockMail = async (tx: Tx, id: string): Promise<MailState | undefined> =>
  (await tx.maybeOne<{ state: MailState }>(sql`select state from mail where id = ${id} for update`))?.state;

/**
 * Takes the job of a mail out of the queue, where it waits to be tried again or was given up.
 * @returns false where it runs just now
 */
export async function takeOutJob(tx: Tx, jobId: string): Promise<boolean> {
  const running = await tx.maybeOne(sql`
    select 1 from graphile_worker._private_jobs where id = ${jobId}::bigint and locked_at is not null`);
  if (running !== undefined) return false;
  await tx.many(sql`select id from graphile_worker.complete_jobs(array[${jobId}::bigint])`);
  return true;
}

/** From now on another job sends the mail, and to that address. */
export const nameJob = (tx: Tx, id: string, jobId: string, address: string): Promise<number> =>
  tx.execute(sql`
    update mail set job_id = ${jobId}, address = ${address}, orders = orders + 1 where id = ${id}`);
