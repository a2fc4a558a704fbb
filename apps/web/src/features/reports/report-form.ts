import {
  ExportType,
  exportExtension,
  type Report,
  type ReportParameterName,
  type ReportRequest,
} from '@counterfoil/contract/reports.ts';
import { safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { type Day, formatDay } from '@counterfoil/domain/time/day.ts';
import {
  type DateRangeProblem,
  type DateRangeValue,
  isPeriod,
  lastMonth,
  rangeOf,
  readDateRange,
} from '../../ui/fields/date-range-model.ts';

/** What the form holds; an empty id is the default. */
export interface ReportValues {
  readonly dates: DateRangeValue;
  readonly serviceId: string;
  readonly invoiceId: string;
  readonly exportTypeId: ExportType;
}

/** Whether a report asks for a value; undefined: it does not. */
export const asksFor = (report: Report, name: ReportParameterName): 'required' | 'optional' | undefined => {
  const parameter = report.parameters.find((one) => one.name === name);
  return parameter && (parameter.required ? 'required' : 'optional');
};

/** A report that needs dates begins with the last whole month; one that does not with its default. */
export const firstValues = (report: Report, today: Day): ReportValues => ({
  dates: asksFor(report, 'DateRange') === 'required' ? rangeOf(lastMonth(today)) : { from: '', to: '' },
  serviceId: '',
  invoiceId: '',
  exportTypeId: report.exportTypeId,
});

/** What must be mended before the report can be generated. */
export interface ReportProblems {
  readonly dates: readonly DateRangeProblem[];
  readonly service: boolean;
  readonly invoice: boolean;
}

export function findProblems(report: Report, { dates, serviceId, invoiceId }: ReportValues): ReportProblems {
  const asksDates = asksFor(report, 'DateRange');
  const isDefault = asksDates === 'optional' && dates.from === '' && dates.to === '';
  const read = readDateRange(dates);
  return {
    dates: asksDates === undefined || isDefault || isPeriod(read) ? [] : read,
    service: asksFor(report, 'ServiceId') === 'required' && serviceId === '',
    invoice: asksFor(report, 'InvoiceId') === 'required' && invoiceId === '',
  };
}

export const hasProblems = ({ dates, service, invoice }: ReportProblems): boolean =>
  dates.length > 0 || service || invoice;

/**
 * The body that starts the report (specification, portal §7); a default is not sent.
 * @param byteOrderMark the user's choice for csv files
 */
export function requestOf(report: Report, values: ReportValues, byteOrderMark: boolean): ReportRequest {
  const { dates, serviceId, invoiceId, exportTypeId } = values;
  const period = asksFor(report, 'DateRange') === undefined ? undefined : readDateRange(dates);
  const range =
    period !== undefined && isPeriod(period)
      ? [
          { name: 'StartDate', value: `${formatDay(period.start)} 00:00:00` } as const,
          { name: 'EndDate', value: `${formatDay(period.end)} 23:59:59` } as const,
        ]
      : [];
  const id = (name: 'ServiceId' | 'InvoiceId', value: string) =>
    asksFor(report, name) === undefined || value === '' ? [] : [{ name, value }];
  return {
    id: report.id,
    parameters: [...range, ...id('ServiceId', serviceId), ...id('InvoiceId', invoiceId)],
    isStandard: report.isStandard,
    ...(exportTypeId !== report.exportTypeId && { exportTypeId }),
    ...(exportTypeId === ExportType.CSV && !byteOrderMark && { byteOrderMark }),
  };
}

/** Name of the file to come: 'Report {name}.{ext}'. */
export const reportFileName = (name: string, exportTypeId: ExportType): string =>
  safeFileName(`Report ${name}.${exportExtension[exportTypeId]}`);
