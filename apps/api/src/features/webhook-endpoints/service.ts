import type {
  EndpointChange,
  NewEndpoint,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Db, Tx } from '../../db/database.ts';
import { isUniqueViolation } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Preconditions, requireState } from '../../http/requests/preconditions.ts';
import { TRIED_FOR_MS, writeMessages } from '../../messages/write-messages.ts';
import type { Secrets } from '../../secrets.ts';
import { type DeliveryRow, type EndpointRow, findDelivery, findEndpoint, lockEndpoint } from './queries.ts';
import { sealSecret } from './secret.ts';
import { addressFault } from './sending/address-guard.ts';
import { giveUpWaiting } from './sending/record.ts';
import { deliver, type SenderDeps } from './sending/sender.ts';
import { newSecret } from './sending/sign.ts';
import { takeDelivery } from './sending/take.ts';

export { presentDelivery, presentDeliveryDetail, presentEndpoint } from './present.ts';
export { SEND_EVERY_MS, type SenderDeps, webhookSender } from './sending/sender.ts';

/** Endpoints of one reseller are enough for a few programs; each message is written for each of them. */
const MOST_ENDPOINTS = 20;
const HOUR_MS = 60 * 60_000;

/** Which endpoint, and whose it has to be. */
export interface EndpointAt {
  readonly resellerId: number;
  readonly id: string;
}

export interface EndpointAct {
  readonly by: ActedBy;
  readonly now: Date;
}

export interface EndpointDeps {
  readonly secrets: Secrets;
  readonly allowsPrivate: boolean;
}

/** What an endpoint is in, for `If-Match`. */
export const etagOf = ({ version }: Pick<EndpointRow, 'version'>): string => `"${version}"`;

/** @throws {AppError} webhookEndpoint.notFound */
export async function endpointNamed(db: Db, { resellerId, id }: EndpointAt): Promise<EndpointRow> {
  const row = await findEndpoint(db, resellerId, id);
  if (row === undefined) throw new AppError('webhookEndpoint.notFound');
  return row;
}

async function locked(tx: Tx, { resellerId, id }: EndpointAt): Promise<EndpointRow> {
  const row = await lockEndpoint(tx, resellerId, id);
  if (row === undefined) throw new AppError('webhookEndpoint.notFound');
  return row;
}

function refuseAddress(url: string, { allowsPrivate }: Pick<EndpointDeps, 'allowsPrivate'>): void {
  const text = addressFault(url, allowsPrivate);
  if (text !== undefined) throw new AppError('webhookEndpoint.address', { text });
}

/** Runs a write of an address. @throws {AppError} webhookEndpoint.addressTaken */
async function unlessTaken<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    throw isUniqueViolation(error) ? new AppError('webhookEndpoint.addressTaken') : error;
  }
}

/**
 * Makes an endpoint.
 * @returns it with its secret, which is told this once
 * @throws {AppError} webhookEndpoint.address, webhookEndpoint.addressTaken, webhookEndpoint.tooMany
 */
export async function addEndpoint(
  tx: Tx,
  deps: EndpointDeps,
  resellerId: number,
  { url, description, types }: NewEndpoint,
  { by, now }: EndpointAct,
): Promise<{ readonly row: EndpointRow; readonly secret: string }> {
  refuseAddress(url, deps);
  // Two at the same time count each other.
  const { zone, n } = await tx.one<{ zone: string; n: number }>(sql`
    select coalesce((select b.time_zone from brand b where b.reseller_id = r.id order by b.id limit 1), 'UTC') as zone,
           (select count(*)::int from webhook_endpoint e where e.reseller_id = r.id) as n
      from reseller r where r.id = ${resellerId} for no key update of r`);
  if (n >= MOST_ENDPOINTS) throw new AppError('webhookEndpoint.tooMany');
  const id = newId(now.getTime());
  const secret = newSecret();
  await unlessTaken(
    tx.execute(sql`
      insert into webhook_endpoint (id, reseller_id, url, description, types, state, secret_sealed, created_at, updated_at)
      values (${id}, ${resellerId}, ${url}, ${description}, ${[...new Set(types)]}::text[], 'enabled',
              ${sealSecret(deps.secrets, id, secret)}, ${now}, ${now})`),
  );
  // What fell due before anybody listened is not told.
  await tx.execute(sql`
    insert into webhook_day (reseller_id, day) values (${resellerId}, ${today(zone, now)})
    on conflict (reseller_id) do update set day = excluded.day where ${n} = 0`);
  const row = await endpointNamed(tx, { resellerId, id });
  await record(
    tx,
    row,
    'webhookEndpoint.added',
    { by, now },
    {
      'after.url': hiddenUrl(url),
      'after.types': types.join(' '),
    },
  );
  return { row, secret };
}

