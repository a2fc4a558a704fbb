import { money } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { GatewayEvent } from '@counterfoil/gateways/port/gateway.ts';
import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { GatewayAccount } from '../accounts.ts';
import type { EngineDeps } from '../attempts/engine.ts';

/** Who brought an event, and whether its sender is proven. */
export interface EventOrigin {
  readonly account: GatewayAccount;
  readonly trust: 'signed' | 'hint';
}

/** Events of one delivery, as one account reads it. */
export interface ReceivedEvents extends EventOrigin {
  readonly events: readonly GatewayEvent[];
}

const ABOUT_METHODS: ReadonlySet<GatewayEvent['about']> = new Set(['method', 'mandate', 'payer']);

/** Whether an event is about a saved method, a mandate or a payer, of which some names can be charged. */
export const isAboutMethod = ({ about }: Pick<GatewayEvent, 'about'>): boolean => ABOUT_METHODS.has(about);

type InboxDeps = Pick<EngineDeps, 'db' | 'clock' | 'secrets'>;

/** Three calls to a gateway that are not answered. After this, whoever took an event is dead, or another may try. */
export const FOLLOW_LEASE_MS = 60_000;

/**
 * Writes all events of a delivery to the inbox in one statement, so that it can be answered. An event that is known is not
 * doubled: one that was followed up stays so, one that still waits is due now.
 * @returns how many events are due now, by account id
 * @throws {DatabaseUnavailable} when nothing was written, as far as is known: the gateway is to deliver it again
 */
