import type { Tx } from '../../../db/database.ts';
import { findDocument, type KeepDocument } from '../../invoices/service.ts';
import type { TakenInvoice } from './take-invoice.ts';

/**
 * Keeps the PDF that a document came as: it is what the customer sees. An invoice that was in the books already keeps the
 * document that it shows.
 * @param pdf undefined for a document that came as XML
 */
export async function keepPdf(
  tx: Tx,
  keep: KeepDocument,
  taken: TakenInvoice,
  pdf: Uint8Array | undefined,
  now: Date,
): Promise<void> {
  if (pdf === undefined || taken.is === 'quarantined') return;
  const { customerId, id: invoiceId } = taken;
  if (taken.is === 'unchanged' && (await findDocument(tx, customerId, invoiceId))?.is_shown === true) return;
  await keep(tx, { customerId, invoiceId, content: Buffer.from(pdf), now });
}
