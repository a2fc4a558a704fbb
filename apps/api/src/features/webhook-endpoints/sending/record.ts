import type { Database, Tx } from '../../../db/database.ts';
import { sql, sqlOnce } from '../../../db/sql.ts';
import { enqueueEndpointMails, type StoppedEndpoint } from '../../operators/service.ts';
import type { Posted } from './post.ts';
import { endpointPause, FAILING_FROM, PAUSED_AFTER_MS, pauseAfter } from './retries.ts';
import type { TakenDelivery } from './take.ts';

const GONE = 410;
/** The note that an endpoint works is written this often, not with each delivery. */
const NOTED_EVERY_MS = 60_000;

/** What a try has come to. */
export interface Tried extends Posted {
  readonly begunAt: Date;
  readonly endedAt: Date;
}

/**
 * Writes down what came of a try: the delivery has ended or is tried again later, and the endpoint works or fails. Of a try
 * whose lease was over, so that another process has taken it, only the try is kept.
 */
export function recordTry(db: Database, taken: TakenDelivery, tried: Tried): Promise<void> {
  return db.transaction(async (tx) => {
    await keepTry(tx, taken, tried);
    if (tried.problem === null) await recordDelivered(tx, taken, tried.endedAt);
    else await recordFailed(tx, taken, { ...tried, problem: tried.problem });
  });
}

const keepTry = (
  tx: Tx,
  { endpoint_id: endpoint, message_id: message, tries }: TakenDelivery,
  tried: Tried,
) =>
  tx.execute(sqlOnce`
    insert into webhook_try (endpoint_id, message_id, number, at, took_ms, status, problem, answer)
    select ${endpoint}::uuid, ${message}::uuid, ${tries}::int, ${tried.begunAt}::timestamptz,
           ${Math.max(0, tried.endedAt.getTime() - tried.begunAt.getTime())}::int, ${tried.status}::int,
           ${tried.problem}::text, ${tried.answer}::text
     where exists (select from webhook_delivery where endpoint_id = ${endpoint} and message_id = ${message})
    on conflict do nothing`);

async function recordDelivered(
  tx: Tx,
  { endpoint_id: endpoint, message_id: message, tries }: TakenDelivery,
  now: Date,
): Promise<void> {
  // Whoever else has it meanwhile would deliver what is delivered.
  await tx.execute(sqlOnce`
    update webhook_delivery set state = 'delivered', ended_at = ${now}, leased_until = null
     where endpoint_id = ${endpoint} and message_id = ${message} and state = 'waiting' and tries >= ${tries}`);
  const before = await tx.maybeOne<{ failures: number }>(sqlOnce`
    select failures from webhook_endpoint
     where id = ${endpoint}
       and (failures > 0 or last_delivered_at is null or last_delivered_at < ${new Date(now.getTime() - NOTED_EVERY_MS)})
       for update`);
  if (before === undefined) return;
  await tx.execute(sqlOnce`
    update webhook_endpoint
       set failures = 0, failing_since = null, retry_at = null, last_problem = null, last_delivered_at = ${now}
     where id = ${endpoint}`);
  // What waited for hours because nobody answered need not wait on.
  if (before.failures >= FAILING_FROM)
    await tx.execute(sql`
      update webhook_delivery set next_try_at = ${now}
       where endpoint_id = ${endpoint} and state = 'waiting' and next_try_at > ${now}`);
}

async function recordFailed(
  tx: Tx,
  { endpoint_id: endpoint, message_id: message, tries, until, reseller_id: resellerId }: TakenDelivery,
  { status, problem, endedAt: now }: Tried & { readonly problem: string },
): Promise<void> {
  const isOver = now >= until;
  const nextTryAt = new Date(now.getTime() + pauseAfter(tries));
  await tx.execute(sqlOnce`
    update webhook_delivery
       set state = case when ${isOver}::boolean then 'givenUp' else 'waiting' end,
           ended_at = case when ${isOver}::boolean then ${now}::timestamptz end,
           next_try_at = ${nextTryAt}, leased_until = null
     where endpoint_id = ${endpoint} and message_id = ${message} and state = 'waiting' and tries = ${tries}`);
  const row = await tx.maybeOne<{
    failures: number;
    failing_since: Date;
    state: string;
    url: string;
  }>(sqlOnce`
    update webhook_endpoint
       set failures = failures + 1, failing_since = coalesce(failing_since, ${now}), last_problem = ${problem}
     where id = ${endpoint} returning failures, failing_since, state, url`);
  if (row === undefined) return;
  const stopped = { id: endpoint, resellerId, host: new URL(row.url).host };
  if (status === GONE)
    return endAll(tx, { ...stopped, state: 'disabled', reason: 'It answered 410 Gone' }, now);
  const isLong = now.getTime() - row.failing_since.getTime() >= PAUSED_AFTER_MS;
  if (isLong && row.state === 'enabled') {
    const reason = `It has failed for three days: ${problem}`;
    await tx.execute(sql`
      update webhook_endpoint
         set state = 'paused', state_reason = ${reason}, retry_at = null, version = version + 1, updated_at = ${now}
       where id = ${endpoint}`);
    return enqueueEndpointMails(tx, { ...stopped, state: 'paused', reason }, now);
  }
  const retryAt = new Date(now.getTime() + endpointPause(row.failures));
  await tx.execute(sqlOnce`update webhook_endpoint set retry_at = ${retryAt} where id = ${endpoint}`);
}

/** Whoever answers 410 wants nothing any more: what waits is given up, and nothing more is written. */
async function endAll(tx: Tx, stopped: StoppedEndpoint, now: Date): Promise<void> {
  const ended = await tx.execute(sql`
    update webhook_endpoint
       set state = 'disabled', state_reason = ${stopped.reason}, retry_at = null, version = version + 1, updated_at = ${now}
     where id = ${stopped.id} and state <> 'disabled'`);
  await giveUpWaiting(tx, stopped.id, now);
  if (ended > 0) await enqueueEndpointMails(tx, stopped, now);
}

/** Gives up all that waits for an endpoint. */
export const giveUpWaiting = (tx: Tx, endpointId: string, now: Date): Promise<number> =>
  tx.execute(sql`
    update webhook_delivery set state = 'givenUp', ended_at = ${now}, leased_until = null
     where endpoint_id = ${endpointId} and state = 'waiting'`);
