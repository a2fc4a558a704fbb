import type { ExportType, ReportParameter } from '@counterfoil/contract/reports.ts';
import type { MoneyDigits } from '@counterfoil/domain/money/shown-decimals.ts';
import type { Day } from '@counterfoil/domain/time/day.ts';
import type { Snapshot } from '../../db/cursor.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { TableColumn, TableRow } from '../../pdf/table/table-document.ts';

export type {
  Cell,
  ColumnKind,
  TableColumn as ReportColumn,
  TableRow as ReportRow,
} from '../../pdf/table/table-document.ts';

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
  /** How many decimals the brand shows of money. */
  readonly moneyDigits: MoneyDigits;
}

export interface ReportDefinition {
  /** Stays for ever: portals name reports by it. */
  readonly id: string;
  readonly name: string;
  readonly exportType: ExportType;
  readonly isStandard: boolean;
  readonly parameters: readonly ReportParameter[];
  /** Made of single usage records, which archived months do not have. */
  readonly readsRecords: boolean;
  readonly columns: readonly TableColumn[];
  /** Rows in the order they are written, a cell for each column. */
  run(source: ReportSource, scope: CustomerScope, params: ReportParams): AsyncIterable<TableRow>;
}

/** A report of this program; the list in `definitions/all.ts` offers it. */
export const defineReport = (
  report: Omit<ReportDefinition, 'isStandard' | 'readsRecords'> &
    Partial<Pick<ReportDefinition, 'isStandard' | 'readsRecords'>>,
): ReportDefinition => ({ isStandard: false, readsRecords: false, ...report });
