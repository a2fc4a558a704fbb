import type { EndpointState } from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import type { MessageType } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** An endpoint as it is told of; its secrets are read by who sends alone. */
export interface EndpointRow {
  id: string;
  reseller_id: number;
  url: string;
  description: string;
  types: MessageType[];
  state: EndpointState;
  state_reason: string | null;
  failures: number;
  failing_since: Date | null;
  retry_at: Date | null;
  last_problem: string | null;
  last_delivered_at: Date | null;
  previous_until: Date | null;
  version: number;
  waiting: number;
  given_up: number;
  created_at: Date;
  updated_at: Date;
}

/** Counting more would cost more than it tells. */
const COUNTED = 1_000;

const counted = (state: 'waiting' | 'givenUp') => sql`
  (select count(*)::int from (select from webhook_delivery d
                               where d.endpoint_id = e.id and d.state = ${sql.lit(state)} limit ${COUNTED}) as n)`;

const select = sql`
  select e.id, e.reseller_id, e.url, e.description, e.types, e.state, e.state_reason, e.failures, e.failing_since, e.retry_at,
         e.last_problem, e.last_delivered_at, e.previous_until, e.version, ${counted('waiting')} as waiting,
         ${counted('givenUp')} as given_up, e.created_at, e.updated_at
    from webhook_endpoint e`;

/** Endpoints of a reseller, the oldest first. */
export const listEndpoints = (db: Db, resellerId: number) =>
  db.many<EndpointRow>(sql`${select} where e.reseller_id = ${resellerId} order by e.id`);

/** @param resellerId whose it has to be */
export const findEndpoint = (db: Db, resellerId: number, id: string) =>
  db.maybeOne<EndpointRow>(sql`${select} where e.reseller_id = ${resellerId} and e.id = ${id}`);

/** The same, locked until the transaction ends. */
export const lockEndpoint = (tx: Tx, resellerId: number, id: string) =>
  tx.maybeOne<EndpointRow>(
    sql`${select} where e.reseller_id = ${resellerId} and e.id = ${id} for update of e`,
  );

export interface DeliveryRow {
  message_id: string;
  endpoint_id: string;
  reseller_id: number;
  type: MessageType;
  object_id: string;
  state: 'waiting' | 'delivered' | 'givenUp';
  tries: number;
  at: Date;
  next_try_at: Date;
  ended_at: Date | null;
  status: number | null;
  problem: string | null;
}

export interface DeliveryFilter {
  readonly endpointId: string;
  readonly state?: DeliveryRow['state'] | undefined;
  readonly type?: MessageType | undefined;
  readonly object?: string | undefined;
  /** The id after which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const deliveries = (where: Sql) => sql<DeliveryRow>`
  select d.message_id, d.endpoint_id, m.reseller_id, m.type, d.object_id, d.state, d.tries, m.at, d.next_try_at, d.ended_at, t.status,
         t.problem
    from webhook_delivery d join webhook_message m on m.id = d.message_id
    left join lateral (select status, problem from webhook_try t
                        where t.endpoint_id = d.endpoint_id and t.message_id = d.message_id
                        order by t.number desc limit 1) as t on true
   where ${where}`;

/** Messages on their way to an endpoint, the newest first. */
export function listDeliveries(db: Db, of: DeliveryFilter): Promise<DeliveryRow[]> {
  const where: readonly (Sql | false)[] = [
    of.state !== undefined && sql`d.state = ${of.state}`,
    of.type !== undefined && sql`m.type = ${of.type}`,
    of.object !== undefined && sql`d.object_id = ${of.object}`,
    of.before !== undefined && sql`d.message_id < ${of.before}`,
  ];
  const conditions = where.reduce<Sql>(
    (all, one) => (one === false ? all : sql`${all} and ${one}`),
    sql`d.endpoint_id = ${of.endpointId}`,
  );
  return db.many<DeliveryRow>(sql`${deliveries(conditions)} order by d.message_id desc limit ${of.limit}`);
}

export const findDelivery = (db: Db, endpointId: string, messageId: string) =>
  db.maybeOne(deliveries(sql`d.endpoint_id = ${endpointId} and d.message_id = ${messageId}`));

export const findMessageData = async (db: Db, id: string): Promise<unknown> =>
  (await db.one<{ data: unknown }>(sql`select data from webhook_message where id = ${id}`)).data;

export interface TryRow {
  number: number;
  at: Date;
  took_ms: number;
  status: number | null;
  problem: string | null;
  answer: string | null;
}

export const listTries = (db: Db, endpointId: string, messageId: string) =>
  db.many<TryRow>(sql`
    select number, at, took_ms, status, problem, answer from webhook_try
     where endpoint_id = ${endpointId} and message_id = ${messageId} order by number desc limit 50`);

/** Endpoints of a reseller that need a person: what stopped by itself, or fails for a while. */
export const endpointsInTrouble = (db: Db, resellerId: number, failingBefore: Date) =>
  db.many<
    Pick<
      EndpointRow,
      'id' | 'url' | 'state' | 'state_reason' | 'last_problem' | 'failing_since' | 'updated_at'
    >
  >(sql`
    select id, url, state, state_reason, last_problem, failing_since, updated_at from webhook_endpoint
     where reseller_id = ${resellerId}
       and (state_reason is not null or state = 'enabled' and failing_since < ${failingBefore}) order by id`);
