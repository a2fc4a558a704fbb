/** Calls about payments and refunds, and the simulators that make things happen at once. */
import {
  found,
  linked,
  metadataOf,
  minorOf,
  only,
  part,
  text,
  wrongField,
  wrongState,
  wrongUse,
} from './sandbox-body.ts';
import {
  type Call,
  type Json,
  type Mandate,
  type Payment,
  type Refund,
  schemes,
  shown,
} from './sandbox-data.ts';
import type { Work } from './sandbox-payments.ts';

// ---- Payments ----

export function makePayment(work: Work, { body }: Call): Json {
  only(body, 'payments', 'amount currency description metadata retry_if_possible charge_date links app_fee');
  const metadata = metadataOf(body['metadata'], 'payments');
  const amount = minorOf(body['amount'], '/payments/amount');
  const payment = work.once(() => {
    const mandate = linked(work.records.mandates.get(text(part(body['links'])['mandate'])), 'mandate');
    const scheme = schemes[mandate.scheme];
    if (scheme === undefined || body['currency'] !== scheme.currency)
      throw wrongField('/payments/currency', "is not the mandate's currency");
    const chargeDate = typeof body['charge_date'] === 'string' ? body['charge_date'] : undefined;
    const earliest = mandate.next_possible_charge_date ?? '';
    if (chargeDate !== undefined && chargeDate < earliest)
      throw wrongField('/payments/charge_date', `must be on or after ${earliest}`);
    const description = text(body['description']) || null;
    const isRetried = body['retry_if_possible'] === true;
    const about = { amount, currency: scheme.currency, description, metadata };
    return work.pay(Object.assign(about, { retry_if_possible: isRetried }), mandate, chargeDate);
  });
  return { payments: shown(payment) };
}

export function cancelPayment(work: Work, { id }: Call): Json {
  const payment = found(work.records.payments.get(id));
  if (payment.status !== 'pending_submission')
    throw wrongState('cancellation_failed', 'Payment cannot be cancelled');
  return { payments: shown(work.setPayment(payment, 'cancelled')) };
}

export function retryPayment(work: Work, { id }: Call): Json {
  const payment = found(work.records.payments.get(id));
  const mandate = work.records.mandates.get(payment.links.mandate);
  if (payment.status !== 'failed' || mandate?.status !== 'active')
    throw wrongState('retry_failed', 'Payment cannot be retried');
  return { payments: shown(work.resubmit(payment)) };
}

export function makeRefund(work: Work, { body }: Call): Json {
  only(body, 'refunds', 'amount total_amount_confirmation links metadata reference');
  const metadata = metadataOf(body['metadata'], 'refunds');
  const amount = minorOf(body['amount'], '/refunds/amount');
  const confirmation = minorOf(body['total_amount_confirmation'], '/refunds/total_amount_confirmation');
  const refund = work.once(() => {
    const payment = linked(work.records.payments.get(text(part(body['links'])['payment'])), 'payment');
    return work.refund(payment, amount, confirmation, metadata);
  });
  return { refunds: shown(refund) };
}

// ---- Simulators ----

type Simulator = readonly [
  kind: 'payment' | 'mandate' | 'refund' | 'request',
  from: string,
  run: (work: Work, one: never) => unknown,
];
const ofPayment = (from: string, run: (work: Work, payment: Payment) => unknown): Simulator => [
  'payment',
  from,
  run,
];
const ofMandate = (from: string, run: (work: Work, mandate: Mandate) => unknown): Simulator => [
  'mandate',
  from,
  run,
];
const ofRefund = (from: string, run: (work: Work, refund: Refund) => unknown): Simulator => [
  'refund',
  from,
  run,
];

const submitted = (work: Work, payment: Payment): Payment =>
  payment.status === 'pending_submission' ? work.submit(payment) : payment;
const confirmed = (work: Work, payment: Payment): Payment =>
  payment.status === 'confirmed' ? payment : work.confirm(submitted(work, payment));
const paidOut = (work: Work, payment: Payment): Payment =>
  payment.status === 'paid_out' ? payment : work.setPayment(confirmed(work, payment), 'paid_out');

const simulators: Readonly<Record<string, Simulator>> = {
  payment_submitted: ofPayment('pending_submission', submitted),
  payment_confirmed: ofPayment('pending_submission submitted', confirmed),
  payment_paid_out: ofPayment('pending_submission submitted confirmed', paidOut),
  payment_failed: ofPayment('pending_submission submitted', (work, one) => work.fail(submitted(work, one))),
  payment_charged_back: ofPayment('pending_submission submitted confirmed paid_out', (work, one) =>
    work.chargeBack(paidOut(work, one)),
  ),
  payment_late_failure: ofPayment('pending_submission submitted confirmed paid_out', (work, one) =>
    work.fail(paidOut(work, one)),
  ),
  mandate_activated: ofMandate('pending_submission submitted', (work, one) => {
    if (schemes[one.scheme]?.activatedByPayment)
      throw wrongState('simulator_not_available', 'The first payment activates it');
    return work.activate(one);
  }),
  mandate_failed: ofMandate('pending_submission submitted', (work, one) => work.setMandate(one, 'failed')),
  mandate_expired: ofMandate('active', (work, one) => work.setMandate(one, 'expired')),
  mandate_transferred: ofMandate('active', (work, one) => work.transfer(one)),
  mandate_suspended_by_payer: ofMandate('active', (work, one) => work.setMandate(one, 'suspended_by_payer')),
  refund_paid: ofRefund('created', (work, one) => work.setRefund(one, 'paid')),
  refund_bounced: ofRefund('created paid', (work, one) => work.setRefund(one, 'bounced', 'failed')),
  refund_returned: ofRefund('created paid', (work, one) => work.setRefund(one, 'funds_returned')),
  // Beyond the provider's own: what its sandbox has no switch for.
  own_payment_failed_to_be_retried: ofPayment(
    'pending_submission submitted confirmed paid_out',
    (work, one) => work.fail(submitted(work, one), true),
  ),
  own_payment_resubmitted: ofPayment('failed', (work, one) => work.resubmit(one)),
  own_chargeback_cancelled: ofPayment('charged_back', (work, one) => work.winBack(one)),
  own_mandate_replaced: ofMandate('pending_submission submitted active', (work, one) => work.replace(one)),
  own_mandate_blocked: ofMandate('active', (work, one) => work.setMandate(one, 'blocked')),
};

export function simulate(work: Work, { id: name, body }: Call): Json {
  const simulator = simulators[name];
  if (simulator === undefined) throw wrongUse(404, 'resource_not_found', 'There is no such simulator');
  const [kind, from, run] = simulator;
  const { payments, mandates, refunds } = work.records;
  const all = { payment: payments, mandate: mandates, refund: refunds, request: work.records.requests }[kind];
  const one = found(all.get(text(part(body['links'])['resource'])));
  if (!from.split(' ').includes(one.status))
    throw wrongState('simulator_not_available', `The ${kind} is ${one.status}`);
  run(work, one as never);
  return { scenario_simulators: { id: name } };
}
