import type { Tx } from '../../db/database.ts';
import type { Job } from '../../jobs/worker.ts';
import { type MailDeps, promisedMailJob, promiseMail } from '../../mail/outbox.ts';
import type { Secrets } from '../../secrets.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow, brandUrl } from '../brand/service.ts';
import { findPayLink } from '../pay-links/service.ts';
import { type AutoPayMailPayload, type AutoPayNotice, autoPayMail } from './mails.ts';
import type { BillRow } from './queries.ts';

/** Kind of the outbox rows and name of the job that sends them. */
export const AUTO_PAY_MAIL = 'autoPay';

/**
 * Promises one mail, in the transaction of what it tells of; none where the customer has no address.
 * @param cause of the mail, among those about this invoice: it goes out once
 */
export async function promiseAutoPayMail(
  tx: Tx,
  row: BillRow,
  cause: string,
  notice: AutoPayNotice,
  now: Date,
): Promise<void> {
  const { email, customer_id: customerId, invoice_id: invoiceId } = row;
  if (email === null) return;
  const payload: AutoPayMailPayload = {
    to: email,
    resellerId: row.reseller_id,
    invoiceId,
    number: row.number,
    currency: row.currency,
    news: notice,
  };
  await promiseMail(tx, { kind: AUTO_PAY_MAIL, customerId, cause: `${invoiceId}:${cause}`, payload }, now);
}

/** Sends the mails of auto-pay. */
export const autoPayMailJob = (deps: MailDeps & { readonly secrets: Secrets }): Job =>
  promisedMailJob<AutoPayMailPayload>(deps, AUTO_PAY_MAIL, async ({ customerId, id, payload }) => {
    const { resellerId, invoiceId } = payload;
    const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, resellerId));
    const token = await findPayLink(deps, customerId, invoiceId);
    const page = (path: string) => brandUrl(brand, deps.publicUrl, path);
    const links = {
      methods: page('/payment-types'),
      pay: token === undefined ? null : page(`/pay/${token}`),
    };
    return autoPayMail(brand, payload, links, `<${id}@auto-pay.counterfoil>`);
  });
