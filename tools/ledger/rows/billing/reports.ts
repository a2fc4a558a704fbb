import { call, constant, control, error, field, type Row, rule, screen, section, text } from '../../row.ts';

const page = section({ prefix: 'portal.reports', source: 'portal §2 Reports' }, [
  screen('page', '/reports lists the reports.'),
  text('title', 'The title of the page.', 'Reports'),
  text('standard', 'The standard report is always present first.', 'Invoice Details'),
  rule('standard-csv', "'Invoice Details' is a CSV."),
  rule('standard-date-range', "'Invoice Details' needs a date range.", { source: 'portal §2 Reports, §5' }),
  screen('modal', 'Selecting a report opens a modal.'),
  text('modal-title', 'The title of the modal.', 'Generate {report name}'),
  control('cancel', 'The modal has a Cancel button.', 'Cancel'),
  control('generate', 'The modal has a Generate button.', 'Generate'),
  rule('modal-not-closed', 'The modal cannot be closed by Esc or backdrop while generating.', {
    source: 'portal §2 Reports; decisions §1',
  }),
  control('date-range', 'The modal shows a date range only if the report declares DateRange.'),
  control('service', 'The modal shows a service selector only if the report declares ServiceId.'),
  control('invoice', 'The modal shows an invoice selector only if the report declares InvoiceId.'),
  text('default-option', 'A selector that is not required offers a default.', 'Default'),
]);

const model = section({ prefix: 'portal.reports', source: 'portal §3' }, [
  field('report.id', 'A report has id.'),
  field('report.name', 'A report has name.'),
  field('report.exportTypeId', 'A report has exportTypeId.'),
  field('report.isStandard', 'A report has isStandard.'),
  field('report.parameters', 'A report has parameters[].'),
  field('report.parameter.name', 'A report parameter has name.'),
  field('report.parameter.required', 'A report parameter has required.'),
  constant('export-csv', 'Export type 1 is csv.', { source: 'portal §3, §9' }),
  constant('export-pdf', 'Export type 2 is pdf.', { source: 'portal §3, §9' }),
  constant('export-other', "Any other export type is a real spreadsheet: OOXML content, extension '.xlsx'.", {
    text: '.xlsx',
    source: 'portal §3, §9; decisions §1',
  }),
]);

const states = section({ prefix: 'portal.reports', source: 'portal §4' }, [
  rule('start', 'Generating starts a job; the answer gives reportId.'),
  constant('poll', 'The status is polled every 2 seconds.', { source: 'portal §4, §9' }),
  constant('status-done', 'Status 30 means done.', { source: 'portal §4, §9' }),
  rule('done-saved', 'When done, the file is fetched and saved.'),
  constant('status-failed', 'Status 40 means failed.', { source: 'portal §4, §9' }),
  error('failed-banner', 'A failed report shows the generic error banner.', { source: 'portal §4, §8' }),
  rule('generate-persists', 'The Generate state persists until done.'),
  error('load-failure', 'A failure of reports loading is logged and the generic error is raised.', {
    source: 'portal §8',
  }),
]);

const calls = section({ prefix: 'portal.reports', source: 'portal §7 Reports' }, [
  call('list', 'GET /v1/ec/reports answers the reports.'),
  call('generate', 'POST /v1/ec/reports starts a report.'),
  field('generate.id', 'Starting a report sends id.'),
  field('generate.parameters', 'Starting a report sends parameters.'),
  field('generate.isStandard', 'Starting a report sends isStandard.'),
  field('generate.answer.reportId', 'Starting a report answers reportId.'),
  call('status', 'GET /v1/ec/reports/status/{id} answers the status of a report.'),
  field('status.answer.status', 'The report status answers status.'),
  field('status.answer.path', 'The report status answers path.'),
  call('blob', 'GET /v1/ec/reports/blob/{path} answers the file as a blob.'),
  rule('parameters-list', 'Report parameters are a list of name and value.'),
  constant('parameter-start', "The start date is formatted 'MM.DD.YYYY 00:00:00'."),
  constant('parameter-end', "The end date is formatted 'MM.DD.YYYY 23:59:59'."),
  rule('parameter-service', 'ServiceId is passed as a string.'),
  rule('parameter-invoice', 'InvoiceId is passed as a string.'),
]);

const decided = section({ prefix: 'decisions.1', source: 'decisions §1' }, [
  control('report-background', "Once the job has an id, 'Continue in background' is offered.", {
    text: 'Continue in background',
  }),
  rule('report-job-list', 'The job list shows a report that continues in the background.'),
]);

/** Reports. */
export const rows: readonly Row[] = [...page, ...model, ...states, ...calls, ...decided];
