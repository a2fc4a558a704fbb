import { maxDocumentBytes } from '../invoices/document-bound.ts';
import type { InvoiceResult } from '../invoices/imported-invoice.ts';
import { decodeXml } from '../text/encoding.ts';
import { readXml, type XmlElement } from '../text/xml.ts';
import { invoiceOfCii } from './cii.ts';
import { invoiceOfUbl } from './ubl.ts';
import { DocumentFault } from './values.ts';

/**
 * Reads an invoice or credit note in one of the two syntaxes of EN 16931: UBL 2.1, or UN/CEFACT's cross industry invoice
 * (CII, D16B). Its root element tells which.
 * @param bytes the whole file, at most {@link maxDocumentBytes}
 * @returns the invoice with the document's own figures, contradictions included; or the line and the reason it
 *   cannot be taken. Never throws on any input.
 */
export function readXmlInvoice(bytes: Uint8Array): InvoiceResult {
  if (bytes.length > maxDocumentBytes) {
    return { ok: false, line: 1, reason: `larger than ${maxDocumentBytes / 1024 / 1024} MiB` };
  }
  const decoded = decodeXml(bytes);
  if (!decoded.ok) return { ok: false, line: 1, reason: decoded.reason };
  const xml = readXml(decoded.text);
  if (!xml.ok) return xml;
  try {
    const invoice = invoiceOfUbl(xml.root) ?? invoiceOfCii(xml.root);
    return invoice === undefined
      ? { ok: false, line: xml.root.line, reason: otherDocument(xml.root) }
      : { ok: true, invoice };
  } catch (error) {
    if (error instanceof DocumentFault) return { ok: false, line: error.line, reason: error.message };
    throw error;
  }
}

const otherDocument = ({ name }: XmlElement): string =>
  `'${name.slice(0, 40)}' is neither a UBL 2.1 Invoice or CreditNote nor a cross industry invoice (CII) of version D16B`;
