/** Events of Pinch: deliveries are verified and read here, and so is the list of events. Pure. */
import { money } from '@counterfoil/domain/money/money.ts';
import * as z from 'zod/mini';
import { refused, verifyDelivery } from '../kit/webhook.ts';
import type { GatewayEvent, WebhookReading } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { lowerFirst } from './card-token.ts';
import { refOf } from './wire.ts';

/** Names as the API has them: deliveries come in `PascalCase` unless an address asks for `camelCase`. */
export function withLowerNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withLowerNames);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [lowerFirst(name), withLowerNames(member)]),
  );
}

// ---- What an event is about ----

const id = z.string().check(z.minLength(1), z.maxLength(100));

/** As the list of events gives it too, there without `data`. */
export const eventReply = z.looseObject({
  id,
  type: z.string(),
  eventDate: z.nullish(z.string()),
  data: z.nullish(z.looseObject({})),
});
export type EventReply = z.output<typeof eventReply>;

const named = z.looseObject({
  id,
  paymentId: z.nullish(id),
  status: z.nullish(z.string()),
  amount: z.nullish(z.int()),
  metadata: z.nullish(z.string()),
  nonce: z.nullish(z.union([z.string(), z.array(z.string())])),
});
type Named = z.output<typeof named>;

const isRefundType = (type: string): boolean => type.startsWith('refund-');
const isDisputeType = (type: string): boolean => type.startsWith('dispute-');
/** Types after which a payment that was taken may have come back. */
const isLate = (type: string): boolean => isDisputeType(type) || type === 'bank-results';
const isPaymentType = (type: string): boolean =>
  isLate(type) || ['realtime-payment', 'payment-created', 'scheduled-process'].includes(type);

/** Whether an event of this type says anything of money. */
export const isFollowed = (type: string): boolean => isRefundType(type) || isPaymentType(type);

/** Objects of one event; a batch has several. */
function objectsOf({ type, data }: EventReply): readonly Named[] {
  const { payment, payments = [], dishonours = [], refund, dispute } = data ?? {};
  const listed = isRefundType(type)
    ? [refund ?? data]
    : isDisputeType(type)
      ? [payment ?? dispute ?? data]
      : [payment, ...[payments, dishonours].flat()];
  return listed.flatMap((one) => {
    const parsed = z.safeParse(named, one);
    return parsed.success ? [parsed.data] : [];
  });
}

/**
 * What an event is about, each to be read at the gateway before it counts. Where something may have come back, that is said by a
 * `reversal` without an amount, which {@link Gateway.resolveEvent} replaces by what it reads.
 */
export function eventsOf(event: EventReply): readonly GatewayEvent[] {
  if (!isFollowed(event.type)) return [];
  const objects = objectsOf(event);
  return objects.map((one): GatewayEvent => {
    const ref = refOf(one);
    const eventId = objects.length === 1 ? event.id : `${event.id}/${one.id}`;
    const more = ref === undefined ? {} : { ref };
    if (isRefundType(event.type)) return { id: eventId, about: 'refund', remote: remoteId(one.id), ...more };
    const payment = remoteId(isDisputeType(event.type) ? (one.paymentId ?? one.id) : one.id);
    const isBack = isLate(event.type) && one.status !== 'approved';
    return {
      id: eventId,
      about: 'charge',
      remote: payment,
      ...more,
      ...(isBack
        ? { reversal: { kind: 'chargeback', remote: payment, of: payment, amount: nothing, code: '' } }
        : {}),
    };
  });
}

const nothing = money(0n, 'AUD');

// ---- Deliveries ----

/** {@link Gateway.parseWebhook} of Pinch. @param secrets all that are in use, as text with `whsec_` */
export function readDelivery(
  secrets: readonly string[],
  raw: Uint8Array,
  headers: Headers,
  now: Date,
): WebhookReading {
  const delivery = verifyDelivery(raw, headers, secrets, {
    header: 'pinch-signature',
    part: 'v2',
    now,
    status: 401,
  });
  if (delivery.is === 'refused') return delivery;
  const event = z.safeParse(eventReply, withLowerNames(delivery.body));
  if (!event.success) return refused(400, 'not an event');
  return { is: 'accepted', trust: 'signed', events: eventsOf(event.data) };
}
