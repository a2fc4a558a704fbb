/** Debits and refunds: made, sent to the bank, and what comes back. */
import { endRefund, planOf, recordCharge, recordRefund } from '@counterfoil/sandbox/money/movements.ts';
import { wrongState } from './sandbox-body.ts';
import {
  type Behaviour,
  chargeDay,
  gateway,
  idOf,
  type Mandate,
  type Payment,
  type Refund,
  type Texts,
} from './sandbox-data.ts';
import { chargeable, MandateWork } from './sandbox-work.ts';

const mostRefunds = 5;

export class Work extends MandateWork {
  /** @param about what was asked for, checked. @throws {Refusal} for a mandate that cannot be debited */
  pay(
    about: Pick<Payment, 'amount' | 'currency' | 'description' | 'metadata' | 'retry_if_possible'>,
    mandate: Mandate,
    chargeDate: string | undefined,
  ): Payment {
    const { new_mandate: newer } = mandate.links;
    if (newer !== undefined)
      throw wrongState('mandate_replaced', 'The mandate has been replaced', { new_mandate: newer });
    if (!chargeable.has(mandate.status))
      throw wrongState('mandate_is_inactive', 'The mandate is cancelled, failed or expired');
    const id = idOf('PM');
    const plan = planOf(this.turn, {}, about.amount);
    const payment: Payment = {
      id,
      created_at: this.at,
      status: 'pending_submission',
      ...about,
      amount_refunded: 0,
      charge_date: chargeDate ?? chargeDay(this.now),
      links: { mandate: mandate.id, creditor: mandate.links.creditor },
      _taken: false,
      _lateFailureMs: plan.resubmitMs === undefined ? plan.lateFailureMs : undefined,
      _resubmitMs: plan.resubmitMs,
    };
    this.turn.tx.put(this.records.payments, id, payment);
    this.tellPayment(payment, 'created');
    this.later('payment', id, payment.status, this.bankMs / 3);
    return payment;
  }

  submit(payment: Payment): Payment {
    const mandate = this.records.mandates.get(payment.links.mandate);
    if (mandate !== undefined) this.activate(mandate);
    return this.setPayment(payment, 'submitted');
  }

  /** The money is taken, or taken again. */
  confirm(payment: Payment): Payment {
    const { captures } = this.turn.host;
    if (payment._taken) captures.change(this.turn.tx, payment.id, { state: 'captured' });
    else recordCharge(this.turn, this.#movement(payment, payment.id), { plan: {}, disputed: undefined });
    const confirmed = this.setPayment(payment, 'confirmed', 'confirmed', undefined, { _taken: true });
    this.later('payment', payment.id, 'confirmed', payment._lateFailureMs ?? this.bankMs);
    return confirmed;
  }

  #movement({ id, amount, currency, metadata }: Payment | Refund, payment: string) {
    return {
      gateway,
      reference: metadata['attempt'] ?? null,
      idempotencyKey: this.turn.idempotencyKey,
      metadata,
      remote: payment,
      movement: id,
      account: this.name,
      minor: amount,
      currency,
    };
  }

  /** The bank returns it, also after it was taken. @param isRetried it is collected again without being asked to */
  fail(payment: Payment, isRetried = false): Payment {
    this.turn.host.captures.change(this.turn.tx, payment.id, { state: 'failed' });
    const more = { will_attempt_retry: isRetried };
    return this.setPayment(payment, 'failed', 'failed', more, { _lateFailureMs: undefined });
  }

  chargeBack(payment: Payment): Payment {
    this.turn.host.captures.change(this.turn.tx, payment.id, { state: 'charged-back' });
    return this.setPayment(payment, 'charged_back');
  }
  winBack(payment: Payment): Payment {
    this.turn.host.captures.change(this.turn.tx, payment.id, { state: 'captured' });
    return this.setPayment(payment, 'paid_out', 'chargeback_cancelled');
  }

