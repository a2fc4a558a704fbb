import type { MessageType } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import type { Database, Db } from '../../../db/database.ts';
import { type Sql, sql, sqlOnce } from '../../../db/sql.ts';
import { TIMEOUT_MS } from './post.ts';
import { FAILING_FROM } from './retries.ts';

/** Whoever has taken a delivery has it for as long; then it is taken again. */
const LEASE_MS = TIMEOUT_MS + 45_000;

/** A delivery that this process has taken, with all that sending it needs. */
export interface TakenDelivery {
  endpoint_id: string;
  message_id: string;
  /** This one included. */
  tries: number;
  until: Date;
  url: string;
  secret_sealed: Buffer;
  previous_sealed: Buffer | null;
  previous_until: Date | null;
  reseller_id: number;
  type: MessageType;
  data: unknown;
  at: Date;
}

/** Endpoints that have something due. */
export const endpointsWithDue = (db: Db, now: Date) =>
  db.many<{ id: string }>(sqlOnce`
    select e.id from webhook_endpoint e
     where e.state = 'enabled' and (e.retry_at is null or e.retry_at <= ${now})
       and exists (select from webhook_delivery d
                    where d.endpoint_id = e.id and d.state = 'waiting' and d.next_try_at <= ${now}
                      and (d.leased_until is null or d.leased_until <= ${now}))
     order by e.id`);

/**
 * Takes the next delivery of an endpoint: the longest due, but none before the one of the same object that was written earlier
 * has ended. Nobody else takes it until its lease is over. Of an endpoint that fails, one is tried at a time.
 *
 * However many wait, it reads a few rows: the queue in the order of its index, and of each row the earliest of its object. It is
 * planned at each call and says how few rows it means, because a queue may grow from nothing to a hundred thousand before its
 * table is analyzed.
 * @param messageId that one alone
 */
export async function takeDelivery(
  db: Database,
  endpointId: string,
  now: Date,
  messageId?: string,
): Promise<TakenDelivery | undefined> {
  const leasedUntil = new Date(now.getTime() + LEASE_MS);
  const which: Sql = messageId === undefined ? sqlOnce`true` : sqlOnce`d.message_id = ${messageId}`;
  return db.transaction((tx) =>
    tx.maybeOne<TakenDelivery>(sql`
      with endpoint as (
        select id, failures from webhook_endpoint
         where id = ${endpointId} and state = 'enabled' and (retry_at is null or retry_at <= ${now})),
      due as (
        select d.endpoint_id, d.message_id from webhook_delivery d
         where d.endpoint_id = (select id from endpoint) and ${which} and d.state = 'waiting' and d.next_try_at <= ${now}
           and (d.leased_until is null or d.leased_until <= ${now})
           and d.message_id = (select b.message_id from webhook_delivery b
                                where b.endpoint_id = d.endpoint_id and b.object_id = d.object_id and b.state = 'waiting'
                                order by b.written_at, b.message_id limit 1)
         order by d.next_try_at, d.message_id limit 1 for update of d skip locked),
      taken as (
        update webhook_delivery d set leased_until = ${leasedUntil}, tries = d.tries + 1
          from due where d.endpoint_id = due.endpoint_id and d.message_id = due.message_id
        returning d.endpoint_id, d.message_id, d.tries, d.until),
      alone as (
        update webhook_endpoint e set retry_at = ${leasedUntil}
          from taken where e.id = taken.endpoint_id and e.failures >= ${FAILING_FROM})
      select t.endpoint_id, t.message_id, t.tries, t.until, e.url, e.secret_sealed, e.previous_sealed, e.previous_until,
             m.reseller_id, m.type, m.data, m.at
        from (select * from taken limit 1) t
        join webhook_endpoint e on e.id = t.endpoint_id
        join webhook_message m on m.id = t.message_id`),
  );
}