export async function receiveEvents(
  deps: InboxDeps,
  received: readonly ReceivedEvents[],
): Promise<ReadonlyMap<string, number>> {
  const now = deps.clock.now();
  const all = received.flatMap(({ account, trust, events }) => [
    // A delivery may name the same event twice.
    ...new Map(
      events.map((one, position) => {
        const sealed = deps.secrets.seal(textOf(one), placeOf(account.id, one.id));
        const { about, id: key } = one;
        const remote = isAboutMethod(one) ? null : (one.remote ?? null);
        const id = newId(now.getTime());
        return [key, { id, account: account.id, key, position, sealed, trust, about, remote }] as const;
      }),
    ).values(),
  ]);
  if (all.length === 0) return new Map();
  const due = await deps.db.transaction((tx) =>
    // In the order of the key: two deliveries of the same events do not stand in each other's way.
    tx.many<{ id: string }>(sql`
      insert into inbox as i (id, gateway_account_id, event_key, position, event_sealed, trust, about, remote, received_at,
                              next_try_at)
      select e.id, e.account_id, e.event_key, e.position, e.event_sealed, e.trust, e.about, e.remote, ${now}::timestamptz,
             ${now}::timestamptz
        from unnest(${all.map((one) => one.id)}::uuid[],
                    ${all.map((one) => one.about)}::text[], ${all.map((one) => one.remote)}::text[],
                    ${all.map((one) => one.account)}::uuid[], ${all.map((one) => one.key)}::text[],
                    ${all.map((one) => one.position)}::integer[], ${all.map((one) => one.sealed)}::bytea[],
                    ${all.map((one) => one.trust)}::text[]) as e(id, about, remote, account_id, event_key, position, event_sealed, trust)
       order by e.account_id, e.event_key
      on conflict (gateway_account_id, event_key) do update
         set event_sealed = excluded.event_sealed, trust = excluded.trust, next_try_at = excluded.next_try_at
       -- What a proven sender said is not replaced by somebody else's word.
       where i.handled_at is null and (i.trust is distinct from 'signed' or excluded.trust = 'signed')
      returning gateway_account_id as id`),
  );
  const counts = new Map<string, number>();
  for (const { id } of due) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** An event that is this process's to follow up, until its lease ends. */
export interface TakenEvent {
  readonly accountId: string;
  readonly key: string;
  readonly sealed: Buffer;
  readonly trust: EventOrigin['trust'];
  readonly receivedAt: Date;
  readonly position: number;
  /** This one included. */
  readonly tries: number;
  readonly leasedUntil: Date;
}

/**
 * Takes an event of an account that is due; others pass it by until the lease ends. What was tried least comes first: an event
 * do not wait behind many that cannot be followed.
 */
export function takeEvent(deps: InboxDeps, accountId: string): Promise<TakenEvent | undefined> {
  const now = deps.clock.now();
  const until = new Date(now.getTime() + FOLLOW_LEASE_MS);
  return deps.db.transaction((tx) =>
    // Chosen once, in a part of its own: under some plans a condition is looked up for each row, and takes several.
    tx.maybeOne<TakenEvent>(sql`
      with next as (
        select gateway_account_id, event_key from inbox
         where gateway_account_id = ${accountId} and is_open and next_try_at <= ${now}
           and (leased_until is null or leased_until <= ${now})
         order by tries, next_try_at, position, event_key limit 1 for update skip locked)
      update inbox i set leased_until = ${until}, tries = i.tries + 1 from next
       where i.gateway_account_id = next.gateway_account_id and i.event_key = next.event_key
      returning i.gateway_account_id as "accountId", i.event_key as key, i.event_sealed as sealed, i.trust,
                i.received_at as "receivedAt", i.position, i.tries, i.leased_until as "leasedUntil"`),
  );
}

/** @throws {Error} for one that was sealed with another key */
export const openEvent = ({ secrets }: Pick<InboxDeps, 'secrets'>, event: TakenEvent): GatewayEvent =>
  eventOf(secrets.open(event.sealed, placeOf(event.accountId, event.key)));

/**
 * An event is followed up, or left to a person: nobody takes it any more. What it said is dropped, unless a person may want
 * it followed up once more.
 */
export const endEvent = (deps: InboxDeps, { accountId, key }: TakenEvent, outcome: string): Promise<number> =>
  deps.db.execute(sql`
    update inbox set handled_at = ${deps.clock.now()}, outcome = ${outcome}, next_try_at = null, leased_until = null, problem = null,
           event_sealed = case when ${outcome.startsWith('person: ')} then event_sealed end
     where gateway_account_id = ${accountId} and event_key = ${key} and handled_at is null`);

/** Gives an event back that could not be followed up, unless it is somebody else's by now. */
export const postponeEvent = (
  deps: InboxDeps,
  event: TakenEvent,
  { nextTryAt, problem }: { readonly nextTryAt: Date; readonly problem: string },
): Promise<number> =>
  deps.db.execute(sql`
    update inbox set next_try_at = ${nextTryAt}, leased_until = null, problem = ${problem}
     where gateway_account_id = ${event.accountId} and event_key = ${event.key}
       and leased_until = ${event.leasedUntil}`);

/** Gateway accounts with events that are due and nobody is at, each with their number. */
export const accountsWithEvents = (
  db: Db,
  now: Date,
): Promise<{ readonly id: string; readonly due: number }[]> =>
  db.many(sql`
    select gateway_account_id as id, count(*)::int as due from inbox
     where is_open and next_try_at <= ${now} and (leased_until is null or leased_until <= ${now}) group by 1`);

/**
 * Whether a payment that an event names may become known: a charge was sent before the event came and has no name yet, or an
 * earlier event has not been followed up.
 */
export async function mayBecomeKnown({ db }: Pick<InboxDeps, 'db'>, event: TakenEvent): Promise<boolean> {
  const { accountId, receivedAt, position } = event;
  const found = await db.maybeOne(sql`
    select 1 from attempt
     where is_open and gateway_account_id = ${accountId} and direction = 'charge' and remote is null
       and sent_at <= ${receivedAt}
    union all
    select 1 from inbox
     where gateway_account_id = ${accountId} and is_open
       and (received_at < ${receivedAt} or (received_at = ${receivedAt} and position < ${position}))
     limit 1`);
  return found !== undefined;
}

export interface Backlog {
  readonly waiting: number;
  /** When the one of them was received that waits longest; null where none waits. */
  readonly oldest: Date | null;
  /** Ids of the events that were left to a person in the last week, newest first. */
  readonly forPerson: readonly string[];
}

/** What has not been followed up, and what could not be. */
export const readBacklog = (db: Db, now: Date): Promise<Backlog> =>
  db.one(sql`
    select count(*)::int as waiting, min(received_at) as oldest,
           array(select event_key from inbox
                  where outcome like 'person: %' and handled_at > ${now}::timestamptz - interval '7 days'
                  order by handled_at desc) as "forPerson"
      from inbox where is_open`);

const placeOf = (accountId: string, key: string): string => `inbox ${accountId} ${key}`;

/** An amount has whole minor units of any size: as text. */
const textOf = (event: GatewayEvent): string =>
  JSON.stringify(event, (_name, value: unknown) => (typeof value === 'bigint' ? String(value) : value));

/** An event as it waits in the inbox since before migration 0041. */
type EarlierEvent = Omit<GatewayEvent, 'about' | 'reversal'> & {
  readonly about: GatewayEvent['about'] | 'giveBack';
  readonly late?: Omit<Reversal, 'kind'> & { readonly is: Reversal['kind'] };
};
type Reversal = NonNullable<GatewayEvent['reversal']>;

function earlierReversal(late: EarlierEvent['late']): Reversal | undefined {
  if (late === undefined) return undefined;
  const { is, ...rest } = late;
  return { ...rest, kind: is };
}

function eventOf(text: string): GatewayEvent {
  const { late, ...stored } = JSON.parse(text) as GatewayEvent & EarlierEvent;
  const about = (stored.about as EarlierEvent['about']) === 'giveBack' ? 'refund' : stored.about;
  const reversal = earlierReversal(late) ?? stored.reversal;
  if (reversal === undefined) return { ...stored, about };
  const { minor, currency } = reversal.amount;
  return { ...stored, about, reversal: { ...reversal, amount: money(BigInt(minor), currency) } };
}
