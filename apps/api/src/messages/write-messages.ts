import type { MessageType } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../db/database.ts';
import { sql, sqlOnce } from '../db/sql.ts';

/** How long a delivery is tried before it is given up, milliseconds. */
export const TRIED_FOR_MS = 3 * 24 * 60 * 60_000;

/** A message that is to be written. */
export interface NewMessage {
  readonly type: MessageType;
  /** Messages of one object reach an endpoint in the order in which they were written. */
  readonly objectId: string;
  readonly customerId: string | null;
  /** As its schema in the contract has it. */
  readonly data: object;
}

/** What was read in a transaction, so that several changes in one, such as of a payment, ask once. */
const read = new WeakMap<Tx, Map<number | string, Promise<Listening>>>();

/** Whose endpoints listen, and to what. */
export interface Listening {
  /** Says of a type whether anybody wants it. */
  readonly wanted: (type: MessageType) => boolean;
  /** 0 where nobody listens. */
  readonly resellerId: number;
}

function once(tx: Tx, whose: number | string, look: () => Promise<Listening>): Promise<Listening> {
  const known = read.get(tx) ?? new Map<number | string, Promise<Listening>>();
  read.set(tx, known);
  const found = known.get(whose) ?? look();
  known.set(whose, found);
  return found;
}

/**
 * Which types of messages the endpoints of a reseller want; nothing else is ever written. One statement over a small table,
 * which is all that a change costs where nobody listens.
 */
export const listeningOf = (tx: Tx, resellerId: number): Promise<Listening> =>
  once(tx, resellerId, async () =>
    listening(
      await tx.many<TypesRow>(sqlOnce`
        select types, reseller_id from webhook_endpoint where reseller_id = ${resellerId} and state <> 'disabled'`),
    ),
  );

/** The same by a customer of the reseller. */
export const listeningOfCustomer = (tx: Tx, customerId: string): Promise<Listening> =>
  once(tx, customerId, async () =>
    listening(
      await tx.many<TypesRow>(sqlOnce`
        select e.types, e.reseller_id from customer c join webhook_endpoint e on e.reseller_id = c.reseller_id
         where c.customer_id = ${customerId} and e.state <> 'disabled'`),
    ),
  );

interface TypesRow {
  types: readonly string[];
  reseller_id: number;
}

const listening = (rows: readonly TypesRow[]): Listening => ({
  wanted: (type) => rows.some(({ types }) => types.length === 0 || types.includes(type)),
  resellerId: rows[0]?.reseller_id ?? 0,
});

/**
 * Writes messages in the transaction of what they tell of, with a delivery for each endpoint that wants them: in one statement,
 * however many they are.
 * @param now when it happened, and from when they are tried
 * @param only the one endpoint they are for, whatever it wants
 */
export async function writeMessages(
  tx: Tx,
  resellerId: number,
  messages: readonly NewMessage[],
  now: Date,
  only?: string,
): Promise<readonly string[]> {
  if (messages.length === 0) return [];
  const ids = messages.map(() => newId(now.getTime()));
  const rows = messages.map((message, at) => ({ ...message, id: ids[at] }));
  const until = new Date(now.getTime() + TRIED_FOR_MS);
  const isFor =
    only === undefined
      ? sql`e.reseller_id = ${resellerId} and e.state <> 'disabled'
              and (cardinality(e.types) = 0 or m.type = any(e.types))`
      : sql`e.reseller_id = ${resellerId} and e.id = ${only}`;
  await tx.execute(sql`
    with given as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json)
                 as g(id uuid, "customerId" uuid, type text, "objectId" uuid, data json)),
    written as (
      insert into webhook_message (id, reseller_id, customer_id, type, object_id, data, at)
      select m.id, ${resellerId}::int, m."customerId", m.type, m."objectId", m.data, ${now}::timestamptz from given m
       where exists (select from webhook_endpoint e where ${isFor}))
    insert into webhook_delivery (endpoint_id, message_id, object_id, state, next_try_at, until)
    select e.id, m.id, m."objectId", 'waiting', ${now}::timestamptz, ${until}::timestamptz
      from given m join webhook_endpoint e on ${isFor}`);
  return ids;
}
