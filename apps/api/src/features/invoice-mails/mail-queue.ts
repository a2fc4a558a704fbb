import { authorisedCustomer } from '../../http/requests/scope.ts';
import type { Job } from '../../jobs/worker.ts';
import type { PdfRenderer } from '../../letters/pdf-service.ts';
import { type MailDeps, promisedMailJob } from '../../mail/outbox.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow, brandUrl } from '../brand/service.ts';
import { type InvoicePaperDeps, invoiceFile } from '../invoices/service.ts';
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

/** Sends the mails about invoices; none about one that is paid, void, disputed or in hand by then. */
export const invoiceMailJob = (
  deps: MailDeps & InvoicePaperDeps & { readonly pdf: Pick<PdfRenderer, 'render'> },
): Job =>
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
    if (step !== 'new' || !brand.settings.invoiceMails.withPdf) return mail;
    const scope = authorisedCustomer(customerId, invoice.reseller_id, 'system');
    const file = await invoiceFile(deps, { scope, invoiceId }, MOST_BYTES);
    if (file === undefined) return mail;
    return { ...mail, attachments: [{ ...file, contentType: 'application/pdf' }] };
  });
