import { formatDecimal, money } from '@counterfoil/domain/money.ts';
import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Clock } from '../../../deps.ts';
import type { Job } from '../../../jobs/worker.ts';
import type { PdfRenderer } from '../../../letters/pdf-service.ts';
import { composeMail } from '../../../mail/compose.ts';
import type { Mail, Mailer } from '../../../mail/mailer.ts';
import type { Secrets } from '../../../secrets.ts';
import { findCustomerBrand } from '../../brand/queries.ts';
import { type Brand, brandFromRow, brandUrl, symbolOf } from '../../brand/service.ts';
import { findPayLink } from '../../pay-links/service.ts';
import { findPaid, type PaidKey, type PaidMoney } from '../paid.ts';
import { paidOn, receiptFileName, receiptLines, stillDue } from './receipt-lines.ts';
import { RECEIPT, type ReceiptJob } from './receipt-queue.ts';
import { receiptPaper } from './receipt-service.ts';

export interface ReceiptDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly mailFrom: string;
  readonly pdf: Pick<PdfRenderer, 'render'>;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
}

interface PromisedRow extends PaidKey {
  readonly to: string;
  readonly doneAt: Date | null;
}

/** Sends the receipt of a payment with its PDF, once: a row that is done is not sent again. */
export function receiptJob(deps: ReceiptDeps): Job {
  return {
    name: RECEIPT,
    async run(payload) {
      const { customerId, outboxId } = payload as ReceiptJob;
      const promised = await deps.db.maybeOne<PromisedRow>(sql`
        select payload ->> 'to' as to, done_at as "doneAt", payload ->> 'captureId' as "captureId",
               payload ->> 'sessionId' as "sessionId"
          from outbox where customer_id = ${customerId} and id = ${outboxId}`);
      if (promised === undefined || promised.doneAt !== null) return;
      const payment = await findPaid(deps.db, customerId, promised);
      if (payment === undefined) return;
      const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, payment.reseller_id));
      const url = await wayToPayRest(deps, customerId, brand, payment);
      const told = { ...payment, to: promised.to, ...(url === undefined ? {} : { url }) };
      const mail = composeReceipt(brand, told, outboxId, deps.mailFrom);
      const content = await deps.pdf.render(await receiptPaper(deps, brand, payment));
      const filename = receiptFileName(payment);
      await deps.mailer.send({
        ...mail,
        attachments: [{ filename, contentType: 'application/pdf', content: Buffer.from(content) }],
      });
      await deps.db.transaction((tx) =>
        tx.execute(sql`
          update outbox set done_at = ${deps.clock.now()} where customer_id = ${customerId} and id = ${outboxId}`),
      );
    },
  };
}

/** Where what is still due is paid: one invoice by its link, several in the portal. Undefined where nothing is. */
async function wayToPayRest(
  deps: ReceiptDeps,
  customerId: string,
  brand: Brand,
  payment: PaidMoney,
): Promise<string | undefined> {
  const [first, ...others] = stillDue(payment);
  if (first === undefined) return undefined;
  const token = others.length > 0 ? undefined : await findPayLink(deps, customerId, first.id);
  return brandUrl(brand, deps.publicUrl, token === undefined ? '/invoices' : `/pay/${token}`);
}

/** The mail that says what was paid, when, for what, and what is still due. @param payment `url`: where that is paid */
export function composeReceipt(
  brand: Brand,
  payment: PaidMoney & { readonly to: string; readonly url?: string },
  outboxId: string,
  mailFrom: string,
): Mail {
  const amount = (minor: bigint) =>
    `${minor < 0n ? '-' : ''}${symbolOf(brand, payment.currency)}` +
    formatDecimal(money(minor < 0n ? -minor : minor, payment.currency));
  const { invoiceLabelSingular: invoiceLabel } = brand.settings;
  const lines = receiptLines(brand, payment);
  const date = paidOn(brand, payment.at);
  return composeMail(
    {
      kind: 'receipt',
      brand,
      to: payment.to,
      messageId: `<${outboxId}@receipt.counterfoil>`,
      ...(payment.url === undefined ? {} : { url: payment.url }),
      values: {
        amount: amount(lines.find(({ isTotal }) => isTotal)?.minor ?? 0n),
        date,
        reference: payment.ref,
        invoiceLabel,
        invoices: payment.invoices.map((invoice) => invoice.number).join(', '),
      },
      facts: [
        ...lines.map(({ label, minor, isTotal }) => ({
          label,
          value: amount(minor),
          ...(isTotal === true ? { isTotal } : {}),
        })),
        { label: 'Date', value: date },
        ...(payment.method === null ? [] : [{ label: 'Payment method', value: payment.method }]),
        { label: 'Reference', value: payment.ref },
      ],
    },
    mailFrom,
  );
}
