import type { ExternalPaymentMessage } from '@counterfoil/contract/operator/running/webhook-messages.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { listeningOf, writeMessages } from './write-messages.ts';

/** What a message says of a payment from outside. */
export interface ExternalPaymentMessageRow {
  readonly id: string;
  readonly customer_id: string;
  readonly reseller_id: number;
  readonly reference: string;
  readonly method: ExternalPaymentMessage['method'];
  readonly currency: string;
  readonly amount_minor: bigint;
  readonly received_on: string;
  readonly voided_at: Date | null;
  readonly shares: readonly { readonly invoiceId: string; readonly number: string; readonly minor: string }[];
  readonly to_credit_minor: bigint;
}

/** Tells of a payment from outside as it is now, in the transaction that has booked it or taken it back. */
export async function tellOfExternalPayment(
  tx: Tx,
  row: ExternalPaymentMessageRow,
  type: 'external_payment.recorded' | 'external_payment.voided',
  now: Date,
): Promise<void> {
  const { wanted } = await listeningOf(tx, row.reseller_id);
  if (!wanted(type)) return;
  const { reference } = await tx.one<{ reference: string | null }>(sql`
    select external_ref as reference from customer where customer_id = ${row.customer_id}`);
  const decimal = (minor: bigint) => formatDecimal(money(minor, row.currency));
  const data: ExternalPaymentMessage = {
    id: row.id,
    reference: row.reference,
    customerId: row.customer_id,
    customerReference: reference,
    method: row.method,
    amount: decimal(row.amount_minor),
    currency: row.currency,
    receivedOn: row.received_on,
    status: row.voided_at === null ? 'booked' : 'voided',
    invoices: row.shares.map(({ invoiceId, number, minor }) => ({
      id: invoiceId,
      number,
      amount: decimal(BigInt(minor)),
    })),
    toCredit: decimal(row.to_credit_minor),
    link: `/v1/admin/external-payments/${row.id}`,
  };
  await writeMessages(
    tx,
    row.reseller_id,
    [{ type, objectId: row.id, customerId: row.customer_id, data }],
    now,
  );
}
