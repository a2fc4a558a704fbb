import type { AdminPayLink, NewPayLink } from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus, invoiceStateOf } from '@counterfoil/domain/paying/invoice.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Secrets } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import { type AdminPayLinkRow, findLinkOfInvoice, lockLinkedInvoice } from './admin-queries.ts';
import { openPayLink, rotatePayLink } from './service.ts';

/** What making and showing links needs beside the database. */
export interface LinkDeps {
  readonly secrets: Secrets;
  readonly publicUrl: URL;
}

/** Which invoice, and whose it has to be. */
export interface LinkAt {
  readonly resellerId: number;
  readonly invoiceId: string;
}

/** A link as programs are told of it. */
export const presentPayLink = (
  { secrets, publicUrl }: LinkDeps,
  row: AdminPayLinkRow,
  now: Date,
): AdminPayLink => ({
  invoiceId: row.invoice_id,
  invoice: row.number,
  customerId: row.customer_id,
  customer: row.customer,
  url: brandUrl(
    { mainHost: row.main_host },
    publicUrl,
    `/pay/${openPayLink(secrets, row.token_sealed, row.invoice_id)}`,
  ),
  state: row.expires_at > now ? 'active' : 'expired',
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  invoiceStatus: invoiceStateOf(row.status),
  currency: row.currency,
  due: formatDecimal(money(row.due_minor, row.currency)),
  payment: paymentOf(row),
});

const paymentOf = ({
  attempt_id: id,
  attempt_at: at,
  attempt_state: state,
}: AdminPayLinkRow): AdminPayLink['payment'] =>
  id === null || at === null || state === null ? null : { id, at: at.toISOString(), state };

/**
 * Has an invoice have a link that works: the one it has, or a new one, by which the old one ends.
 * @throws {AppError} invoice.notFound, invoice.isCredit, invoice.void
 */
export async function makePayLink(
  tx: Tx,
  deps: LinkDeps,
  { resellerId, invoiceId }: LinkAt,
  { replace, note }: NewPayLink,
  { by, now }: { readonly by: ActedBy; readonly now: Date },
): Promise<{ readonly link: AdminPayLink; readonly isNew: boolean }> {
  const invoice = await lockLinkedInvoice(tx, resellerId, invoiceId);
  if (invoice === undefined) throw new AppError('invoice.notFound');
  if (invoice.kind !== 'invoice' || invoice.payable_minor < 0n) throw new AppError('invoice.isCredit');
  if (invoice.status === InvoiceStatus.VOID) throw new AppError('invoice.void');
  const before = await findLinkOfInvoice(tx, resellerId, invoiceId);
  if (before !== undefined && before.expires_at > now && !replace)
    return { link: presentPayLink(deps, before, now), isNew: false };
  const { customer_id: customerId, due_on: dueOn } = invoice;
  await rotatePayLink(tx, deps.secrets, { customerId, invoiceId, dueOn, now });
  const after = await findLinkOfInvoice(tx, resellerId, invoiceId);
  if (after === undefined) throw new Error(`invoice ${invoiceId} got no link`);
  await recordAudit(tx, {
    action: 'payLink.rotated',
    at: now,
    resellerId,
    customerId,
    ...by,
    detail: {
      invoice: invoice.number,
      ...(note !== '' && { note }),
      'before.expiresAt': before?.expires_at.toISOString() ?? null,
      'after.expiresAt': after.expires_at.toISOString(),
    },
  });
  return { link: presentPayLink(deps, after, now), isNew: true };
}

/**
 * Ends the link of an invoice at once. Without one nothing changes.
 * @throws {AppError} invoice.notFound
 */
export async function endPayLink(
  tx: Tx,
  { resellerId, invoiceId }: LinkAt,
  { by, now }: { readonly by: ActedBy; readonly now: Date },
): Promise<void> {
  const invoice = await lockLinkedInvoice(tx, resellerId, invoiceId);
  if (invoice === undefined) throw new AppError('invoice.notFound');
  const { customer_id: customerId, number } = invoice;
  const ended = await tx.execute(sql`
    update invoice_pay_link set retired_at = ${now}
     where customer_id = ${customerId} and invoice_id = ${invoiceId} and retired_at is null`);
  if (ended > 0)
    await recordAudit(tx, {
      action: 'payLink.ended',
      at: now,
      resellerId,
      customerId,
      ...by,
      detail: { invoice: number },
    });
}
