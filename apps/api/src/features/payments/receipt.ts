import { formatDay, parseDay } from '@counterfoil/domain/day.ts';
import { formatDecimal, money } from '@counterfoil/domain/money.ts';
import { today } from '@counterfoil/domain/time-zone.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { Job } from '../../jobs/worker.ts';
import { composeMail } from '../../mail/compose.ts';
import type { Mail, Mailer } from '../../mail/mailer.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow } from '../brand/service.ts';
import { symbolOf } from './price.ts';
import { RECEIPT, type ReceiptJob } from './receipt-queue.ts';

export interface ReceiptDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly mailFrom: string;
}

interface PaymentRow {
  to: string;
  reseller_id: number;
  ref: string;
  currency: string;
  amount_minor: bigint;
  to_fee_minor: bigint;
  /** The customer's credit that paid a part, or all where no money was taken. */
  credit_minor: bigint;
  at: Date;
  done_at: Date | null;
  invoices: { number: string; minor: string }[];
}

/** Sends the receipt of a payment, once: a row that is done is not sent again. */
export function receiptJob(deps: ReceiptDeps): Job {
  return {
    name: RECEIPT,
    async run(payload) {
      const { customerId, outboxId } = payload as ReceiptJob;
      const payment = await readPayment(deps.db, customerId, outboxId);
      if (payment === undefined || payment.done_at !== null) return;
      const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, payment.reseller_id));
      await deps.mailer.send(composeReceipt(brand, payment, outboxId, deps.mailFrom));
      await deps.db.transaction((tx) =>
        tx.execute(sql`
          update outbox set done_at = ${deps.clock.now()} where customer_id = ${customerId} and id = ${outboxId}`),
      );
    },
  };
}

/** A payment with the gateway's money, or one that credit paid alone. */
const readPayment = (db: Database, customerId: string, outboxId: string) =>
  db.maybeOne<PaymentRow>(sql`
    select o.payload ->> 'to' as to, o.done_at, s.reseller_id, coalesce(a.ref, s.settled_ref) as ref, s.currency,
           coalesce(p.amount_minor, 0)::bigint as amount_minor, coalesce(p.to_fee_minor, 0)::bigint as to_fee_minor,
           coalesce(p.at, s.settled_at) as at, coalesce(paid.credit, 0)::bigint as credit_minor,
           coalesce(paid.invoices, '[]') as invoices
      from outbox o
      left join capture p on p.customer_id = o.customer_id and p.id = (o.payload ->> 'captureId')::uuid
      left join attempt a on a.customer_id = p.customer_id and a.id = p.attempt_id
      join pay_session s on s.customer_id = o.customer_id
       and s.id = coalesce(a.session_id, (o.payload ->> 'sessionId')::uuid)
      cross join lateral (
        select json_agg(json_build_object('number', i.number, 'minor', m.minor::text) order by i.number) as invoices,
               sum(m.credit) as credit
          from (select invoice_id, sum(minor) as minor, sum(credit) as credit
                  from (select l.invoice_id, l.amount_minor as minor, 0 as credit from allocation l
                         where l.customer_id = o.customer_id and l.capture_id = p.id and l.invoice_id is not null
                        union all
                        select u.invoice_id, u.amount_minor, u.amount_minor from credit_use u
                         where u.customer_id = o.customer_id and u.session_id = s.id) parts
                 group by invoice_id) m
          join invoice i on i.customer_id = o.customer_id and i.id = m.invoice_id) paid
     where o.customer_id = ${customerId} and o.id = ${outboxId}`);

/** The mail that says what was paid, when, for what. */
export function composeReceipt(
  brand: Brand,
  payment: Omit<PaymentRow, 'reseller_id' | 'done_at'>,
  outboxId: string,
  mailFrom: string,
): Mail {
  const amount = (minor: bigint) =>
    `${symbolOf(brand, payment.currency)}${formatDecimal(money(minor, payment.currency))}`;
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const isCreditOnly = payment.amount_minor === 0n;
  const paid = amount(isCreditOnly ? payment.credit_minor : payment.amount_minor);
  const date = formatDay(parseDay(today(brand.timeZone, payment.at)));
  return composeMail(
    {
      kind: 'receipt',
      ...{ brand, to: payment.to, messageId: `<${outboxId}@receipt.counterfoil>` },
      values: {
        ...{ amount: paid, date, reference: payment.ref, invoiceLabel },
        invoices: payment.invoices.map((invoice) => invoice.number).join(', '),
      },
      facts: [
        ...payment.invoices.map((invoice) => ({
          label: `${invoiceLabel} ${invoice.number}`,
          value: amount(BigInt(invoice.minor)),
        })),
        ...(payment.to_fee_minor > 0n ? [{ label: 'Fee', value: amount(payment.to_fee_minor) }] : []),
        ...(payment.credit_minor > 0n && !isCreditOnly
          ? [{ label: 'Credit used', value: `-${amount(payment.credit_minor)}` }]
          : []),
        { label: isCreditOnly ? 'Paid from credit' : 'Paid', value: paid, isTotal: true },
        { label: 'Date', value: date },
        { label: 'Reference', value: payment.ref },
      ],
    },
    mailFrom,
  );
}
