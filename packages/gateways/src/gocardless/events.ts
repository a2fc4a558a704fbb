/** What is told: events as webhooks bring them and as they are asked for, what they say of a payment's later life, lists. */
import * as z from 'zod/mini';
import { refused, verifyDelivery } from '../kit/webhook.ts';
import type { GatewayEvent, ListedCharge, Reversal, WebhookReading } from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import {
  amountOf,
  type EventReply,
  eventReply,
  type Failure,
  type PaymentReply,
  type RefundReply,
  refOf,
  remoteOf,
  setupRefOf,
} from './wire.ts';

const mostEvents = 250;

/**
 * Actions that are followed, by the kind of resource. The others change nothing of what is asked for: bookkeeping of what was
 * told before, or steps of a page.
 */
const followed: Readonly<Record<string, readonly string[]>> = {
  payments: [
    'created',
    'submitted',
    'confirmed',
    'paid_out',
    'failed',
    'cancelled',
    'charged_back',
    'chargeback_cancelled',
    'resubmission_requested',
    'customer_approval_granted',
    'customer_approval_denied',
  ],
  refunds: ['paid', 'failed', 'bounced', 'funds_returned'],
  mandates: [
    'created',
    'customer_approval_granted',
    'submitted',
    'active',
    'cancelled',
    'failed',
    'expired',
    'transferred',
    'reinstated',
    'replaced',
    'consumed',
    'blocked',
    'suspended_by_payer',
    'resubmission_requested',
  ],
  billing_requests: ['fulfilled', 'cancelled', 'failed'],
};

const kinds: Readonly<Record<string, readonly [about: GatewayEvent['about'], link: string]>> = {
  payments: ['charge', 'payment'],
  refunds: ['refund', 'refund'],
  mandates: ['mandate', 'mandate'],
  billing_requests: ['method', 'billing_request'],
};

/** What an event is about; undefined for one that is not followed. */
export function eventFromWire(event: EventReply): GatewayEvent | undefined {
  const { id, resource_type: type, action, links } = event;
  const kind = kinds[type];
  if (kind === undefined || followed[type]?.includes(action) !== true) return undefined;
  const [about, link] = kind;
  const remote = remoteOf(links[link]);
  const payer = remoteOf(links['customer']);
  if (remote === undefined) return undefined;
  const resource = { metadata: event.resource_metadata };
  const ref = about === 'method' ? setupRefOf(resource) : about === 'mandate' ? undefined : refOf(resource);
  return {
    id,
    about,
    remote,
    ...(ref === undefined ? {} : { ref }),
    ...(payer === undefined || about === 'charge' ? {} : { payer }),
  };
}

const delivery = z.object({ events: z.array(z.unknown()) });

/**
 * {@link Gateway.parseWebhook} of GoCardless, over the bytes exactly as they came. The signature covers no time.
 * @param secrets all in use; several while one is replaced
 */
export function readWebhook(secrets: readonly string[], raw: Uint8Array, headers: Headers): WebhookReading {
  const read = verifyDelivery(raw, headers, secrets, { header: 'webhook-signature', status: 498 });
  if (read.is === 'refused') return read;
  const parsed = z.safeParse(delivery, read.body);
  if (!parsed.success || parsed.data.events.length > mostEvents) return refused(400, 'not a list of events');
  // One that cannot be read stops no other: it is read again when events are asked for.
  const events = parsed.data.events.flatMap((one) => {
    const event = z.safeParse(eventReply, one);
    const read = event.success ? eventFromWire(event.data) : undefined;
    return read === undefined ? [] : [read];
  });
  return { is: 'accepted', trust: 'signed', events };
}

/** As they happened. The list has the newest first, and events of one moment in no order that is promised. */
export const inOrder = (events: readonly EventReply[]): readonly EventReply[] =>
  [...events].reverse().sort((one, other) => Date.parse(one.created_at) - Date.parse(other.created_at));

/** Why a payment failed the last time; undefined where no event tells. @param history of the payment, in order */
export function lastFailure(history: readonly EventReply[]): Failure | undefined {
  const event = history.findLast(({ action }) => action === 'failed');
  return (
    event && {
      cause: event.details?.cause ?? '',
      isRetried: event.details?.will_attempt_retry === true,
    }
  );
}

/**
 * What became of a payment: each collection that has failed for good, each that was begun once more after that, each chargeback.
 * A failure that the provider collects again by itself is both at once where the money had come: it has gone, and is on its way
 * again. Before that it is neither: the payment is on its way still.
 * @param history of the payment, in order
 */
export function reversalsOf(payment: PaymentReply, history: readonly EventReply[]): readonly Reversal[] {
  const of = remoteId(payment.id);
  const amount = amountOf(payment);
  const reversals: Reversal[] = [];
  let hasFailed = false;
  let isTaken = false;
  let chargeback: string | undefined;
  for (const { id, action, details } of history) {
    const add = (kind: Reversal['kind'], name: string) =>
      reversals.push({ kind, remote: remoteId(name), of, amount, code: details?.cause ?? '' });
    switch (action) {
      case 'confirmed':
      case 'paid_out':
        isTaken = true;
        break;
      case 'failed':
        hasFailed = details?.will_attempt_retry !== true;
        if (hasFailed || isTaken) add('failed', id);
        if (!hasFailed && isTaken) add('resubmitted', id);
        isTaken = false;
        break;
      case 'resubmission_requested':
        if (hasFailed) add('resubmitted', id);
        hasFailed = false;
        break;
      case 'charged_back':
        add('chargeback', id);
        chargeback = id;
        break;
      case 'chargeback_cancelled':
        // A pair has one name.
        if (chargeback !== undefined) add('chargebackWon', chargeback);
        chargeback = undefined;
        break;
    }
  }
  return reversals;
}

/** Refunds of a payment: one counts once it has arrived, and one that comes back afterwards brings the money back. */
export const refundReversals = (
  payment: PaymentReply,
  refunds: readonly RefundReply[],
): readonly Reversal[] =>
  refunds.flatMap((refund) => {
    const one = { remote: remoteId(refund.id), of: remoteId(payment.id), amount: amountOf(refund), code: '' };
    if (refund.status === 'paid') return [{ ...one, kind: 'refund' as const }];
    const isBack = refund.status === 'bounced' || refund.status === 'funds_returned';
    return isBack
      ? [
          { ...one, kind: 'refund' as const },
          { ...one, kind: 'refundFailed' as const },
        ]
      : [];
  });

/** A payment as the list has it, with what was sent beside it. */
export function listedFrom(payment: PaymentReply, outcome: ListedCharge['outcome']): ListedCharge {
  const ref = refOf(payment);
  const { invoice, customer } = payment.metadata ?? {};
  return {
    ...(ref === undefined ? {} : { ref }),
    amount: amountOf(payment),
    kind: 'bank',
    at: new Date(payment.created_at),
    labels: { ...(customer && { customer }), ...(invoice && { invoice }) },
    outcome,
  };
}
