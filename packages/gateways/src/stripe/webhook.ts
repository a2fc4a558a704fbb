/** Verifying and reading webhook deliveries. Pure. https://docs.stripe.com/webhooks/signature */
import * as z from 'zod/mini';
import { refused, verifyDelivery } from '../kit/webhook.ts';
import type { GatewayEvent, WebhookReading } from '../port/gateway.ts';
import { isGatewayRef, remoteId } from '../port/gateway-ref.ts';
import { fromWireAmount, metadataRef } from './wire.ts';
import { idOf } from './wire-method.ts';

const mostIdLength = 255;

const event = z.looseObject({
  object: z.literal('event'),
  id: z.string().check(z.regex(/^evt_/), z.maxLength(mostIdLength)),
  type: z.string(),
  data: z.looseObject({
    object: z.looseObject({}),
    previous_attributes: z.nullish(z.looseObject({ customer: z.nullish(z.unknown()) })),
  }),
});

const named = z.looseObject({
  id: z.optional(z.string()),
  metadata: z.nullish(z.record(z.string(), z.string())),
  payment_intent: z.nullish(z.union([z.string(), z.looseObject({ id: z.string() })])),
  customer: z.nullish(z.union([z.string(), z.looseObject({ id: z.string() })])),
});

/** A dispute or a refund. */
const movement = z.looseObject({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.optional(z.string()),
  reason: z.nullish(z.string()),
  payment_intent: z.nullish(z.union([z.string(), z.looseObject({ id: z.string() })])),
});

/** Events whose object is a refund; that of `charge.refunded` is the charge. */
const refundEvents = new Set(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated']);

/** What each subscribed kind of event is about, by the longest matching beginning. Others say nothing of money or methods. */
const about: readonly (readonly [string, GatewayEvent['about'], 'self' | 'intent'])[] = [
  ['payment_intent.', 'charge', 'self'],
  ['charge.refund', 'refund', 'self'],
  ['charge.dispute.', 'charge', 'intent'],
  ['charge.', 'charge', 'intent'],
  ['refund.', 'refund', 'self'],
  ['checkout.session.', 'charge', 'intent'],
  ['setup_intent.', 'method', 'self'],
  ['payment_method.', 'method', 'self'],
  ['mandate.', 'mandate', 'self'],
  ['customer.updated', 'payer', 'self'],
];

/**
 * A dispute opened takes the money away; one won brings it back; one lost changes nothing more. A refund counts once
 * it has succeeded, and one that fails afterwards brings the money back. An enquiry takes nothing until it is escalated.
 */
function lateOf(type: string, object: unknown): GatewayEvent['reversal'] {
  const is = kindOfLate(type, object);
  const parsed = z.safeParse(movement, object);
  if (is === undefined || !parsed.success) return undefined;
  const { id, amount: wire, currency, reason, payment_intent } = parsed.data;
  const amount = fromWireAmount(wire, currency);
  const of = idOf(payment_intent);
  if (amount === undefined || id === '') return undefined;
  return {
    kind: is,
    remote: remoteId(id),
    amount,
    code: reason ?? '',
    ...(of === undefined || of === '' ? {} : { of: remoteId(of) }),
  };
}

function kindOfLate(
  type: string,
  object: unknown,
): NonNullable<GatewayEvent['reversal']>['kind'] | undefined {
  const { status } = z.safeParse(z.looseObject({ status: z.nullish(z.string()) }), object).data ?? {};
  if (type === 'charge.dispute.created')
    return status?.startsWith('warning_') === true ? undefined : 'chargeback';
  if (type === 'charge.dispute.funds_withdrawn') return 'chargeback';
  if (type === 'charge.dispute.funds_reinstated') return 'chargebackWon';
  if (type === 'charge.dispute.closed') return status === 'won' ? 'chargebackWon' : undefined;
  if (!refundEvents.has(type)) return undefined;
  if (status === 'succeeded') return 'refund';
  return status === 'failed' || status === 'canceled' ? 'refundFailed' : undefined;
}

/** What an event tells; nothing for kinds that say nothing about money or methods. Undefined for what is no event. */
export function eventsFrom(value: unknown): readonly GatewayEvent[] | undefined {
  const parsed = z.safeParse(event, value);
  if (!parsed.success) return undefined;
  const { id, type, data } = parsed.data;
  const row = about.find(([beginning]) => type.startsWith(beginning));
  const object = z.safeParse(named, data.object);
  if (row === undefined || !object.success) return [];
  const [, subject, source] = row;
  const remote = source === 'self' ? object.data.id : idOf(object.data.payment_intent);
  const ref = object.data.metadata?.[metadataRef];
  const before = data.previous_attributes?.customer;
  const moved = z.safeParse(movement, data.object).data;
  const ids = [remote, idOf(moved?.payment_intent), moved?.id, idOf(object.data.customer), before];
  if (ids.some((one) => typeof one === 'string' && one.length > mostIdLength)) return undefined;
  const late = lateOf(type, data.object);
  const payer = payerOf(subject, remote, object.data, before);
  return [
    {
      id,
      about: subject,
      ...(remote === undefined || remote === '' ? {} : { remote: remoteId(remote) }),
      ...(ref !== undefined && isGatewayRef(ref) ? { ref } : {}),
      ...(payer === undefined || payer === '' ? {} : { payer: remoteId(payer) }),
      ...(late === undefined ? {} : { reversal: late }),
    },
  ];
}

/** Whose method it is, or was until now: a detached one only says whose it has been. */
function payerOf(
  subject: GatewayEvent['about'],
  remote: string | undefined,
  object: z.output<typeof named>,
  before: unknown,
): string | undefined {
  if (subject === 'payer') return remote;
  if (subject !== 'method') return undefined;
  const owner = idOf(object.customer) ?? (typeof before === 'string' ? before : undefined);
  return owner === '' ? undefined : owner;
}

/**
 * {@link Gateway.parseWebhook} of Stripe, over the bytes exactly as they came.
 * @param secrets all signing secrets in use; several while one is rolled. Used as text, `whsec_` included
 */
export function readHook(
  secrets: readonly string[],
  raw: Uint8Array,
  headers: Headers,
  now: Date,
): WebhookReading {
  const delivery = verifyDelivery(raw, headers, secrets, {
    header: 'stripe-signature',
    // v0 is a test scheme and ignored.
    part: 'v1',
    now,
    status: 400,
  });
  if (delivery.is === 'refused') return delivery;
  const events = eventsFrom(delivery.body);
  return events === undefined ? refused(400, 'not an event') : { is: 'accepted', trust: 'signed', events };
}
