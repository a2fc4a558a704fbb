/** The movement of money: a charge written with its intent, its events and the record of what was taken. */

import { recordCharge } from '@counterfoil/sandbox/money/movements.ts';
import { gateway, later, type Work } from './account.ts';
import { banks } from './banks.ts';
import { cards, type Decline } from './cards.ts';
import { writeCharge } from './charge-record.ts';
import { StripeFault } from './errors.ts';
import { emit } from './events.ts';
import { attach } from './methods.ts';
import type { Charge } from './money-objects.ts';
import type { Failure, PaymentIntent, PaymentMethod } from './objects.ts';
import { visible } from './render.ts';

export function updatePayment(
  work: Work,
  intent: PaymentIntent,
  change: Partial<PaymentIntent>,
): PaymentIntent {
  const next = { ...intent, ...change };
  work.tx.put(work.account.payments, intent.id, next);
  return next;
}

export function updateCharge(work: Work, charge: Charge, change: Partial<Charge>): Charge {
  const next = { ...charge, ...change };
  work.tx.put(work.account.charges, charge.id, next);
  return next;
}

/** The bank approved a card: authorises, or takes the money, and answers the intent as it is then. */
export function take(
  work: Work,
  before: PaymentIntent,
  method: PaymentMethod,
  challenged: boolean,
): PaymentIntent {
  const manual = before.capture_method === 'manual';
  const amount = manual ? 0 : (before._plan.captures ?? before.amount);
  const charge = writeCharge(work, before, method, {
    status: 'succeeded',
    paid: true,
    captured: !manual,
    amount_captured: amount,
    challenged,
  });
  keepMethod(work, before, method, challenged);
  const intent = updatePayment(work, before, {
    amount_capturable: manual ? before.amount : 0,
    amount_received: amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: manual ? 'requires_capture' : 'succeeded',
    _challenge: null,
  });
  emit(work, 'charge.succeeded', charge);
  emit(work, manual ? 'payment_intent.amount_capturable_updated' : 'payment_intent.succeeded', intent);
  if (!manual) recordCapture(work, intent, charge);
  return intent;
}

/** The bank refused a card: writes the failed charge and gives back the 402 to throw. */
export function refuse(
  work: Work,
  before: PaymentIntent,
  method: PaymentMethod,
  decline: Decline,
): StripeFault {
  const blocked = decline.decline_code === 'fraudulent';
  const charge = writeCharge(work, before, method, {
    status: 'failed',
    paid: false,
    captured: false,
    amount_captured: 0,
    challenged: false,
    failure: decline,
    blocked,
  });
  const failure: Failure = {
    type: 'card_error',
    ...decline,
    charge: charge.id,
    doc_url: `https://stripe.com/docs/error-codes/${decline.code.replaceAll('_', '-')}`,
    payment_method: visible(method),
  };
  const intent = updatePayment(work, before, {
    last_payment_error: failure,
    latest_charge: charge.id,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    _challenge: null,
  });
  emit(work, 'charge.failed', charge);
  emit(work, 'payment_intent.payment_failed', intent);
  const { message, ...fields } = decline;
  return new StripeFault(
    402,
    'card_error',
    message,
    { ...fields, charge: charge.id, payment_intent: visible(intent), payment_method: visible(method) },
    true,
  );
}

/** Records the money a charge took, and schedules what its card, its account or a fault does later. */
export function recordCapture(work: Work, intent: PaymentIntent, charge: Charge): void {
  const behaviour = work.account.methods.get(charge.payment_method)?._behaviour ?? '';
  const followUps = recordCharge(
    work,
    {
      gateway,
      reference: referenceOf(intent.metadata) ?? intent._key,
      idempotencyKey: intent._key,
      metadata: intent.metadata,
      remote: intent.id,
      movement: charge.id,
      account: work.account.id,
      minor: charge.amount_captured,
      currency: charge.currency.toUpperCase(),
    },
    {
      plan: intent._plan,
      disputed: cards.named(behaviour)?.disputed ?? banks.named(behaviour)?.disputed,
    },
  );
  for (const next of followUps) {
    if (next.task === 'self-void') later(work, next.afterMs, next.task, { charge: charge.id });
    else
      later(work, next.afterMs, next.task, {
        charge: charge.id,
        reason: next.reason,
        status: next.lost ? 'lost' : 'needs_response',
        ...(next.wonAfterMs === undefined ? {} : { wonAfterMs: String(next.wonAfterMs) }),
      });
  }
}

/** The caller's own reference, under the names in use. */
export function referenceOf(metadata: Readonly<Record<string, string>>): string | null {
  return (
    metadata['ref'] ??
    metadata['attemptId'] ??
    metadata['attempt'] ??
    metadata['reference'] ??
    metadata['reqUid'] ??
    null
  );
}

/** A method used without a customer is spent; one used for later payments is saved with the customer. */
export function keepMethod(
  work: Work,
  intent: PaymentIntent,
  method: PaymentMethod,
  challenged: boolean,
): void {
  const stored = work.account.methods.get(method.id) ?? method;
  if (intent.customer !== null && intent.setup_future_usage !== null) {
    const attached = attach(work, stored, intent.customer);
    if (challenged || intent.setup_future_usage === 'off_session') {
      work.tx.put(work.account.methods, method.id, { ...attached, _authenticated: true });
    }
  } else if (stored.customer === null)
    work.tx.put(work.account.methods, method.id, { ...stored, _spent: true });
}
