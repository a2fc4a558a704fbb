import type { ReportParameterName, ReportValue, ReportValueName } from '@counterfoil/contract/reports.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import { type Day, isDay } from '@counterfoil/domain/time/day.ts';
import { AppError } from '../../app-error.ts';
import type { ReportDefinition, ReportParams } from './definition.ts';

const valuesOf: Readonly<Record<ReportParameterName, readonly ReportValueName[]>> = {
  DateRange: ['StartDate', 'EndDate'],
  ServiceId: ['ServiceId'],
  InvoiceId: ['InvoiceId'],
};

/**
 * The values a report was asked for with.
 * @throws {AppError} report.parameterMissing, report.parameterInvalid, report.badRange
 */
export function readParameters(
  { parameters }: Pick<ReportDefinition, 'parameters'>,
  values: readonly ReportValue[],
): ReportParams {
  const given = new Map<ReportValueName, string>();
  for (const { name, value } of values) {
    if (given.has(name)) throw new AppError('report.parameterInvalid');
    given.set(name, value.trim());
  }
  const known = new Set(parameters.flatMap(({ name }) => valuesOf[name]));
  for (const [name, value] of given)
    if (value !== '' && !known.has(name)) throw new AppError('report.parameterInvalid');
  for (const { name, required } of parameters)
    if (required && valuesOf[name].some((one) => (given.get(one) ?? '') === ''))
      throw new AppError('report.parameterMissing');
  return { ...readRange(given), ...readIds(given) };
}

function readRange(given: ReadonlyMap<ReportValueName, string>): Pick<ReportParams, 'dateFrom' | 'dateTo'> {
  const [start, end] = [given.get('StartDate') ?? '', given.get('EndDate') ?? ''];
  if (start === '' && end === '') return {};
  if (start === '' || end === '') throw new AppError('report.parameterMissing');
  const dateFrom = readDay(start, '00:00:00');
  const dateTo = readDay(end, '23:59:59');
  if (dateFrom > dateTo) throw new AppError('report.badRange');
  return { dateFrom, dateTo };
}

/** 'MM.DD.YYYY' and the time of day it has to carry. */
function readDay(text: string, time: string): Day {
  const match = /^(\d{2})\.(\d{2})\.(\d{4}) (\d{2}:\d{2}:\d{2})$/.exec(text);
  const day = match === null ? '' : `${match[3]}-${match[1]}-${match[2]}`;
  if (!isDay(day) || match?.[4] !== time) throw new AppError('report.parameterInvalid');
  return day;
}

function readIds(given: ReadonlyMap<ReportValueName, string>): Pick<ReportParams, 'serviceId' | 'invoiceId'> {
  const serviceId = given.get('ServiceId') ?? '';
  const invoiceId = given.get('InvoiceId') ?? '';
  for (const id of [serviceId, invoiceId])
    if (id !== '' && !isId(id)) throw new AppError('report.parameterInvalid');
  return {
    ...(serviceId === '' ? {} : { serviceId }),
    ...(invoiceId === '' ? {} : { invoiceId }),
  };
}
