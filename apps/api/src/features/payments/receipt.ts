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

const readPayment = (db: Database, customerId: string, outboxId: string) =>
  db.maybeOne<PaymentRow>(sql`
    select o.payload ->> 'to' as to, o.done_at, a.reseller_id, a.ref, p.currency, p.amount_minor, p.to_fee_minor, p.at,
           coalesce((select json_agg(json_build_object('number', i.number, 'minor', l.amount_minor::text) order by i.number)
              from allocation l join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
             where l.customer_id = p.customer_id and l.capture_id = p.id), '[]') as invoices
      from outbox o
      join capture p on p.customer_id = o.customer_id and p.id = (o.payload ->> 'captureId')::uuid
      join attempt a on a.customer_id = p.customer_id and a.id = p.attempt_id
     where o.customer_id = ${customerId} and o.id = ${outboxId}`);

/** The mail that says what was paid, when, for what. */
export function composeReceipt(
  brand: Brand,
  payment: Omit<PaymentRow, 'reseller_id' | 'done_at'>,
  outboxId: string,
  mailFrom: string,
): Mail {
  const amount = (minor: bigint) =>
    `${symbolFor(brand, payment.currency)}${formatDecimal(money(minor, payment.currency))}`;
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const paid = amount(payment.amount_minor);
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
        { label: 'Paid', value: paid, isTotal: true },
        { label: 'Date', value: date },
        { label: 'Reference', value: payment.ref },
      ],
    },
    mailFrom,
  );
}

const symbolFor = (brand: Brand, currency: string) =>
  currency === brand.currency ? brand.settings.currencySymbol : `${currency} `;
