import type { Proof, Proofs } from '../row.ts';

const routesFile = 'apps/api/src/features/reports/routes.test.ts';
const jobFile = 'apps/api/src/features/reports/report-job.test.ts';
const formatsFile = 'apps/api/src/features/reports/formats/formats.test.ts';
const list: Proof = {
  file: routesFile,
  title: 'lists the reports with every field, Invoice Details first: csv, standard, with a date range',
};
const start: Proof = {
  file: routesFile,
  title: 'takes id, parameters and isStandard, answers reportId, and the report waits',
};
const ids: Proof = {
  file: routesFile,
  title: 'takes ServiceId and InvoiceId as strings, empty for all',
};
const refused: Proof = {
  file: routesFile,
  title: 'refuses what is missing, malformed, reversed or not asked for, each with its code',
};
const done: Proof = {
  file: routesFile,
  title: 'is there when the status is 30, under its path, named Report {name}.{ext}',
};
const kinds: Proof = {
  file: routesFile,
  title: 'is csv, pdf or xlsx, as the report says or as one chooses, with the mark of UTF-8 or without',
};
const failed: Proof = {
  file: jobFile,
  title: 'a failing report is tried three times and then failed: status 40, no file, off the queue',
};
const workbook: Proof = {
  file: formatsFile,
  title: 'is a workbook another reader opens: text as text, figures as numbers, days as dates',
};

/** Tests that prove rows of reports: row id to file and title. */
export const proofs: Proofs = {
  'portal.reports.text.standard': [list],
  'portal.reports.standard-csv': [list],
  'portal.reports.standard-date-range': [list, refused],
  'portal.reports.field.report.id': [list],
  'portal.reports.field.report.name': [list],
  'portal.reports.field.report.exportTypeId': [list],
  'portal.reports.field.report.isStandard': [list],
  'portal.reports.field.report.parameters': [list],
  'portal.reports.field.report.parameter.name': [list],
  'portal.reports.field.report.parameter.required': [list],
  'portal.reports.constant.export-csv': [list, kinds],
  'portal.reports.constant.export-pdf': [kinds],
  'portal.reports.constant.export-other': [kinds, workbook],
  'portal.reports.start': [start],
  'portal.reports.constant.status-done': [done],
  'portal.reports.constant.status-failed': [failed],
  'portal.reports.call.list': [list],
  'portal.reports.call.generate': [start],
  'portal.reports.field.generate.id': [start],
  'portal.reports.field.generate.parameters': [start],
  'portal.reports.field.generate.isStandard': [start],
  'portal.reports.field.generate.answer.reportId': [start],
  'portal.reports.call.status': [start, done],
  'portal.reports.field.status.answer.status': [start, done],
  'portal.reports.field.status.answer.path': [done],
  'portal.reports.call.blob': [done],
  'portal.reports.parameters-list': [start],
  'portal.reports.constant.parameter-start': [start, refused],
  'portal.reports.constant.parameter-end': [start, refused],
  'portal.reports.parameter-service': [ids],
  'portal.reports.parameter-invoice': [ids],
};
