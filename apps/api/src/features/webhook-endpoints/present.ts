import type {
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookEndpoint,
} from '@counterfoil/contract/operator/running/webhook-endpoints.ts';
import type { DeliveryRow, EndpointRow, TryRow } from './queries.ts';
import { bodyOf } from './sending/sender.ts';

const moment = (at: Date | null): string | null => at?.toISOString() ?? null;

/** An endpoint as programs, commands and the console are told of it. */
export const presentEndpoint = (row: EndpointRow, now: Date): WebhookEndpoint => ({
  id: row.id,
  url: row.url,
  description: row.description,
  types: row.types,
  state: row.state,
  stateReason: row.state_reason,
  failures: row.failures,
  failingSince: moment(row.failing_since),
  lastProblem: row.last_problem,
  nextTryAt: row.failures > 0 && row.state === 'enabled' ? moment(row.retry_at) : null,
  lastDeliveredAt: moment(row.last_delivered_at),
  previousSecretUntil:
    row.previous_until !== null && row.previous_until > now ? moment(row.previous_until) : null,
  waiting: row.waiting,
  givenUp: row.given_up,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

export const presentDelivery = (row: DeliveryRow): WebhookDelivery => ({
  messageId: row.message_id,
  type: row.type,
  objectId: row.object_id,
  state: row.state,
  tries: row.tries,
  happenedAt: row.at.toISOString(),
  nextTryAt: row.state === 'waiting' ? row.next_try_at.toISOString() : null,
  endedAt: moment(row.ended_at),
  status: row.status,
  problem: row.problem,
});

/** The same with what is sent and each try. */
export const presentDeliveryDetail = (
  row: DeliveryRow,
  data: unknown,
  tries: readonly TryRow[],
): WebhookDeliveryDetail => ({
  ...presentDelivery(row),
  body: bodyOf({ ...row, data }),
  attempts: tries.map((one) => ({
    number: one.number,
    at: one.at.toISOString(),
    tookMs: one.took_ms,
    status: one.status,
    problem: one.problem,
    answer: one.answer,
  })),
});
