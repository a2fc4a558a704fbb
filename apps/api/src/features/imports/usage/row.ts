import type { QuantityUnit } from '@counterfoil/domain/money/quantity.ts';
import type { Cause } from '../report/causes.ts';

/** One row of a file, read by its mapping: what it says, before anybody knows whose it is. */
export interface UsageRow {
  /** Where the record starts in the file, from 1. */
  readonly line: number;
  /** The key with its source, or all columns where there is none. Its sha256 makes the record's id. */
  readonly key: string;
  /** Instant in ms; null: `wallMs` has to be read in a zone. */
  readonly ms: number | null;
  /** What clocks showed, as if it were UTC. */
  readonly wallMs: number;
  /** The time as the file writes it, for messages. */
  readonly startedText: string;
  readonly accountCodes: readonly string[];
  readonly lines: readonly string[];
  /** What the line is called where nobody knew it. */
  readonly itemName: string;
  readonly service: string;
  readonly typeCode: string;
  readonly typeDescription: string;
  readonly serviceItem2: string;
  readonly serviceItem3: string;
  /** Exact decimal text of at most six decimals. */
  readonly units: string;
  /** What they are; null where nothing says it. */
  readonly unit: QuantityUnit | null;
  /** The same; null for none. */
  readonly price: string | null;
  /** ISO code in capitals; '' where the file says none. */
  readonly currency: string;
  readonly costCentre: string;
  readonly agreement: string;
  /** The row as it stands in the file; of NDJSON its whole line stands last. */
  readonly fields: readonly string[];
}

/** A line that cannot be taken, with the reason a person can act on. */
export interface RejectedLine {
  readonly line: number;
  readonly reason: string;
  readonly cause: Cause;
  /** Id of its usage record, where one is known. */
  readonly identity?: string;
}

/** A row that can be tried again as it stands. */
export interface RejectedRow extends RejectedLine {
  /** {@link UsageRow.key}; null where the mapping does not read the row. */
  readonly key: string | null;
  readonly fields: readonly string[];
  /** Numbers of which any would say whose it is. */
  readonly missing: readonly string[];
}
