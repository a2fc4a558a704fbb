import { createHash } from 'node:crypto';
import { AppError } from '../../../app-error.ts';
import type { Database } from '../../../db/database.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { withDocuments } from '../../invoices/service.ts';
import { readDocument } from '../documents/read-document.ts';
import type { Correction } from '../invoices/correct-invoice.ts';
import { keepPdfs } from '../invoices/keep-pdfs.ts';
import { type InvoiceDeps, takeInvoice } from '../invoices/take-invoice.ts';
import type { InvoiceReport } from '../report/report.ts';
import { holdDocuments, settleDocument, settleEntries } from './documents.ts';

/**
 * Has a document that waits because it differs from the one in the books take its place.
 * @param resellerId whose it has to be; undefined: anybody's
 * @throws {AppError} quarantine.notFound for what waits no more or was not kept, invoice.notCorrected with the reason
 */
export async function correctFromQuarantine(
  {
    db,
    files,
    ...deps
  }: Omit<InvoiceDeps, 'correction'> & { readonly db: Database; readonly files: FileStore },
  { id, resellerId }: { readonly id: string; readonly resellerId: number | undefined },
  correction: Correction,
): Promise<InvoiceReport> {
  return withDocuments(db, files, async (tx, keep) => {
    const [held] = await holdDocuments(tx, [id]);
    if (held === undefined || (resellerId !== undefined && held.reseller_id !== resellerId))
      throw new AppError('quarantine.notFound');
    const read = await readDocument(held.record);
    if (!read.ok) throw new AppError('invoice.notCorrected', { text: read.reason });
    const target = { resellerId: held.reseller_id, defaultCustomerId: null };
    const taken = await takeInvoice(tx, { ...deps, correction }, target, read.invoice);
    if (taken.is === 'quarantined') throw new AppError('invoice.notCorrected', { text: taken.reason });
    await keepPdfs(tx, keep, [{ taken, pdf: read.pdf }], deps.now);
    await settleEntries(tx, [id]);
    await settleDocument(
      tx,
      held.reseller_id,
      read.invoice,
      createHash('sha256').update(held.record).digest(),
    );
    return taken.invoice;
  });
}
