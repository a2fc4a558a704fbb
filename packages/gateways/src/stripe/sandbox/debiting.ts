/** Bank debits: sent to the bank now, answered later. */

import { newId } from '@counterfoil/sandbox/ids.ts';
import { later, type Work } from './account.ts';
import { bankFailureText, banks } from './banks.ts';
import { approved, writeCharge } from './charge-record.ts';
import { keepMethod, recordCapture, updateCharge, updatePayment } from './charging.ts';
import { emit } from './events.ts';
import { endMandate, liveMandate } from './mandates.ts';
import type { Charge } from './money-objects.ts';
import type { PaymentIntent, PaymentMethod } from './objects.ts';
import { visible } from './render.ts';

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
