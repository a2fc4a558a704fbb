import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { EventFollower } from '../payments/service.ts';
import { type EventRow, endEventBy, findEvent, retryEvent } from './queries.ts';

export interface WebhookDeskDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly events: Pick<EventFollower, 'begin'>;
}

/** An event that is named, and whose it has to be. */
export interface EventNamed {
  readonly id: string;
  readonly resellerId: number;
}

/** @throws {AppError} webhookEvent.notFound */
export async function eventNamed(
  { db }: Pick<WebhookDeskDeps, 'db'>,
  { id, resellerId }: EventNamed,
): Promise<EventRow> {
  const event = await findEvent(db, id, resellerId);
  if (event === undefined) throw new AppError('webhookEvent.notFound');
  return event;
}

/**
 * Follows an event up at once, one that was left to a person included. Waits for none of it.
 * @throws {AppError} webhookEvent.notFound, webhookEvent.ended
 */
export async function retryByOperator(deps: WebhookDeskDeps, named: EventNamed, by: ActedBy): Promise<void> {
  const event = await eventNamed(deps, named);
  await deps.db.transaction(async (tx) => {
    if (!(await retryEvent(tx, event.id, deps.clock.now()))) throw new AppError('webhookEvent.ended');
    await record(tx, deps, event, { action: 'webhookEvent.retried', by, detail: {} });
  });
  deps.events.begin(new Map([[event.gateway_account_id, 1]]));
}

/**
 * Says that an event was seen to: it is not followed up any more.
 * @throws {AppError} webhookEvent.notFound, webhookEvent.ended
 */
export async function dismissByOperator(
  deps: WebhookDeskDeps,
  named: EventNamed,
  note: string,
  by: ActedBy,
): Promise<void> {
  const event = await eventNamed(deps, named);
  const outcome = `dismissed: ${note}`;
  await deps.db.transaction(async (tx) => {
    if (!(await endEventBy(tx, event.id, { outcome, now: deps.clock.now() })))
      throw new AppError('webhookEvent.ended');
    await record(tx, deps, event, {
      action: 'webhookEvent.dismissed',
      by,
      detail: { 'after.outcome': outcome },
    });
  });
}

interface Decision {
  readonly action: AuditAction;
  readonly by: ActedBy;
  readonly detail: Readonly<Record<string, string>>;
}

const record = (tx: Tx, { clock }: WebhookDeskDeps, event: EventRow, { action, by, detail }: Decision) =>
  recordAudit(tx, {
    action,
    at: clock.now(),
    resellerId: event.reseller_id,
    ...by,
    detail: {
      event: event.id,
      gateway: event.gateway,
      'before.outcome': event.outcome ?? event.problem ?? 'waiting',
      ...detail,
    },
  });
