import type { ExternalPayment } from '@counterfoil/contract/operator/paying/external-payments.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { ExternalPaymentRow } from './queries.ts';

/** A payment as programs and commands are told of it. */
export function presentExternalPayment(row: ExternalPaymentRow): ExternalPayment {
  const decimal = (minor: bigint) => formatDecimal(money(minor, row.currency));
  return {
    id: row.id,
    customerId: row.customer_id,
    reference: row.reference,
    amount: decimal(row.amount_minor),
    currency: row.currency,
    receivedOn: row.received_on,
    method: row.method,
    note: row.note,
    status: row.voided_at === null ? 'booked' : 'voided',
    recordedBy: row.recorded_by,
    invoices: row.shares.map(({ number, minor }) => ({ number, amount: decimal(BigInt(minor)) })),
    toCredit: decimal(row.to_credit_minor),
  };
}
