import { ExportType, type Report } from '@counterfoil/contract/reports.ts';
import { parseDay } from '@counterfoil/domain/time/day.ts';
import { describe, expect, it } from 'vitest';
import {
  asksFor,
  findProblems,
  firstValues,
  hasProblems,
  type ReportValues,
  reportFileName,
  requestOf,
} from './report-form.ts';

const report = (over: Partial<Report> = {}): Report => ({
  id: 'invoice-details',
  name: 'Invoice Details',
  exportTypeId: ExportType.CSV,
  isStandard: true,
  parameters: [{ name: 'DateRange', required: true }],
  ...over,
});
const all = (required: boolean): Report =>
  report({
    parameters: (['DateRange', 'ServiceId', 'InvoiceId'] as const).map((name) => ({ name, required })),
  });
const values = (over: Partial<ReportValues> = {}): ReportValues => ({
  dates: { from: '2026-03-01', to: '2026-03-31' },
  serviceId: 'service-1',
  invoiceId: 'invoice-1',
  exportTypeId: ExportType.CSV,
  ...over,
});
const nothing = values({ dates: { from: '', to: '' }, serviceId: '', invoiceId: '' });
const today = parseDay('2026-11-22');

describe('the form of a report', () => {
  it('begins with the last month where dates are required, else with the default; with the own format', () => {
    expect(firstValues(report(), today)).toEqual({
      dates: { from: '2026-10-01', to: '2026-10-31' },
      serviceId: '',
      invoiceId: '',
      exportTypeId: ExportType.CSV,
    });
    const pdf = { ...all(false), exportTypeId: ExportType.PDF };
    expect(firstValues(pdf, today)).toEqual({ ...nothing, exportTypeId: ExportType.PDF });
  });
  it('knows what is asked for, and whether it must be given', () => {
    expect(asksFor(report(), 'DateRange')).toBe('required');
    expect(asksFor(all(false), 'ServiceId')).toBe('optional');
    expect(asksFor(report(), 'InvoiceId')).toBeUndefined();
  });
});

describe('what is wrong', () => {
  it('is everything required that is missing', () => {
    expect(findProblems(all(true), nothing)).toEqual({
      dates: [
        { field: 'from', kind: 'missing' },
        { field: 'to', kind: 'missing' },
      ],
      service: true,
      invoice: true,
    });
    expect(hasProblems(findProblems(all(true), values()))).toBe(false);
  });
  it('is nothing where all may be the default; half a range and a reversed one are', () => {
    expect(hasProblems(findProblems(all(false), nothing))).toBe(false);
    const half = findProblems(all(false), values({ dates: { from: '2026-03-01', to: '' } }));
    expect(half.dates).toEqual([{ field: 'to', kind: 'missing' }]);
    const reversed = findProblems(all(false), values({ dates: { from: '2026-03-31', to: '2026-03-01' } }));
    expect(reversed.dates).toEqual([{ field: 'to', kind: 'reversed' }]);
  });
  it('is never about what the report does not ask for', () => {
    expect(hasProblems(findProblems(report({ parameters: [] }), nothing))).toBe(false);
  });
});

describe('the request', () => {
  it('sends id, isStandard and a list of name and value: days from midnight to the last second, ids as text [portal.reports.{parameters-list,constant.parameter-start,constant.parameter-end,parameter-service,parameter-invoice}]', () => {
    expect(requestOf(all(true), values(), true)).toEqual({
      id: 'invoice-details',
      isStandard: true,
      parameters: [
        { name: 'StartDate', value: '03.01.2026 00:00:00' },
        { name: 'EndDate', value: '03.31.2026 23:59:59' },
        { name: 'ServiceId', value: 'service-1' },
        { name: 'InvoiceId', value: 'invoice-1' },
      ],
    });
  });
  it('leaves out defaults and what is not asked for; names another format than the own', () => {
    expect(requestOf(all(false), nothing, true).parameters).toEqual([]);
    expect(requestOf(report({ parameters: [] }), values(), true).parameters).toEqual([]);
    expect(requestOf(report(), values({ exportTypeId: ExportType.XLSX }), true).exportTypeId).toBe(
      ExportType.XLSX,
    );
    expect(requestOf(report(), values(), true)).not.toHaveProperty('exportTypeId');
  });
  it('asks for a csv without a byte order mark where the user chose that, and says nothing of it otherwise', () => {
    const csv = report({ exportTypeId: ExportType.CSV });
    const bare = values({ exportTypeId: ExportType.CSV });
    expect(requestOf(csv, bare, false).byteOrderMark).toBe(false);
    expect(requestOf(csv, bare, true)).not.toHaveProperty('byteOrderMark');
    const pdf = values({ exportTypeId: ExportType.PDF });
    expect(requestOf(csv, pdf, false)).not.toHaveProperty('byteOrderMark');
  });
});

it('the file is named Report {name}.{ext}: csv, pdf, and a real spreadsheet for the rest [portal.format.constant.report-file]', () => {
  expect(reportFileName('Invoice Details', ExportType.CSV)).toBe('Report Invoice Details.csv');
  expect(reportFileName('Invoice Details', ExportType.PDF)).toBe('Report Invoice Details.pdf');
  expect(reportFileName('Calls / cost', ExportType.XLSX)).toBe('Report Calls _ cost.xlsx');
});
