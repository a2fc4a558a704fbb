/** What an import did, as `counterfoil import --json` prints it. */
export interface ImportReport {
  readonly files: readonly FileReport[];
  readonly invoices: readonly InvoiceReport[];
  readonly quarantine: readonly QuarantineEntry[];
}

export interface FileReport {
  readonly file: string;
  /** `ubl`, `unknown`, or the name of the mapping of usage records. Null where the file could not be opened. */
  readonly format: string | null;
  /** Invoices or call records. */
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly quarantined: number;
  readonly warnings: readonly string[];
}

export interface InvoiceReport {
  readonly number: string;
  readonly customerId: string;
  readonly kind: 'invoice' | 'creditNote';
  readonly currency: string;
  /** What the document asks for (payable), decimal text; below zero for a credit. */
  readonly total: string;
  /** Null for credits: there is nothing to pay. */
  readonly payLink: string | null;
}

/** Something that was not taken in. */
export interface QuarantineEntry {
  readonly file: string;
  /** Line of the file, from 1; null where it concerns the file as a whole. */
  readonly line: number | null;
  readonly reason: string;
}

/** What one file came to. */
export interface FileOutcome {
  readonly report: FileReport;
  readonly invoices: readonly InvoiceReport[];
  readonly quarantine: readonly QuarantineEntry[];
}