/**
 * Changes an endpoint. One that is enabled again is tried at once, what waits included; one that is disabled gives up what waits.
 * @throws {AppError} webhookEndpoint.notFound, webhookEndpoint.address, webhookEndpoint.addressTaken, precondition.*
 */
export async function changeEndpoint(
  tx: Tx,
  deps: EndpointDeps,
  at: EndpointAt,
  change: EndpointChange,
  conditions: Preconditions,
  act: EndpointAct,
): Promise<EndpointRow> {
  const row = await locked(tx, at);
  const { url = row.url, description = row.description, state = row.state } = change;
  const types = [...new Set(change.types ?? row.types)];
  const differs =
    url !== row.url ||
    description !== row.description ||
    state !== row.state ||
    types.join(' ') !== row.types.join(' ');
  requireState(conditions, etagOf(row), differs);
  if (!differs) return row;
  if (url !== row.url) refuseAddress(url, deps);
  const { now } = act;
  const isBack = state === 'enabled' && row.state !== 'enabled';
  // Elsewhere, or set going by a person: what was counted says nothing any more.
  const isFresh = isBack || url !== row.url;
  await unlessTaken(
    tx.execute(sql`
      update webhook_endpoint
         set url = ${url}, description = ${description}, types = ${types}::text[], state = ${state},
             state_reason = case when state = ${state} and not ${isFresh}::boolean then state_reason end,
             failures = case when ${isFresh}::boolean then 0 else failures end,
             failing_since = case when ${isFresh}::boolean then null else failing_since end,
             retry_at = case when ${isFresh}::boolean then null else retry_at end,
             last_problem = case when ${isFresh}::boolean then null else last_problem end,
             version = version + 1, updated_at = ${now}
       where id = ${row.id}`),
  );
  if (isFresh)
    await tx.execute(sql`
      update webhook_delivery
         set next_try_at = ${now}, until = greatest(until, ${new Date(now.getTime() + TRIED_FOR_MS)}::timestamptz)
       where endpoint_id = ${row.id} and state = 'waiting'`);
  if (state === 'disabled') await giveUpWaiting(tx, row.id, now);
  const members = {
    url: [hiddenUrl(row.url), hiddenUrl(url)],
    description: [row.description, description],
  } as const;
  const more = { types: [row.types.join(' '), types.join(' ')], state: [row.state, state] } as const;
  const changed = Object.entries({ ...members, ...more }).filter(([, [before, after]]) => before !== after);
  await record(
    tx,
    row,
    'webhookEndpoint.changed',
    act,
    Object.fromEntries(
      changed.flatMap(([name, [before, after]]) => [
        [`before.${name}`, before],
        [`after.${name}`, after],
      ]),
    ),
  );
  return endpointNamed(tx, at);
}

/** Deletes an endpoint with its deliveries. @throws {AppError} webhookEndpoint.notFound */
export async function deleteEndpoint(tx: Tx, at: EndpointAt, act: EndpointAct): Promise<void> {
  const row = await locked(tx, at);
  await tx.execute(sql`delete from webhook_endpoint where id = ${row.id}`);
  await record(tx, row, 'webhookEndpoint.removed', act, {
    'before.url': hiddenUrl(row.url),
    'before.state': row.state,
  });
}

/**
 * Gives an endpoint a new secret. Messages are signed with both for a while, so that receivers are changed over without a gap; a
 * secret that was replaced earlier ends now.
 * @throws {AppError} webhookEndpoint.notFound
 */
export async function rotateSecret(
  tx: Tx,
  { secrets }: Pick<EndpointDeps, 'secrets'>,
  at: EndpointAt,
  overlapHours: number,
  act: EndpointAct,
): Promise<{ readonly row: EndpointRow; readonly secret: string }> {
  const before = await locked(tx, at);
  const { id } = before;
  const secret = newSecret();
  const until = overlapHours === 0 ? null : new Date(act.now.getTime() + overlapHours * HOUR_MS);
  await tx.execute(sql`
    update webhook_endpoint
       set previous_sealed = case when ${until}::timestamptz is not null then secret_sealed end, previous_until = ${until},
           secret_sealed = ${sealSecret(secrets, id, secret)}, version = version + 1, updated_at = ${act.now}
     where id = ${id}`);
  await record(tx, before, 'webhookEndpoint.secretRotated', act, {
    previousUntil: until?.toISOString() ?? null,
  });
  return { row: await endpointNamed(tx, at), secret };
}

