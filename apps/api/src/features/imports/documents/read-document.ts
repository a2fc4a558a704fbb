import { maxDocumentBytes } from '../invoices/document-bound.ts';
import type { InvoiceResult } from '../invoices/imported-invoice.ts';

/**
 * What reading a document came to; of one that came as a PDF, that PDF. It stands beside a reason where the PDF can be read
 * and there is no e-invoice in it.
 */
export type ReadDocument = InvoiceResult & { readonly pdf?: Uint8Array };

/** Whether a file is a PDF, by its first bytes. */
export const isPdf = (head: Uint8Array): boolean =>
  Buffer.from(head.subarray(0, 5)).toString('latin1') === '%PDF-';

/**
 * Reads an invoice or credit note: UBL 2.1 or CII as XML, or a PDF that carries its XML (Factur-X, ZUGFeRD). What it needs is
 * loaded with the first document, not with every process.
 * @param bytes the whole file, at most {@link maxDocumentBytes}
 * @returns the invoice, or the line and the reason it cannot be taken; of a PDF the line in the XML inside. Never throws on
 *   any input.
 */
export async function readDocument(bytes: Uint8Array): Promise<ReadDocument> {
  const { readXmlInvoice } = await import('./read-xml.ts');
  if (!isPdf(bytes)) return readXmlInvoice(bytes);
  if (bytes.length > maxDocumentBytes)
    return { ok: false, line: 1, reason: `larger than ${maxDocumentBytes / 1024 / 1024} MiB` };
  const { attachmentOf } = await import('./pdf/attachment-reader.ts');
  const attached = await attachmentOf(bytes);
  if (!attached.ok) {
    const { reason, isPlain } = attached;
    return { ok: false, line: 1, reason, ...(isPlain && { pdf: bytes }) };
  }
  const read = readXmlInvoice(attached.content);
  return read.ok
    ? { ...read, pdf: bytes }
    : { ...read, reason: `${attached.name} in the PDF: ${read.reason}` };
}
