import type { Cause } from './causes.ts';

/** What an import did, as `counterfoil import --json` prints it. */
export interface ImportReport {
  readonly files: readonly FileReport[];
  readonly invoices: readonly InvoiceReport[];
  readonly quarantine: readonly QuarantineEntry[];
  readonly summary: ImportSummary;
  /** An operator stopped the import; null where it ran to its end. */
  readonly stopped: StoppedReport | null;
}

/** Where an import was stopped. */
export interface StoppedReport {
  /** The file it was at, of which what was in by then stays. */
  readonly file: string;
  /** Files that were left out. */
  readonly notBegun: readonly string[];
}

/** What all files together came to. */
export interface ImportSummary {
  /** Invoices and records that are in: created, updated or unchanged. */
  readonly in: number;
  /** Those that are not. */
  readonly quarantined: number;
  /** Of these, how many are listed by `quarantine list`; the rest, of files with very many, is only counted. */
  readonly kept: number;
  /** How many of each cause, and what is to be done about them. */
  readonly reasons: readonly ReasonReport[];
  /** Of what earlier imports had left in quarantine, how much went in after this one. */
  readonly takenFromQuarantine: number;
}

export interface ReasonReport {
  readonly cause: Cause;
  readonly count: number;
  readonly remedy: string;
}

export interface FileReport {
  readonly file: string;
  /** `ubl`, `cii`, `facturx`, `unknown`, or the name of the mapping of usage records. Null where the file could not be opened. */
  readonly format: string | null;
  /** Invoices or call records. */
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly quarantined: number;
  readonly warnings: readonly string[];
  /** Of a bank statement: what came of its entries, in words. */
  readonly statement?: string;
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
  readonly cause: Cause;
  readonly remedy: string;
}

/** What one file came to. */
export interface FileOutcome {
  readonly report: FileReport;
  readonly invoices: readonly InvoiceReport[];
  readonly quarantine: readonly QuarantineEntry[];
  /** All that were not taken, by cause. */
  readonly causes: ReadonlyMap<Cause, number>;
  /** How many of them are kept. */
  readonly kept: number;
  /** It was stopped before all of it was in. */
  readonly isStopped?: boolean;
}
