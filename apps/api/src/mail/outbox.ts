import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Tx } from '../db/database.ts';
import { forCustomer } from '../db/row-security/for-customer.ts';
import { type Sql, sql, sqlOnce } from '../db/sql.ts';
import type { Clock } from '../deps.ts';
import { enqueueAll } from '../jobs/queue.ts';
import type { Job, JobRun } from '../jobs/worker.ts';
import type { AnyBrandMail } from './compose.ts';
import { closeKept, findKept } from './kept.ts';
import { type MailDeps, sendKept } from './send-kept.ts';

export type { MailDeps } from './send-kept.ts';

/** For a mail that no queue sends: one try. */
const outsideQueue = (): JobRun => ({ id: newId(), isLast: true });

type SendDeps = Pick<MailDeps, 'db' | 'clock' | 'mailer' | 'mailFrom' | 'bounces'>;

/**
 * A job that sends one mail each time it runs.
 * @param compose makes the mail of a payload; undefined: there is nothing to send any more. The message id comes from
 * the payload, so that a job that runs twice sends one mail. `isAgain`: a person has ordered it once more
 */
export const mailJob = <P>(
  deps: SendDeps,
  name: string,
  compose: (payload: P, isAgain: boolean) => Promise<AnyBrandMail | undefined>,
): Job => ({
  name,
  async run(payload, run = outsideQueue()) {
    const kept = await findKept(deps.db, run.id);
    const mail = await compose(payload as P, kept?.isAgain === true);
    if (mail === undefined) return closeKept(deps, kept);
    await sendKept(deps, { task: name, payload: payload as object, run, kept, mail });
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
 * however often its cause is reported. Its job is put into the queue by {@link queuePromises}.
 */
export async function promiseMail(tx: Tx, promise: MailPromise, now: Date): Promise<void> {
  await tx.execute(sqlOnce`${promisedMail(promise, now)}`);
}

/** The same as a part of a statement that writes more than that. */
export const promisedMail = ({ kind, customerId, cause, payload }: MailPromise, now: Date): Sql => sql`
    insert into outbox (customer_id, id, kind, dedupe_key, payload, created_at)
    values (${customerId}, ${newId(now.getTime())}, ${kind}, ${cause}, ${JSON.stringify(payload)}, ${now})
    on conflict (customer_id, kind, dedupe_key) do nothing`;

/** The same for many mails in one statement; a cause that is there twice is one mail. */
export async function promiseMails(tx: Tx, promises: readonly MailPromise[], now: Date): Promise<void> {
  if (promises.length === 0) return;
  await tx.execute(sql`
    insert into outbox (customer_id, id, kind, dedupe_key, payload, created_at)
    select customer_id, id, kind, cause, payload::jsonb, ${now}::timestamptz
      from unnest(${promises.map(({ customerId }) => customerId)}::uuid[], ${promises.map(() => newId(now.getTime()))}::uuid[],
                  ${promises.map(({ kind }) => kind)}::text[], ${promises.map(({ cause }) => cause)}::text[],
                  ${promises.map(({ payload }) => JSON.stringify(payload))}::text[]) as p(customer_id, id, kind, cause, payload)
    on conflict (customer_id, kind, dedupe_key) do nothing`);
}

/** Between two rounds of {@link queuePromises}. */
export const QUEUE_PROMISES_MS = 2_000;
const AT_ONCE = 500;

interface UnqueuedPromise {
  readonly customer_id: string;
  readonly id: string;
  readonly kind: string;
}

/**
 * Puts the jobs of promised mails into the queue, many at once: a job costs more than all else a payment writes, and its
 * notice to the workers makes commits wait for each other (docs/adr/0094-promised-mails-are-queued-by-a-round.md).
 * One process does it at a time; the others have nothing to do meanwhile.
 */
export async function queuePromises(db: Database, clock: Clock): Promise<void> {
  const waits = await db.maybeOne(sqlOnce`select 1 from outbox where queued_at is null limit 1`);
  if (waits === undefined) return;
  while ((await queueSome(db, clock.now())) === AT_ONCE);
}

/** @returns how many promises were looked at */
const queueSome = (db: Database, now: Date): Promise<number> =>
  db.transaction(async (tx) => {
    const waiting = await tx.many<UnqueuedPromise>(sql`
      select customer_id, id, kind from outbox where queued_at is null order by created_at limit ${AT_ONCE}`);
    if (waiting.length === 0) return 0;
    const { isMine } = await tx.one<{ isMine: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtext('counterfoil promised mails')) as "isMine"`,
    );
    if (!isMine) return 0;
    // What another process has queued since the first look is not queued again.
    const taken = await tx.many<UnqueuedPromise>(sql`
      update outbox o set queued_at = ${now}
        from unnest(${waiting.map((row) => row.customer_id)}::uuid[], ${waiting.map(({ id }) => id)}::uuid[])
               as w(customer_id, id)
       where o.customer_id = w.customer_id and o.id = w.id and o.queued_at is null
      returning o.customer_id, o.id, o.kind`);
    for (const kind of new Set(taken.map((row) => row.kind))) await enqueueAll(tx, kind, jobsOf(kind, taken));
    return waiting.length;
  });

const jobsOf = (kind: string, promises: readonly UnqueuedPromise[]) =>
  promises
    .filter((promise) => promise.kind === kind)
    .map(({ customer_id: customerId, id }) => {
      const payload: PromisedJob = { customerId, outboxId: id };
      return { payload, key: `${kind}:${id}` };
    });

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
  deps: SendDeps,
  kind: string,
  compose: (promised: Promised<P>) => Promise<AnyBrandMail | undefined>,
): Job => ({
  name: kind,
  async run(given, run = outsideQueue()) {
    const { customerId, outboxId: id } = given as PromisedJob;
    const row = await deps.db.maybeOne<{ payload: P; done_at: Date | null }>(sql`
      select payload, done_at from outbox where customer_id = ${customerId} and id = ${id}`);
    const kept = await findKept(deps.db, run.id);
    const isAgain = kept?.isAgain === true;
    if (row === undefined || (row.done_at !== null && !isAgain)) return;
    const composed = await forCustomer(customerId, () => compose({ customerId, id, payload: row.payload }));
    if (composed === undefined) return closeKept(deps, kept);
    // Sent again, it goes where the person who ordered that has said.
    const to = isAgain ? kept.address : composed.to;
    const mail = { ...composed, to, about: { customerId } };
    const payload: PromisedJob = { customerId, outboxId: id };
    await sendKept(deps, { task: kind, payload, run, kept, mail }, (tx) =>
      tx.execute(sql`
        update outbox set done_at = coalesce(done_at, ${deps.clock.now()})
         where customer_id = ${customerId} and id = ${id}`),
    );
  },
});
