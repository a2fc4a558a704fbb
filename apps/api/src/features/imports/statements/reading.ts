import type { StatementEntry } from '../../bank-entries/service.ts';

/** What reading a bank statement came to. */
export interface StatementReading {
  readonly entries: readonly StatementEntry[];
  /** Entries that cannot be read, each with its line. */
  readonly faults: readonly { readonly line: number; readonly reason: string }[];
  /** What is worth a look though it was read. */
  readonly warnings: readonly string[];
}

/** It is no statement, or none that can be read. */
export interface Unreadable {
  readonly line: number;
  readonly reason: string;
}

/** Most entries of one file. */
export const MOST_ENTRIES = 100_000;
