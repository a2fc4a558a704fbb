/** Money moves: a charge written with its intent, its events and the record of what was taken; debits settle later. */
import { newId } from '@counterfoil/sandbox/ids.ts';
import { recordCharge } from '@counterfoil/sandbox/money/movements.ts';
import { emit, gateway, later, type Work } from './account.ts';
import { bankFailureText, banks, cards, type Decline } from './data.ts';
import { attach, endMandate, liveMandate } from './methods.ts';
import type { Charge, Failure, PaymentIntent, PaymentMethod } from './objects.ts';
import { StripeFault, visible } from './wire.ts';

export const approved = {
  advice_code: null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: 'approved_by_network',
  reason: null,
  risk_level: 'normal',
  seller_message: 'Payment complete.',
  type: 'authorized',
};

export function writeCharge(
  work: Work,
  intent: PaymentIntent,
  method: PaymentMethod,
  about: Pick<Charge, 'status' | 'paid' | 'captured' | 'amount_captured'> & {
    readonly challenged: boolean;
    readonly failure?: Decline;
    readonly blocked?: boolean;
  },
): Charge {
  const id = newId(method.type === 'card' ? 'ch' : 'py');
  const { status, paid, captured, amount_captured, failure } = about;
  const charge: Charge = {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: paid && captured ? newId('txn') : null,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'SANDBOX',
    captured,
    created: work.host.clock.seconds(),
    currency: intent.currency,
    customer: intent.customer,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: failure?.code ?? null,
    failure_message: failure?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome:
      failure === undefined
        ? approved
        : {
            ...approved,
            advice_code: failure.advice_code ?? null,
            network_status: about.blocked ? 'not_sent_to_network' : 'declined_by_network',
            reason: failure.decline_code,
            risk_level: about.blocked ? 'highest' : 'normal',
            seller_message: about.blocked ? 'The payment was blocked.' : 'The bank declined the payment.',
            type: about.blocked ? 'blocked' : 'issuer_declined',
          },
    paid,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: { type: method.type, [method.type]: chargedDetails(method, about.challenged) },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: paid ? `${work.host.publicUrl}/stripe/receipts/${id}` : null,
    refunded: false,
    review: null,
    shipping: intent.shipping,
    source: null,
    source_transfer: null,
    statement_descriptor: intent.statement_descriptor,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    status,
    transfer_data: null,
    transfer_group: null,
  };
  work.tx.put(work.account.charges, id, charge);
  return charge;
}

function chargedDetails(method: PaymentMethod, challenged: boolean): object {
  const hash = method[method.type] ?? {};
  if (method.type !== 'card') return { ...hash, mandate: method._mandate };
  const {
    display_brand: _display,
    three_d_secure_usage: _usage,
    networks: _networks,
    generated_from: _from,
    ...shown
  } = hash;
  return {
    ...shown,
    mandate: null,
    network: hash['brand'],
    three_d_secure: challenged
      ? { authentication_flow: 'challenge', result: 'authenticated', result_reason: null, version: '2.2.0' }
      : null,
  };
}

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

/** A debit was sent to the bank; its end is a task for later. */
export function startDebit(work: Work, before: PaymentIntent, method: PaymentMethod): PaymentIntent {
  const charge = writeCharge(work, before, method, {
    status: 'pending',
    paid: false,
    captured: true,
    amount_captured: before.amount,
    challenged: false,
  });
  keepMethod(work, before, method, false);
  const intent = updatePayment(work, before, {
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'processing',
    _challenge: null,
  });
  emit(work, 'payment_intent.processing', intent);
  emit(work, 'charge.pending', charge);
  const bank = banks.named(method._behaviour);
  const { debitMs, delayedDebitMs } = work.host.settings;
  if (!bank?.never)
    later(work, bank?.delayed ? delayedDebitMs : debitMs, 'settle-debit', {
      payment: intent.id,
      charge: charge.id,
    });
  return intent;
}

/** Task: the bank's answer to a debit. */
export function settleDebit(work: Work, paymentId: string, chargeId: string): void {
  const intent = work.account.payments.get(paymentId);
  const pending = work.account.charges.get(chargeId);
  const method = pending && work.account.methods.get(pending.payment_method);
  if (intent?.status !== 'processing' || intent.latest_charge !== chargeId || !pending || !method) return;
  const code = banks.named(method._behaviour)?.fails;
  if (code !== undefined) {
    failDebit(work, intent, pending, method, code);
    return;
  }
  const charge = updateCharge(work, pending, {
    status: 'succeeded',
    paid: true,
    balance_transaction: newId('txn'),
    outcome: approved,
  });
  const paid = updatePayment(work, intent, { status: 'succeeded', amount_received: intent.amount });
  emit(work, 'charge.succeeded', charge);
  emit(work, 'payment_intent.succeeded', paid);
  recordCapture(work, paid, charge);
}

function failDebit(
  work: Work,
  intent: PaymentIntent,
  pending: Charge,
  method: PaymentMethod,
  code: string,
): void {
  const message = bankFailureText[code] ?? 'The payment failed.';
  const charge = updateCharge(work, pending, {
    status: 'failed',
    captured: false,
    amount_captured: 0,
    failure_code: code,
    failure_message: message,
    outcome: {
      ...approved,
      network_status: 'declined_by_network',
      reason: code,
      seller_message: message,
      type: 'issuer_declined',
    },
  });
  const failed = updatePayment(work, intent, {
    status: 'requires_payment_method',
    payment_method: null,
    last_payment_error: {
      type: method.type === 'sepa_debit' ? 'invalid_request_error' : 'card_error',
      code: method.type === 'sepa_debit' ? 'payment_intent_payment_attempt_failed' : code,
      message,
      charge: charge.id,
      payment_method: visible(method),
    },
  });
  emit(work, 'charge.failed', charge);
  emit(work, 'payment_intent.payment_failed', failed);
  const mandate = liveMandate(work, method);
  if (banks.named(method._behaviour)?.endsMandate && mandate !== undefined) endMandate(work, mandate);
}
