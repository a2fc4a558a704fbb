import type { Tx } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { Job } from '../../../jobs/worker.ts';
import type { PdfRenderer } from '../../../letters/pdf-service.ts';
import { type MailDeps, promisedMail, promisedMailJob, promiseMail } from '../../../mail/outbox.ts';
import type { Secrets } from '../../../secrets.ts';
import { findCustomerBrand } from '../../brand/queries.ts';
import { type Brand, brandFromRow, brandUrl } from '../../brand/service.ts';
import { findPayLink } from '../../pay-links/service.ts';
import type { AttemptRow } from '../attempts/attempt-row.ts';
import { findPaid, type PaidKey, type PaidMoney } from '../paid.ts';
import { receiptMail } from './mails.ts';
import { receiptFileName, stillDue } from './receipt-lines.ts';
import { receiptPaper } from './receipt-service.ts';

/** Kind of the outbox row and of the job that sends it. */
const RECEIPT = 'receipt';

/** What the outbox keeps of a receipt: of what was taken, or of the session that credit paid alone. */
type ReceiptPayload = PaidKey & { readonly to: string; readonly attemptId?: string };

/** Promises one receipt for a payment, as parts of the statement that books it; none where nobody left an address. */
export function receiptParts(attempt: AttemptRow, captureId: string, now: Date): readonly Sql[] {
  const { customer_id: customerId, id: attemptId, receipt_email: to } = attempt;
  if (to === null) return [];
  const payload: ReceiptPayload = { captureId, attemptId, to };
  return [sql`receipt as (${promisedMail({ kind: RECEIPT, customerId, cause: captureId, payload }, now)})`];
}

/** The same for a payment that credit made alone. */
export async function enqueueCreditReceipt(
  tx: Tx,
  of: { readonly customerId: string; readonly sessionId: string; readonly to: string | null },
  now: Date,
): Promise<void> {
  const { customerId, sessionId, to } = of;
  if (to === null) return;
  const payload: ReceiptPayload = { sessionId, to };
  await promiseMail(tx, { kind: RECEIPT, customerId, cause: sessionId, payload }, now);
}

interface ReceiptDeps extends MailDeps {
  readonly pdf: Pick<PdfRenderer, 'render'>;
  readonly secrets: Secrets;
}

/** Sends the receipt of a payment with its PDF. */
export const receiptJob = (deps: ReceiptDeps): Job =>
  promisedMailJob<ReceiptPayload>(deps, RECEIPT, async ({ customerId, id, payload }) => {
    const { to } = payload;
    const payment = await findPaid(deps.db, customerId, payload);
    if (payment === undefined) return undefined;
    const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, payment.reseller_id));
    const url = await wayToPayRest(deps, customerId, brand, payment);
    const told = { ...payment, to, ...(url === undefined ? {} : { url }) };
    const content = Buffer.from(await deps.pdf.render(await receiptPaper(deps, brand, payment)));
    const filename = receiptFileName(payment);
    return {
      ...receiptMail(brand, told, `<${id}@receipt.counterfoil>`),
      attachments: [{ filename, contentType: 'application/pdf', content }],
    };
  });

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