/** Writes a test message for an endpoint that is enabled. @returns its id */
async function writeTest(tx: Tx, at: EndpointAt, act: EndpointAct): Promise<string> {
  const row = await locked(tx, at);
  if (row.state !== 'enabled') throw new AppError('webhookEndpoint.notEnabled');
  const id = newId(act.now.getTime());
  const data = { id, text: 'A test of this endpoint.' };
  const message = { type: 'webhook.test' as const, objectId: id, customerId: null, data };
  const [messageId] = await writeMessages(tx, row.reseller_id, [message], act.now, row.id);
  await record(tx, row, 'webhookEndpoint.tested', act, {});
  if (messageId === undefined) throw new Error('the test was not written');
  // Somebody waits for it: nothing that failed before keeps it back.
  await tx.execute(sql`update webhook_endpoint set retry_at = null where id = ${row.id}`);
  return messageId;
}

/**
 * Sends a test message at once. One that fails is tried again like any other.
 * @returns what came of it
 * @throws {AppError} webhookEndpoint.notFound, webhookEndpoint.notEnabled
 */
export async function sendTest(deps: SenderDeps, at: EndpointAt, act: EndpointAct): Promise<DeliveryRow> {
  const { db, clock } = deps;
  const messageId = await db.transaction((tx) => writeTest(tx, at, act));
  const taken = await takeDelivery(db, at.id, clock.now(), messageId);
  // A worker may have been quicker.
  if (taken !== undefined) await deliver(deps, taken);
  return deliveryNamed(db, at, messageId);
}

/** @throws {AppError} webhookEndpoint.notFound, webhookDelivery.notFound */
export async function deliveryNamed(db: Db, at: EndpointAt, messageId: string): Promise<DeliveryRow> {
  const endpoint = await endpointNamed(db, at);
  const row = await findDelivery(db, endpoint.id, messageId);
  if (row === undefined) throw new AppError('webhookDelivery.notFound');
  return row;
}

/**
 * Sends a message again, with the same id, whether it was delivered or given up. One that waits is tried at once.
 * @throws {AppError} webhookEndpoint.notFound, webhookDelivery.notFound, webhookEndpoint.notEnabled
 */
export async function redeliver(tx: Tx, at: EndpointAt, messageId: string, act: EndpointAct): Promise<void> {
  const endpoint = await locked(tx, at);
  const row = await deliveryNamed(tx, at, messageId);
  if (endpoint.state === 'disabled') throw new AppError('webhookEndpoint.notEnabled');
  const until = new Date(act.now.getTime() + TRIED_FOR_MS);
  await tx.execute(sql`
    update webhook_delivery
       set state = 'waiting', ended_at = null, next_try_at = ${act.now}, until = ${until}
     where endpoint_id = ${endpoint.id} and message_id = ${row.message_id}`);
  await record(tx, endpoint, 'webhookEndpoint.redelivered', act, {
    message: messageId,
    'before.state': row.state,
  });
}

/**
 * Sends all messages again that were given up since a moment, in their order.
 * @returns how many
 * @throws {AppError} webhookEndpoint.notFound, webhookEndpoint.notEnabled
 */
export async function redeliverSince(tx: Tx, at: EndpointAt, since: Date, act: EndpointAct): Promise<number> {
  const endpoint = await locked(tx, at);
  if (endpoint.state === 'disabled') throw new AppError('webhookEndpoint.notEnabled');
  const until = new Date(act.now.getTime() + TRIED_FOR_MS);
  const count = await tx.execute(sql`
    update webhook_delivery
       set state = 'waiting', ended_at = null, next_try_at = ${act.now}, until = ${until}
     where endpoint_id = ${endpoint.id} and state = 'givenUp' and ended_at >= ${since}`);
  await record(tx, endpoint, 'webhookEndpoint.redelivered', act, { since: since.toISOString(), count });
  return count;
}

/** An address in the audit trail: what follows the path may be a key. */
function hiddenUrl(text: string): string {
  const url = new URL(text);
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}

const record = (
  tx: Tx,
  { id, reseller_id: resellerId, url }: EndpointRow,
  action: AuditAction,
  { by, now }: EndpointAct,
  detail: Readonly<Record<string, string | number | null>>,
): Promise<void> =>
  recordAudit(tx, {
    action,
    at: now,
    resellerId,
    ...by,
    detail: { endpoint: id, host: new URL(url).host, ...detail },
  });
