import { newId } from '@counterfoil/domain/text/ids.ts';
import { sql } from '../../db/sql.ts';
import { enqueue } from '../../jobs/queue.ts';
import type { Job } from '../../jobs/worker.ts';
import { type MailDeps, mailJob } from '../../mail/outbox.ts';
import { type Secrets, sha256 } from '../../secrets.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow, brandUrl } from '../brand/service.ts';
import { payLinkMail } from './mails.ts';
import { findLinkOwner, findPayLink, rotatePayLink } from './service.ts';

type PayLinkMailDeps = MailDeps & { readonly secrets: Secrets };

const PAY_LINK_MAIL = 'payLinkMail';

interface PayLinkMailJob {
  /** Of the token that was sent: the queue shall not hold a link. */
  readonly hash: string;
  readonly id: string;
}

/** Accepts a request for a new link. An unknown link is accepted alike, so that the answer tells nothing of it. */
export const askForPayLink = (deps: Pick<PayLinkMailDeps, 'db' | 'clock'>, token: string): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const hash = sha256(token).toString('hex');
    const job: PayLinkMailJob = { hash, id: newId(deps.clock.now().getTime()) };
    // Asked for twice while the first waits is asked for once.
    await enqueue(tx, PAY_LINK_MAIL, job, { key: `${PAY_LINK_MAIL}:${hash}` });
  });

interface LinkRow {
  customer_id: string;
  invoice_id: string;
  reseller_id: number;
  number: string;
  currency: string;
  due_minor: bigint;
  due_on: string | null;
  email: string | null;
}

/** Mails the link of an invoice to the address on file, a new one where the last has expired. */
export const payLinkMailJob = (deps: PayLinkMailDeps): Job =>
  mailJob<PayLinkMailJob>(deps, PAY_LINK_MAIL, async ({ hash, id }) => {
    const owner = await findLinkOwner(deps.db, Buffer.from(hash, 'hex'));
    if (owner === undefined) return undefined;
    const row = await deps.db.maybeOne<LinkRow>(sql`
      select l.customer_id, l.invoice_id, c.reseller_id, i.number, i.currency, i.due_minor, i.due_on, c.email
        from invoice_pay_link l
        join customer c on c.customer_id = l.customer_id
        join invoice i on i.customer_id = l.customer_id and i.id = l.invoice_id
       where l.customer_id = ${owner.customer_id} and l.hash = ${Buffer.from(hash, 'hex')} and i.status = 10 and i.due_minor > 0`);
    if (row === undefined || row.email === null) return undefined;
    const brand = brandFromRow(await findCustomerBrand(deps.db, row.customer_id, row.reseller_id));
    const mail = payLinkMail(brand, {
      to: row.email,
      number: row.number,
      currency: row.currency,
      dueMinor: row.due_minor,
      dueOn: row.due_on,
      url: brandUrl(brand, deps.publicUrl, `/pay/${await linkThatWorks(deps, row)}`),
      messageId: `<${id}@pay-link.counterfoil>`,
    });
    return { ...mail, about: { customerId: row.customer_id } };
  });

/** The invoice's link, if it still works; else a new one in its place. */
async function linkThatWorks(deps: PayLinkMailDeps, row: LinkRow): Promise<string> {
  const { customer_id: customerId, invoice_id: invoiceId } = row;
  const now = deps.clock.now();
  const valid = await deps.db.maybeOne(sql`
    select 1 from invoice_pay_link where customer_id = ${customerId} and invoice_id = ${invoiceId} and retired_at is null
       and expires_at > ${now}`);
  const known = valid === undefined ? undefined : await findPayLink(deps, customerId, invoiceId);
  if (known !== undefined) return known;
  const link = { customerId, invoiceId, dueOn: row.due_on, now };
  return deps.db.transaction((tx) => rotatePayLink(tx, deps.secrets, link));
}
