import type { ExportType, ReportParameter } from '@counterfoil/contract/reports.ts';
import type { Day } from '@counterfoil/domain/day.ts';
import type { Snapshot } from '../../db/cursor.ts';
import type { CustomerScope } from '../../http/scope.ts';

/**
 * How a column is written in each format.
 * - `text`: as it is
 * - `number`: a quantity or count, with the digits it has
 * - `money`: an exact decimal; the currency stands in a column of its own
 * - `day`: 'YYYY-MM-DD'
 * - `moment`: a point in time, shown in UTC
 */
export type ColumnKind = 'text' | 'number' | 'money' | 'day' | 'moment';

export interface ReportColumn {
  readonly label: string;
  readonly kind: ColumnKind;
}

/** Decimals are text, so that no digit is lost. Null is an empty cell. */
export type Cell = string | number | Date | null;
export type ReportRow = readonly Cell[];

/** What a report is about; both days are included. Absent: everything. */
export interface ReportParams {
  readonly dateFrom?: Day;
  readonly dateTo?: Day;
  readonly serviceId?: string;
  readonly invoiceId?: string;
}

/** Where rows come from: one moment of the database. */
export interface ReportSource extends Snapshot {
  /** Of the customer's brand, for days of what happens at a time. */
  readonly timeZone: string;
  /** The brand's, for figures that carry none of their own. */
  readonly currency: string;
}

export interface ReportDefinition {
  /** Stays for ever: portals name reports by it. */
  readonly id: string;
  readonly name: string;
  readonly exportType: ExportType;
  readonly isStandard: boolean;
  readonly parameters: readonly ReportParameter[];
  readonly columns: readonly ReportColumn[];
  /** Rows in the order they are written, a cell for each column. */
  run(source: ReportSource, scope: CustomerScope, params: ReportParams): AsyncIterable<ReportRow>;
}

/** A report of this program; the list in `definitions/all.ts` offers it. */
export const defineReport = (
  report: Omit<ReportDefinition, 'isStandard'> & { readonly isStandard?: boolean },
): ReportDefinition => ({ isStandard: false, ...report });
