import type { ReportColumn, ReportRow } from '../definition.ts';

/** What stands above the rows. */
export interface ReportHead {
  readonly title: string;
  /** The provider's name. */
  readonly company: string;
  readonly customer: string;
  /** What was asked for, as label and value. */
  readonly asked: readonly (readonly [label: string, value: string])[];
  readonly columns: readonly ReportColumn[];
  readonly madeAt: Date;
  readonly byteOrderMark: boolean;
}

/** Turns rows into a file, piece by piece: no format holds all rows. */
export type WriteFormat = (head: ReportHead, rows: AsyncIterable<ReportRow>) => AsyncIterable<Uint8Array>;

/** '2026-03-01 12:34:56', UTC. */
export const momentText = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');
