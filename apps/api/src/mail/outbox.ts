import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Tx } from '../db/database.ts';
import { sql, sqlOnce } from '../db/sql.ts';
import type { Clock } from '../deps.ts';
import { enqueue } from '../jobs/queue.ts';
import type { Job } from '../jobs/worker.ts';
import { type AnyBrandMail, composeMail } from './compose.ts';
import type { Mailer } from './mailer.ts';

/** What the jobs that mail have in common. */
export interface MailDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly mailFrom: string;
  /** Scheme and port of links; their host is the brand's. */
  readonly publicUrl: URL;
}

/**
 * A job that sends one mail each time it runs.
 * @param compose makes the mail of a payload; undefined: there is nothing to send any more. The message id comes from
 * the payload, so that a job that runs twice sends one mail
 */
export const mailJob = <P>(
  deps: Pick<MailDeps, 'mailer' | 'mailFrom'>,
  name: string,
  compose: (payload: P) => Promise<AnyBrandMail | undefined>,
): Job => ({
  name,
  async run(payload) {
    const mail = await compose(payload as P);
    if (mail !== undefined) await deps.mailer.send(composeMail(mail, deps.mailFrom));
  },
});

/** A mail to a customer that is promised once for ever: a row of the outbox and the job that sends it. */
export interface MailPromise {
  /** Kind of the row and name of the job; both are stored. */
  readonly kind: string;
  readonly customerId: string;
  /**
   * From what caused it: a second promise of this kind with the same cause is the same mail, even once that is sent. Where
   * several people get one, whom it goes to is part of it.
   */
  readonly cause: string;
  readonly payload: object;
}

/** What the job gets: the row of the outbox says the rest. */
interface PromisedJob {
  readonly customerId: string;
  readonly outboxId: string;
}

/**
 * Promises a mail, in the transaction of what it tells of: it goes out whatever happens to this process, and only once
 * however often its cause is reported.
 */
export async function promiseMail(tx: Tx, promise: MailPromise, now: Date): Promise<void> {
  const { kind, customerId, cause, payload } = promise;
  const id = newId(now.getTime());
  const written = await tx.execute(sqlOnce`
    insert into outbox (customer_id, id, kind, dedupe_key, payload, created_at)
    values (${customerId}, ${id}, ${kind}, ${cause}, ${JSON.stringify(payload)}, ${now})
    on conflict (customer_id, kind, dedupe_key) do nothing`);
  const job: PromisedJob = { customerId, outboxId: id };
  if (written > 0) await enqueue(tx, kind, job, { key: `${kind}:${id}` });
}

/** A promise that is kept now. */
export interface Promised<P> {
  readonly customerId: string;
  /** Of its row: the same whenever the job runs, so that the message id is made of it. */
  readonly id: string;
  readonly payload: P;
}

/**
 * The job that keeps the promises of a kind: a row that is done is not sent again.
 * @param compose makes the mail of what was promised; undefined leaves the promise open
 */
export const promisedMailJob = <P>(
  deps: Pick<MailDeps, 'db' | 'clock' | 'mailer' | 'mailFrom'>,
  kind: string,
  compose: (promised: Promised<P>) => Promise<AnyBrandMail | undefined>,
): Job => ({
  name: kind,
  async run(given) {
    const { customerId, outboxId: id } = given as PromisedJob;
    const row = await deps.db.maybeOne<{ payload: P; done_at: Date | null }>(sql`
      select payload, done_at from outbox where customer_id = ${customerId} and id = ${id}`);
    if (row === undefined || row.done_at !== null) return;
    const mail = await compose({ customerId, id, payload: row.payload });
    if (mail === undefined) return;
    await deps.mailer.send(composeMail(mail, deps.mailFrom));
    await deps.db.transaction((tx) =>
      tx.execute(sql`
        update outbox set done_at = ${deps.clock.now()} where customer_id = ${customerId} and id = ${id}`),
    );
  },
});
