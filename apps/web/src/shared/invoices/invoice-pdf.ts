import type { Invoice } from '@counterfoil/contract/invoices.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { saveFile } from '../../lib/files/save-file.ts';
import { fetchInvoicePdf } from './invoice-queries.ts';

/** Name under which an invoice is saved (specification, portal §7). */
export const pdfName = (number: string): string => safeFileName(`invoice_${number}.pdf`);

/** Fetches the PDF with the session and saves it. */
export const saveInvoicePdf = async ({ id, number }: Pick<Invoice, 'id' | 'number'>): Promise<void> =>
  saveFile(await fetchInvoicePdf(id), pdfName(number));
