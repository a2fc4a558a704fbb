import { money } from '@counterfoil/domain/money/money.ts';
import {
  type InvoiceEvent,
  InvoiceStatus,
  isInvoiceStatus,
  statusAfter,
} from '@counterfoil/domain/paying/invoice.ts';
import type { Tx } from '../../db/database.ts';
import { type Sql, sql, sqlOnce } from '../../db/sql.ts';
import { newsOfStatus, tellOfInvoicesOf } from '../../messages/invoice-messages.ts';

/** What an invoice asks for and what became of it, minor units. */
export interface InvoiceAmounts {
  currency: string;
  payable_minor: bigint;
  paid_minor: bigint;
  credited_minor: bigint;
  reversed_minor: bigint;
  held_minor: bigint;
  due_minor: bigint;
  status: number;
}

/** The columns of {@link InvoiceAmounts}. */
export const invoiceAmounts: Sql = sql.raw(
  'currency, payable_minor, paid_minor, credited_minor, reversed_minor, held_minor, due_minor, status',
);

/** By how much what became of an invoice changes, minor units. */
export interface AmountsChange {
  readonly paid?: bigint;
  readonly credited?: bigint;
  readonly reversed?: bigint;
}

type Owing = Pick<
  InvoiceAmounts,
  'currency' | 'payable_minor' | 'paid_minor' | 'credited_minor' | 'reversed_minor' | 'status'
>;

/** The status of an invoice once its amounts have changed by an event. */
export function statusWith(
  row: Owing,
  { paid = 0n, credited = 0n, reversed = 0n }: AmountsChange,
  event: InvoiceEvent,
): InvoiceStatus {
  const of = (minor: bigint) => money(minor, row.currency);
  const after = {
    payable: of(row.payable_minor),
    paid: of(row.paid_minor + paid),
    credited: of(row.credited_minor + credited),
    reversed: of(row.reversed_minor + reversed),
  };
  return statusAfter(isInvoiceStatus(row.status) ? row.status : InvoiceStatus.OPEN, after, event);
}

/**
 * Changes what became of an invoice, and its status with it, of which webhook endpoints are told.
 * @param invoice as it stands, its row locked by the caller
 * @param now when it is written, whatever day it is booked on
 * @returns its status afterwards
 */
export async function changeInvoice(
  tx: Tx,
  customerId: string,
  invoice: Owing & { readonly id: string },
  change: AmountsChange,
  event: InvoiceEvent,
  now: Date,
): Promise<InvoiceStatus> {
  const { paid = 0n, credited = 0n, reversed = 0n } = change;
  const status = statusWith(invoice, change, event);
  await tx.execute(sqlOnce`
    update invoice set paid_minor = paid_minor + ${paid}, credited_minor = credited_minor + ${credited},
           reversed_minor = reversed_minor + ${reversed}, status = ${status}
     where customer_id = ${customerId} and id = ${invoice.id}`);
  const news = newsOfStatus(invoice.status, status);
  if (news !== undefined) await tellOfInvoicesOf(tx, customerId, [{ type: news, id: invoice.id }], now);
  return status;
}
