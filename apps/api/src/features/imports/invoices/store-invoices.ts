import { money } from '@counterfoil/domain/money/money.ts';
import { InvoiceStatus, newInvoiceMoney, statusAfter } from '@counterfoil/domain/paying/invoice.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfInvoices } from '../../../messages/invoice-messages.ts';
import type { Secrets } from '../../../secrets.ts';
import { createPayLinks } from '../../pay-links/service.ts';
import { applyWaitingCredits, bookCredit, type Document, isCredit, waitingCredits } from './credits.ts';
import type { ImportedInvoice } from './imported-invoice.ts';
import {
  claimIdentities,
  ensureBillingPeriods,
  findAgreements,
  insertInvoices,
  insertLines,
} from './queries.ts';
import { type StoredInvoice, storedInvoiceOf, supplierKeyOf } from './stored-invoice.ts';

/** From so many on, finding the invoice of each line costs more than planning how. */
const MANY_LINES = 100;

/** A document that is not in the books; its customer is locked. */
export interface UnstoredInvoice {
  readonly customerId: string;
  readonly resellerId: number;
  readonly invoice: ImportedInvoice;
  readonly stored: StoredInvoice;
  readonly supplierKey: string;
  readonly contentHash: Buffer;
}

/** A document as it is to be stored. @param of whose it is, and the digest of what it says */
export const unstoredInvoiceOf = (
  invoice: ImportedInvoice,
  of: Pick<UnstoredInvoice, 'customerId' | 'resellerId' | 'contentHash'>,
): UnstoredInvoice => ({
  ...of,
  invoice,
  stored: storedInvoiceOf(invoice),
  supplierKey: supplierKeyOf(invoice),
});

/** A document that is in the books now. */
export interface InvoiceInBooks {
  readonly id: string;
  /** Of its pay link; undefined for a credit. */
  readonly token: string | undefined;
  readonly warnings: readonly string[];
}

/**
 * Stores documents with all that follows from them: lines, billing periods, credits booked and applied, pay links. As many
 * statements for a thousand invoices as for one; each credit has some of its own.
 * @returns in their order; undefined in the place of one that somebody else is storing
 */
export async function storeInvoices(
  tx: Tx,
  secrets: Secrets,
  documents: readonly UnstoredInvoice[],
  now: Date,
): Promise<readonly (InvoiceInBooks | undefined)[]> {
  const named = documents.map((document) => ({ ...document, id: newId(now.getTime()) }));
  const claimed = await claimIdentities(
    tx,
    named.map(({ invoice: { kind, number }, ...document }) => ({ ...document, kind, number })),
  );
  const own = named.filter(({ id }) => claimed.has(id));
  const agreements = await findAgreements(
    tx,
    own.map(({ customerId, invoice }) => ({ customerId, reference: invoice.contractReference })),
  );
  const rows = own.map(({ invoice, stored, ...keys }, at) => {
    const nothingReceived = newInvoiceMoney(money(stored.payable, invoice.currency));
    const status = statusAfter(InvoiceStatus.OPEN, nothingReceived, 'import');
    return { invoice, stored, keys: { ...keys, status, agreementId: agreements[at] ?? null } };
  });
  await insertInvoices(tx, rows, now);
  // What looks for the invoice of each line is planned once a connection: while the table was small, by an index that finds all of
  // a customer's invoices. Of many lines it is planned again, for the table as it is.
  const lines = rows.reduce((sum, { stored }) => sum + stored.lines.length, 0);
  if (lines >= MANY_LINES) await tx.execute(sql`discard plans`);
  await insertLines(tx, rows, now);
  await ensureBillingPeriods(tx, rows, now);
  await tellOfNew(tx, rows, now);
  const warnings = new Map<string, readonly string[]>();
  const bills = own.filter(({ stored }) => !isCredit({ payableMinor: stored.payable }));
  const links = await createPayLinks(
    tx,
    secrets,
    bills.map(({ id, customerId, invoice: { dueOn } }) => ({ customerId, invoiceId: id, dueOn, now })),
  );
  const tokens = new Map(bills.map(({ id }, at) => [id, links[at]]));
  const waited = await waitingCredits(tx, bills.map(documentOf));
  for (const document of own.map(documentOf)) {
    if (isCredit(document)) {
      const missing = await bookCredit(tx, document, now);
      warnings.set(
        document.id,
        missing.map((number) => `credits invoice ${number}, which is not here yet`),
      );
    } else if (waited.has(document.id)) await applyWaitingCredits(tx, document, now);
  }
  return named.map(({ id, stored }) =>
    claimed.has(id)
      ? {
          id,
          token: tokens.get(id),
          warnings: [...stored.warnings, ...(warnings.get(id) ?? [])],
        }
      : undefined,
  );
}

/** Tells of documents that came in, as they were then; all are of one reseller. */
async function tellOfNew(
  tx: Tx,
  rows: readonly {
    readonly keys: { readonly customerId: string; readonly id: string; readonly resellerId: number };
  }[],
  now: Date,
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const news = rows.map(({ keys: { customerId, id } }) => ({
    type: 'invoice.created' as const,
    customerId,
    id,
  }));
  await tellOfInvoices(tx, first.keys.resellerId, news, now);
}

/** What credits ask of a document. */
export const documentOf = ({
  customerId,
  id,
  invoice,
  stored,
  supplierKey,
}: Pick<UnstoredInvoice, 'customerId' | 'invoice' | 'stored' | 'supplierKey'> & {
  readonly id: string;
}): Document => ({
  customerId,
  supplierKey,
  id,
  number: invoice.number,
  currency: invoice.currency,
  totalMinor: stored.total,
  payableMinor: stored.payable,
  credits: invoice.billingReferences.map((reference) => reference.number),
});
