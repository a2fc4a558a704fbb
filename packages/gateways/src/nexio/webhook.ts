/** Deliveries of Nexio. The legacy style is signed, the current one is not; either is a hint to look, and never more. */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { refused, unsigned, verifyDelivery } from '../kit/webhook.ts';
import type { GatewayEvent, WebhookReading } from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';
import type { Nexio } from './client.ts';

const text = z.nullish(z.string());
const order = z.nullish(z.object({ customer: z.nullish(z.object({ orderNumber: text })) }));
/** Of either style; a payment of the legacy one is as `process` answers it. */
const delivery = z.object({
  eventType: z.string(),
  transactionId: z.nullish(z.union([z.int(), z.string().check(z.regex(/^\d{1,20}$/))])),
  data: z.nullish(z.object({ data: order })),
});

/** @param secret of a merchant id with the legacy style: it uses no other, so that anything unsigned is refused */
export function readWebhook(raw: Uint8Array, headers: Headers, secret: string | undefined): WebhookReading {
  // https://docs.nexiopay.com, Webhooks (legacy)
  const signing = { header: 'nexio-signature', part: 'v1', status: 401 } as const;
  const read = secret === undefined ? unsigned(raw) : verifyDelivery(raw, headers, [secret], signing);
  if (read.is === 'refused') return read;
  const parsed = z.safeParse(delivery, read.body);
  if (!parsed.success) return refused(400, 'no event');
  const { eventType, transactionId, data } = parsed.data;
  const ref = data?.data?.customer?.orderNumber ?? '';
  const name = isGatewayRef(ref) ? ref : transactionId ? `txn-${transactionId}` : undefined;
  const trust = secret === undefined ? 'hint' : 'signed';
  if (!eventType.startsWith('TRANSACTION') || name === undefined)
    return { is: 'accepted', trust, events: [] };
  const event: GatewayEvent = {
    id: createHash('sha256').update(raw).digest('base64url'),
    about: 'charge',
    remote: remoteId(name),
    ...(isGatewayRef(ref) && { ref }),
  };
  return { is: 'accepted', trust, events: [event] };
}

/** The number of a transaction says nothing to us: its row has our order number. */
export async function resolveEvent(
  api: Nexio,
  event: GatewayEvent,
): Promise<readonly GatewayEvent[] | 'inconclusive'> {
  const [, id] = /^txn-(\d+)$/.exec(event.remote ?? '') ?? [];
  if (event.ref !== undefined || id === undefined) return [event];
  try {
    for await (const row of api.rows({ id })) {
      if (String(row.id) !== id) continue;
      const ref = row.customer?.orderNumber ?? '';
      return isGatewayRef(ref) ? [{ ...event, ref, remote: remoteId(ref) }] : [];
    }
  } catch (error) {
    api.log.warn({ err: String(error) }, 'the transaction of an event could not be read');
  }
  // It may not be shown yet.
  return 'inconclusive';
}
