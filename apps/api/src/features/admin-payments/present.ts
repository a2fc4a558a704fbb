import type {
  AdminPayment,
  AdminPaymentStory,
  StoryEntry,
} from '@counterfoil/contract/operator/paying/admin-payments.ts';
import type { Payment, PaymentHistory } from './queries.ts';

/** A payment as programs are told of it. */
export const presentPayment = (row: Payment): AdminPayment => ({
  id: row.id,
  reference: row.ref,
  direction: row.direction,
  customerId: row.customerId,
  customer: row.customer,
  gateway: row.gateway,
  kind: row.kind,
  method: row.method,
  state: row.state,
  amount: row.amount,
  fee: row.fee,
  currency: row.currency,
  captured: row.captured,
  capturedFee: row.capturedFee,
  gatewayId: row.remote,
  of: row.of,
  invoices: [...row.invoices],
  returned: row.wentBack,
  lost: row.lost,
  sentAt: row.sentAt,
  updatedAt: row.updatedAt,
});

/** The same with all that became of it, in the order of time. */
export function presentStory(payment: PaymentHistory): AdminPaymentStory {
  const none = {
    from: null,
    cause: null,
    amount: null,
    fee: null,
    reference: null,
    paymentId: null,
    evidence: {},
  };
  const story: StoryEntry[] = [
    ...payment.history.map((one) => ({
      ...none,
      at: one.at,
      what: 'state' as const,
      from: one.from,
      to: one.to,
      cause: one.cause,
      evidence: Object.fromEntries(
        Object.entries(one.evidence).map(([name, value]) => [name, String(value)]),
      ),
    })),
    ...payment.refunds.map(({ id, ref, state, amount, fee, at }) => ({
      ...none,
      at,
      what: 'refund' as const,
      to: state,
      amount,
      fee,
      reference: ref,
      paymentId: id,
    })),
    ...payment.reversals.map(({ at, kind, amount, fee, remote }) => ({
      ...none,
      at,
      what: 'reversal' as const,
      to: kind,
      amount,
      fee,
      reference: remote,
    })),
  ];
  const { capture, agreed } = payment;
  return {
    ...presentPayment(payment),
    capture: capture && {
      amount: capture.amount,
      refunded: capture.refunded,
      lost: capture.lost,
      feeRefunded: capture.feeRefunded,
    },
    agreement: agreed,
    // Sorting keeps the order of what happened at the same moment.
    story: story.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)).slice(0, MOST_ENTRIES),
  };
}

const MOST_ENTRIES = 1_000;