  /** It goes to the bank again. */
  resubmit(payment: Payment): Payment {
    const change = { charge_date: chargeDay(this.now), _resubmitMs: undefined };
    const again = this.setPayment(payment, 'pending_submission', 'resubmission_requested', undefined, change);
    this.later('payment', payment.id, again.status, this.bankMs / 3);
    return again;
  }

  /** What a payment does by itself next. */
  paymentTask(id: string, status: string): void {
    const payment = this.records.payments.get(id);
    if (payment === undefined || payment.status !== status) return;
    const name: Behaviour | string = this.nameOf(this.records.mandates.get(payment.links.mandate));
    const { _resubmitMs: resubmitMs, _lateFailureMs: lateMs } = payment;
    switch (status) {
      case 'pending_submission':
        this.submit(payment);
        this.later('payment', id, 'submitted', (this.bankMs * 2) / 3);
        break;
      case 'submitted':
        if (resubmitMs !== undefined) {
          this.fail(payment, true);
          this.later('payment', id, 'failed', resubmitMs);
        } else if (name === 'Penniless') this.fail(payment);
        else this.confirm(payment);
        break;
      case 'confirmed':
        if (name === 'Late' || lateMs !== undefined) this.fail(payment);
        else this.setPayment(payment, 'paid_out');
        if (name === 'Fickle') this.later('payment', id, 'paid_out', this.bankMs);
        break;
      case 'paid_out':
        this.chargeBack(payment);
        break;
      case 'failed':
        if (resubmitMs !== undefined) this.resubmit(payment);
        break;
    }
  }

  // ---- Refunds ----

  refund(payment: Payment, amount: number, confirmation: number, metadata: Texts): Refund {
    if (payment.status !== 'confirmed' && payment.status !== 'paid_out')
      throw wrongState('refund_payment_invalid_state', 'The payment is neither confirmed nor paid out');
    const earlier = [...this.records.refunds.newest()].filter(({ links }) => links.payment === payment.id);
    if (earlier.length >= mostRefunds)
      throw wrongState('number_of_refunds_exceeded', 'A payment has five refunds at most');
    if (amount > payment.amount - payment.amount_refunded)
      throw wrongState('available_refund_amount_insufficient', 'The refund is more than is left');
    if (confirmation !== payment.amount_refunded + amount)
      throw wrongState('total_amount_confirmation_invalid', 'The confirmed total is wrong');
    const refund: Refund = {
      id: idOf('RF'),
      created_at: this.at,
      status: 'created',
      amount,
      currency: payment.currency,
      metadata,
      links: { payment: payment.id, mandate: payment.links.mandate },
    };
    const { tx } = this.turn;
    recordRefund(this.turn, sumsOf(payment), this.#movement(refund, payment.id), true);
    tx.put(this.records.payments, payment.id, {
      ...payment,
      amount_refunded: payment.amount_refunded + amount,
    });
    tx.put(this.records.refunds, refund.id, refund);
    this.#tellRefund(refund, 'created');
    this.later('refund', refund.id, refund.status, this.bankMs);
    return refund;
  }

  #tellRefund({ id, metadata, links }: Refund, action: string): void {
    this.tell('refunds', action, { links: { refund: id, payment: links.payment }, metadata });
  }

  setRefund(refund: Refund, status: string, action = status): void {
    const isBack = status === 'bounced' || status === 'funds_returned';
    const payment = this.records.payments.get(refund.links.payment);
    const { tx } = this.turn;
    tx.put(this.records.refunds, refund.id, { ...refund, status });
    if (payment !== undefined) {
      const left = endRefund(
        this.turn,
        sumsOf(payment),
        { movement: refund.id, minor: refund.amount },
        isBack,
      );
      tx.put(this.records.payments, payment.id, { ...payment, amount_refunded: left });
    }
    this.#tellRefund(refund, action);
  }

  refundTask(id: string, status: string): void {
    const refund = this.records.refunds.get(id);
    if (refund?.status === status) this.setRefund(refund, 'paid');
  }
}

const sumsOf = ({ id, amount, amount_refunded }: Payment) => ({
  movement: id,
  taken: amount,
  refunded: amount_refunded,
});
