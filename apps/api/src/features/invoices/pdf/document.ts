import type { TableDocument } from '../../../pdf/table/table-document.ts';

/** What the rendering process makes. */
export type PdfDocument = InvoiceDocument | TableDocument;

/**
 * What an invoice PDF shows, as plain structured-cloneable data: everything is already decided and formatted
 * (exact amounts, dates as MM.DD.YYYY, contrast-checked colours), so that rendering needs neither database nor
 * currency rules and can run in a worker thread.
 *
 * Any text may be in any script and of any length up to 4,000 characters; what is longer is cut
 * with an ellipsis. Control characters and direction overrides are removed, they cannot disturb the page.
 */
export interface InvoiceDocument {
  readonly kind: 'invoice' | 'creditNote';
  readonly number: string;
  /** BCP 47 tag of the labels and the document ('en'); also chooses between Chinese, Japanese and Korean shapes. */
  readonly language: string;
  /** When this document was issued, ISO 8601; it becomes the creation date, so that equal input gives equal bytes. */
  readonly issuedAt: string;
  readonly brand: Brand;
  readonly supplier: Party;
  readonly customer: Party;
  readonly issueDate: string;
  /** '-' is shown where an invoice has none. */
  readonly dueDate?: string;
  /** For instance '11.01.2026 – 11.30.2026'. */
  readonly period?: string;
  /** Further facts beside the customer's address: customer number, order reference, cost centre. */
  readonly facts?: readonly Fact[];
  /** Number of the invoice that a credit note credits. */
  readonly creditedInvoice?: string;
  /** Mark between whole and fraction in the amounts below; unit prices are aligned by it. Default '.'. */
  readonly decimalMark?: '.' | ',';
  readonly lines: readonly InvoiceDocumentLine[];
  readonly subtotal: string;
  /** One entry per tax rate; none means that no tax applies and `tax` is shown alone. */
  readonly taxes: readonly TaxEntry[];
  readonly tax: string;
  /** Subtotal and tax together. */
  readonly total: string;
  /** Rounding, prepaid amount, payments, credits: each as printed, with its sign, in this order. */
  readonly settlements: readonly Fact[];
  readonly amountDue: string;
  /** Replaces 'Due …' under the large amount, for instance 'Paid 11.20.2026'. */
  readonly amountNote?: string;
  /** http or https address; anything else is left out. */
  readonly payLink?: string;
  /** What the reader must know before trusting the figures, shown in a box above the lines. */
  readonly notices?: readonly string[];
  /** Payment terms, bank details, remarks; below the totals. */
  readonly notes?: readonly string[];
}

export interface Brand {
  readonly name: string;
  readonly logo?: Logo;
  readonly colours: BrandColours;
  /** Registration, address, telephone; at the foot of every page. */
  readonly footer?: readonly string[];
}

/** A logo that cannot be read is left out and the brand's name stands alone. */
export interface Logo {
  readonly type: 'png' | 'jpeg' | 'svg';
  readonly data: Uint8Array;
}

/** '#rrggbb', already computed so that each pair reads on white paper (WCAG 2.2 AA). */
export interface BrandColours {
  /** The slim band on top of the first page. */
  readonly header: string;
  /** Fill of the pay button. */
  readonly accent: string;
  /** Text on the pay button. */
  readonly onAccent: string;
  /** The pay address as text. */
  readonly accentText: string;
  readonly ink: string;
  readonly inkMuted: string;
  readonly line: string;
  readonly lineStrong: string;
  /** Ground of the table head and of the amount due. */
  readonly ground: string;
}

export interface Party {
  readonly name: string;
  /** Address, tax number, e-mail: one entry per printed line; long ones wrap. */
  readonly lines: readonly string[];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface TaxEntry {
  /** For instance 'VAT 25 % of $831.02'. */
  readonly label: string;
  readonly amount: string;
}

export interface InvoiceDocumentLine {
  readonly description: string;
  readonly details?: string;
  readonly serviceItem?: string;
  readonly costCentre?: string;
  /** Left out of the print where it equals the invoice's own period. */
  readonly period?: string;
  readonly quantity?: string;
  readonly unitPrice?: string;
  readonly amount: string;
}
