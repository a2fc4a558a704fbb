import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { authorisedCustomer, type CustomerScope } from '../../http/requests/scope.ts';
import type { Job } from '../../jobs/worker.ts';
import type { PdfRenderer } from '../../letters/pdf-service.ts';
import type { MailAttachment } from '../../mail/mailer.ts';
import { type MailDeps, promisedMailJob } from '../../mail/outbox.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow, brandUrl } from '../brand/service.ts';
import { type InvoicePaperDeps, invoiceFile, invoiceUsageCsv } from '../invoices/service.ts';
import { findPayLink } from '../pay-links/service.ts';
import { invoiceMail } from './mails.ts';
import { findToldInvoice } from './queries.ts';

/** Kind of the outbox rows and name of the job that sends them. */
export const INVOICE_MAIL = 'invoice';

/** What the outbox keeps: the rest is as it stands when the mail is sent. */
export interface InvoiceMailPayload {
  readonly invoiceId: string;
  readonly step: string;
  readonly to: string;
}

/** Larger ones are not attached: mail servers refuse them, and the link leads to them. */
const MOST_BYTES = 5_000_000;

type PaperDeps = InvoicePaperDeps & { readonly pdf: Pick<PdfRenderer, 'render'> };

/** Sends the mails about invoices; none about one that is paid, void, disputed or in hand by then. */
export const invoiceMailJob = (deps: MailDeps & PaperDeps): Job =>
  promisedMailJob<InvoiceMailPayload>(deps, INVOICE_MAIL, async ({ customerId, id, payload }) => {
    const { invoiceId, step, to } = payload;
    const invoice = await findToldInvoice(deps.db, customerId, invoiceId);
    if (invoice === undefined || (step !== 'new' && invoice.is_in_hand)) return undefined;
    const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, invoice.reseller_id));
    const token = await findPayLink(deps, customerId, invoiceId);
    const url = brandUrl(
      brand,
      deps.publicUrl,
      token === undefined || !brand.settings.paymentsEnabled ? `/invoices/${invoiceId}` : `/pay/${token}`,
    );
    const mail = invoiceMail(brand, { ...invoice, step, to, url }, `<${id}@invoice.counterfoil>`);
    if (step !== 'new') return mail;
    const scope = authorisedCustomer(customerId, invoice.reseller_id, 'system');
    const attachments = await attachmentsOf(deps, { scope, invoiceId }, brand.settings.invoiceMails);
    return attachments.length === 0 ? mail : { ...mail, attachments };
  });

/** What the provider has go with a new invoice. */
async function attachmentsOf(
  deps: PaperDeps,
  of: { readonly scope: CustomerScope; readonly invoiceId: string },
  { withPdf, withUsageCsv }: { readonly withPdf: boolean; readonly withUsageCsv: boolean },
): Promise<MailAttachment[]> {
  const attachments: MailAttachment[] = [];
  const file = withPdf ? await invoiceFile(deps, of, MOST_BYTES) : undefined;
  if (file !== undefined) attachments.push({ ...file, contentType: 'application/pdf' });
  const usage = withUsageCsv ? await invoiceUsageCsv(deps, of.scope, of.invoiceId) : undefined;
  if (usage === undefined || usage.rows === 0) return attachments;
  const content = Buffer.from(usage.csv);
  if (content.length <= MOST_BYTES)
    attachments.push({
      filename: safeFileName(`${usage.number}_usage.csv`),
      contentType: 'text/csv; charset=utf-8',
      content,
    });
  return attachments;
}
