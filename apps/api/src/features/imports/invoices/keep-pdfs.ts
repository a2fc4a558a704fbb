import type { Tx } from '../../../db/database.ts';
import { findDocuments, type KeepDocuments } from '../../invoices/service.ts';
import type { TakenInvoice } from './take-invoice.ts';

/** A document that was taken, and the PDF that it came as; none of one that came as XML. */
interface TakenWithPdf {
  readonly taken: TakenInvoice;
  readonly pdf?: Uint8Array | undefined;
}

/**
 * Keeps the PDFs that documents came as: they are what the customer sees. An invoice that was in the books already, by one of these
 * or before, keeps the document that it shows.
 */
export async function keepPdfs(
  tx: Tx,
  keep: KeepDocuments,
  documents: readonly TakenWithPdf[],
  now: Date,
): Promise<void> {
  const first = new Map<
    string,
    { readonly isAgain: boolean; readonly customerId: string; readonly pdf: Uint8Array }
  >();
  for (const { taken, pdf } of documents) {
    if (pdf === undefined || taken.is === 'quarantined' || first.has(taken.id)) continue;
    first.set(taken.id, { isAgain: taken.is === 'unchanged', customerId: taken.customerId, pdf });
  }
  const all = [...first].map(([invoiceId, one]) => ({ ...one, invoiceId }));
  const shown = await findDocuments(
    tx,
    all.filter(({ isAgain }) => isAgain),
  );
  const wanted = all.filter(({ invoiceId }) => shown.get(invoiceId)?.is_shown !== true);
  if (wanted.length === 0) return;
  await keep(
    tx,
    wanted.map(({ customerId, invoiceId, pdf }) => ({
      customerId,
      invoiceId,
      content: Buffer.from(pdf),
      now,
    })),
  );
}
