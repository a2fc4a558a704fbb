import { recordAudit } from '../../../audit/record.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { plainColumn, plainText } from '../../../db/plain-text.ts';
import { sql } from '../../../db/sql.ts';
import { sha256 } from '../../../secrets.ts';
import { findDocument, type KeepDocuments } from '../../invoices/service.ts';
import type { Target } from '../whose.ts';

/** What a file is called beside the number: 'Invoice_INV-77.pdf'. */
const LEADING =
  /^(?:invoice|bill|credit[ _-]?note|rechnung|gutschrift|facture|avoir|factura|fattura|fatura|factuur|faktura)(?:[ _.-]+)/i;
/** What browsers write behind the name of a second copy. */
const COPY = / ?\(\d{1,3}\)$/;

/** The numbers that a PDF may be called by, in capitals, letters and digits only. @param name of the file, without its folder */
export function numbersOfName(name: string): readonly string[] {
  const stem = name.replace(/\.pdf$/i, '').replace(COPY, '');
  return [...new Set([stem, stem.replace(LEADING, '')].map(plainText))].filter((text) => text !== '');
}

interface Named {
  customer_id: string;
  invoice_id: string;
  number: string;
}

/** What came of a PDF: the invoice that it is the document of now, or why it is none's. */
export type NamedPdf =
  | {
      readonly is: 'created' | 'updated' | 'unchanged';
      readonly id: string;
      readonly customerId: string;
      readonly number: string;
    }
  | { readonly is: 'quarantined'; readonly reason: string };

/** A PDF that came in. */
interface NewPdf {
  /** As its file is called. */
  readonly name: string;
  readonly content: Uint8Array;
  readonly now: Date;
}

/** The one invoice that a PDF is called by, or why there is none. */
async function findNamed(
  db: Db,
  { resellerId, defaultCustomerId }: Target,
  name: string,
): Promise<Named | string> {
  const found = await db.many<Named>(sql`
    select n.customer_id, n.invoice_id, n.number from invoice_identity n
     where n.reseller_id = ${resellerId} and ${plainColumn('n.number')} = any(${[...numbersOfName(name)]}::text[])
       and (${defaultCustomerId}::uuid is null or n.customer_id = ${defaultCustomerId})
     order by n.invoice_id limit 2`);
  const [invoice, other] = found;
  if (invoice === undefined)
    return 'a PDF without an e-invoice inside, and not called by the number of an invoice that is in the books';
  if (other !== undefined)
    return `a PDF without an e-invoice inside; several invoices have the number it is called by (${invoice.number}, ${other.number})`;
  return invoice;
}

/** What {@link takeNamedPdf} would come to. */
export async function lookAtNamedPdf(
  db: Db,
  target: Target,
  name: string,
  content: Uint8Array,
): Promise<NamedPdf> {
  const found = await findNamed(db, target, name);
  if (typeof found === 'string') return { is: 'quarantined', reason: found };
  const { invoice_id: id, customer_id: customerId, number } = found;
  const before = await findDocument(db, customerId, id);
  const isSame = before?.is_shown === true && before.sha256.equals(sha256(Buffer.from(content)));
  return { is: before === undefined ? 'created' : isSame ? 'unchanged' : 'updated', id, customerId, number };
}

/** Which invoice a PDF is the document of, for the report. */
export const saysWhose = (name: string, number: string): string => `${name} is the document of ${number}`;

/**
 * Keeps a PDF without an e-invoice as the document of the invoice whose number it is called by, in the place of one that was
 * there. The same again changes nothing.
 */
export async function takeNamedPdf(
  tx: Tx,
  keep: KeepDocuments,
  target: Target,
  { name, content, now }: NewPdf,
): Promise<NamedPdf> {
  const found = await findNamed(tx, target, name);
  if (typeof found === 'string') return { is: 'quarantined', reason: found };
  const { customer_id: customerId, invoice_id: invoiceId, number } = found;
  const pdf = Buffer.from(content);
  const [kept] = await keep(tx, [{ customerId, invoiceId, content: pdf, now }]);
  const before = kept?.before;
  const taken = { id: invoiceId, customerId, number };
  if (kept?.isStored === false) return { ...taken, is: 'unchanged' };
  await recordAudit(tx, {
    action: 'invoice.documentStored',
    at: now,
    resellerId: target.resellerId,
    customerId,
    actor: 'import',
    detail: {
      invoice: number,
      file: name,
      ...(before && { 'before.sha256': before.sha256.toString('hex') }),
      'after.sha256': sha256(pdf).toString('hex'),
    },
  });
  return { ...taken, is: before === undefined ? 'created' : 'updated' };
}
