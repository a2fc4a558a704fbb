import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';

/** An event of a gateway, as it lies in the inbox. */
export interface EventRow {
  id: string;
  gateway_account_id: string;
  reseller_id: number;
  gateway: string;
  event_key: string;
  about: string | null;
  trust: 'signed' | 'hint' | null;
  remote: string | null;
  payment_id: string | null;
  outcome: string | null;
  problem: string | null;
  tries: number;
  received_at: Date;
  next_try_at: Date | null;
  handled_at: Date | null;
  is_open: boolean;
  is_kept: boolean;
}

export interface EventFilter {
  readonly resellerId: number;
  readonly state?: 'waiting' | 'failing' | 'needsReview' | 'done' | undefined;
  readonly gateway?: string | undefined;
  /** The id after which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const columns = sql`
  i.id, i.gateway_account_id, i.event_key, i.about, i.trust, i.remote, i.outcome, i.problem, i.tries, i.received_at,
  i.next_try_at, i.handled_at, i.is_open, i.event_sealed is not null as is_kept`;

/** The payment that the event names, by what its gateway calls it. */
const payment = sql`
  (select o.attempt_id from gateway_object o
    where o.gateway_account_id = i.gateway_account_id and o.remote = i.remote and o.about = 'charge') as payment_id`;

const states: Readonly<Record<NonNullable<EventFilter['state']>, Sql>> = {
  waiting: sql`i.is_open and i.problem is null`,
  failing: sql`i.is_open and i.problem is not null`,
  needsReview: sql`i.outcome like 'person: %'`,
  done: sql`i.handled_at is not null and i.outcome not like 'person: %'`,
};

/** Events that came to the gateway accounts of a reseller, the newest first. Each account is read for itself, by its index. */
export const listEvents = (db: Db, { resellerId, state, gateway, before, limit }: EventFilter) =>
  db.many<EventRow>(sql`
    select e.*, a.reseller_id, a.gateway
      from gateway_account a
      cross join lateral (
        select ${columns}, ${payment} from inbox i
         where i.gateway_account_id = a.id and ${state === undefined ? sql`true` : states[state]}
           and ${before === undefined ? sql`true` : sql`(i.received_at, i.id) < (select received_at, id from inbox where id = ${before})`}
         order by i.received_at desc, i.id desc limit ${limit}) as e
     where a.reseller_id = ${resellerId} and ${gateway === undefined ? sql`true` : sql`a.gateway = ${gateway}`}
     order by e.received_at desc, e.id desc limit ${limit}`);

/** One event. @param resellerId whose it has to be */
export const findEvent = (db: Db, id: string, resellerId: number): Promise<EventRow | undefined> =>
  db.maybeOne<EventRow>(sql`
    select ${columns}, ${payment}, a.reseller_id, a.gateway
      from inbox i join gateway_account a on a.id = i.gateway_account_id
     where i.id = ${id} and a.reseller_id = ${resellerId}`);

/** Lets an event be followed up at once. @returns whether there was one that still can be */
export const retryEvent = async (tx: Tx, id: string, now: Date): Promise<boolean> =>
  (await tx.execute(sql`
    update inbox set next_try_at = ${now}, handled_at = null, outcome = null
     where id = ${id} and event_sealed is not null and trust is not null
       and (is_open or outcome like 'person: %')`)) === 1;

/** Ends an event by a person's word. @returns whether there was one that had not ended */
export const endEventBy = async (
  tx: Tx,
  id: string,
  { outcome, now }: { readonly outcome: string; readonly now: Date },
): Promise<boolean> =>
  (await tx.execute(sql`
    update inbox
       set handled_at = ${now}, outcome = ${outcome}, next_try_at = null, leased_until = null, problem = null,
           event_sealed = null
     where id = ${id} and (is_open or outcome like 'person: %')`)) === 1;
