import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import type { Db } from '../../db/database.ts';
import { sqlOnce } from '../../db/sql.ts';
import type { AttemptRow } from './attempts/attempt-row.ts';

/** One invoice of a payment that went through; minor units of the payment's currency. */
export interface TakenLine {
  readonly invoiceId: string;
  readonly number: string;
  /** What money and credit of this payment paid of it. */
  readonly paidMinor: bigint;
  readonly creditMinor: bigint;
  /** What is to be paid of it now; 0 where it is settled. */
  readonly dueMinor: bigint;
}

/** What a payment has really brought, which need not be what was asked for. Minor units. */
export interface TakenMoney {
  readonly minor: bigint;
  readonly feeMinor: bigint;
  /** What was taken beyond what it was for: the customer's credit now. */
  readonly keptMinor: bigint;
  readonly lines: readonly TakenLine[];
}

/**
 * What was taken by an attempt that succeeded, and what is still due of what it was for.
 * @param only of this invoice the lines tell; all of the payment unless given
 * @returns undefined unless it succeeded
 */
export async function readTaken(
  db: Db,
  attempt: AttemptRow | undefined,
  only?: string,
): Promise<TakenMoney | undefined> {
  if (attempt?.state !== 'succeeded') return undefined;
  const { customer_id: customerId, id } = attempt;
  const rows = await db.many<TakenRow>(sqlOnce`
    select p.amount_minor, p.to_fee_minor, p.to_credit_minor, c.invoice_id, i.number,
           coalesce(l.amount_minor, 0)::bigint as money_minor, coalesce(u.amount_minor, 0)::bigint as credit_minor,
           case when i.status = ${InvoiceStatus.OPEN} then i.due_minor else 0::bigint end as due_minor
      from capture p
      join claim c on c.customer_id = p.customer_id and c.attempt_id = p.attempt_id
      join invoice i on i.customer_id = c.customer_id and i.id = c.invoice_id
      left join allocation l on l.customer_id = p.customer_id and l.capture_id = p.id and l.invoice_id = c.invoice_id
      left join credit_use u
        on u.customer_id = c.customer_id and u.attempt_id = c.attempt_id and u.invoice_id = c.invoice_id
     where p.customer_id = ${customerId} and p.attempt_id = ${id} order by i.number, i.id`);
  const [first] = rows;
  if (first === undefined) return undefined;
  const lines = rows.map((row) => ({
    invoiceId: row.invoice_id,
    number: row.number,
    creditMinor: row.credit_minor,
    paidMinor: row.money_minor + row.credit_minor,
    dueMinor: row.due_minor,
  }));
  return {
    minor: first.amount_minor,
    feeMinor: first.to_fee_minor,
    keptMinor: first.to_credit_minor,
    lines: only === undefined ? lines : lines.filter(({ invoiceId }) => invoiceId === only),
  };
}

interface TakenRow {
  amount_minor: bigint;
  to_fee_minor: bigint;
  to_credit_minor: bigint;
  invoice_id: string;
  number: string;
  money_minor: bigint;
  credit_minor: bigint;
  due_minor: bigint;
}

/** What is still to be paid of what a payment was for, minor units. */
export const stillDueOf = ({ lines }: TakenMoney): bigint =>
  lines.reduce((sum, { dueMinor }) => sum + dueMinor, 0n);
