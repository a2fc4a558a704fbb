import type { TableHead } from '../../../pdf/table/table-document.ts';
import type { ReportRow } from '../definition.ts';

/** What stands above the rows, and how the file begins. */
export interface ReportHead extends TableHead {
  readonly byteOrderMark: boolean;
}

/** Turns rows into a file, piece by piece: no format holds all rows. */
export type WriteFormat = (head: ReportHead, rows: AsyncIterable<ReportRow>) => AsyncIterable<Uint8Array>;

/** '2026-03-01 12:34:56', UTC. */
export const momentText = (moment: Date): string => moment.toISOString().slice(0, 19).replace('T', ' ');
