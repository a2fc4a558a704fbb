/** Events: written with the change they tell of, queued for every webhook endpoint that wants them. */
import { createHmac } from 'node:crypto';
import { newId } from '@counterfoil/sandbox/ids.ts';
import { queueEvent } from '@counterfoil/sandbox/turn.ts';
import type { Endpoint } from '@counterfoil/sandbox/webhooks.ts';
import { type Account, gateway, type Work } from './account.ts';
import { visible } from './render.ts';
import { pinnedVersion } from './version.ts';

/**
 * Writes an event about an object as it is now.
 * @param previous the changed fields with their former values, for `….updated` events
 */
export function emit(work: Work, type: string, object: object, previous?: object): void {
  const { account, host, tx } = work;
  const id = newId('evt');
  const created = host.clock.seconds();
  const json = JSON.stringify({
    id,
    object: 'event',
    api_version: pinnedVersion,
    created,
    data: { object: visible(object), ...(previous === undefined ? {} : { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: host.webhooks.endpoints(gateway).length,
    request: { id: work.requestId, idempotency_key: work.idempotencyKey },
    type,
  });
  tx.put(account.events, id, { id, type, created, json });
  queueEvent(work, { gateway, account: account.id, id, type });
}

/**
 * The request that delivers an event, signed with the endpoint's secret at this moment (real time: the
 * receiver compares with its own clock). https://docs.stripe.com/webhooks#verify-manually
 */
export function signedDelivery(
  account: Account,
  endpoint: Endpoint,
  event: string,
): { body: string; headers: Record<string, string> } | undefined {
  const stored = account.events.get(event);
  if (stored === undefined) return undefined;
  const at = Math.floor(Date.now() / 1000);
  const sign = (key: string) => createHmac('sha256', key).update(`${at}.${stored.json}`).digest('hex');
  return {
    body: stored.json,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': `t=${at},v1=${sign(endpoint.secret)},v0=${sign(`v0:${endpoint.id}`)}`,
    },
  };
}
