import type { WebhookEvent } from '@counterfoil/contract/operator/running/webhook-events.ts';
import type { EventRow } from './queries.ts';

const GIVEN_UP = 'person: ';

function stateOf(row: EventRow): WebhookEvent['state'] {
  if (row.outcome?.startsWith(GIVEN_UP)) return 'needsReview';
  if (row.is_open) return row.problem === null ? 'waiting' : 'failing';
  return 'done';
}

/** An event as programs and the console are told of it. */
export function presentEvent(row: EventRow): WebhookEvent {
  const state = stateOf(row);
  return {
    id: row.id,
    gateway: row.gateway,
    eventId: row.event_key,
    about: row.about,
    isSigned: row.trust === null ? null : row.trust === 'signed',
    state,
    gatewayId: row.remote,
    paymentId: row.payment_id,
    outcome: state === 'done' ? row.outcome : null,
    problem: state === 'needsReview' ? (row.outcome?.slice(GIVEN_UP.length) ?? null) : row.problem,
    tries: row.tries,
    receivedAt: row.received_at.toISOString(),
    nextTryAt: row.next_try_at?.toISOString() ?? null,
    endedAt: row.handled_at?.toISOString() ?? null,
    canRetry: state !== 'done' && row.is_kept && row.trust !== null,
  };
}
