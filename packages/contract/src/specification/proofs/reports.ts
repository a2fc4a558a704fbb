import { inBrowser, type Proof, type Proofs } from '../row.ts';

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

const web = (file: string, title: string): Proof => ({
  file: `apps/web/src/features/reports/${file}`,
  title,
});
const page = web(
  'reports-page.test.tsx',
  'lists the reports in the server’s order, each with its format, what it asks for, and Generate',
);
const titled = web('generate-dialog.test.tsx', 'is titled Generate {report name}, with Cancel and Generate');
const declared = web('generate-dialog.test.tsx', 'shows a field only if the report declares it: %j');
const defaults = web(
  'generate-dialog.test.tsx',
  'offers Default where a selector is not required, and a choice where it is',
);
const background = web('generate-dialog.test.tsx', 'offers Continue in background once the job has an id');
const polled = web('report-run.test.ts', 'starts a job and asks for its status every 2 seconds');
const at30 = web(
  'report-run.test.ts',
  'at 30 fetches the file by its path, saves it under its name and stops asking',
);
const at40 = web('report-run.test.ts', 'at 40 raises the generic banner and saves nothing');
const persists = web(
  'report-run.test.ts',
  'stays in the Generate state until done, over a server that is away for a moment',
);
const sent = web(
  'report-form.test.ts',
  'sends id, isStandard and a list of name and value: days from midnight to the last second, ids as text',
);
const notLoaded = web(
  'reports-page.test.tsx',
  'a failure of loading the reports is logged and raises the generic error',
);
const waited: Proof = {
  file: 'e2e/reports.spec.ts',
  title: 'Invoice Details stands first; the modal stays while it is generated and the CSV is saved',
};
const inBackground: Proof = {
  file: 'e2e/reports.spec.ts',
  title: 'what continues in the background stands in the list and is downloaded there, also after a reload',
};

/** Tests that prove rows of reports: row id to file and title. */
export const proofs: Proofs = {
  'portal.reports.text.standard': [list, waited],
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
  'portal.reports.constant.status-done': [done, at30],
  'portal.reports.constant.status-failed': [failed, at40],
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
  'portal.reports.parameters-list': [start, sent],
  'portal.reports.constant.parameter-start': [start, refused, sent],
  'portal.reports.constant.parameter-end': [start, refused, sent],
  'portal.reports.parameter-service': [ids, sent],
  'portal.reports.parameter-invoice': [ids, sent],
  'portal.reports.screen.page': [page, waited],
  'portal.reports.text.title': [page, waited],
  'portal.reports.screen.modal': [titled, waited],
  'portal.reports.text.modal-title': [titled, inBrowser('reports', 'Invoice Details stands first')],
  'portal.reports.control.cancel': [titled, waited],
  'portal.reports.control.generate': [titled, waited],
  'portal.reports.modal-not-closed': [waited],
  'portal.reports.control.date-range': [
    declared,
    inBrowser('specified-screens', 'reports: the dialog asks for what the report declares'),
  ],
  'portal.reports.control.service': [
    declared,
    inBrowser('specified-screens', 'reports: the dialog asks for what the report declares'),
  ],
  'portal.reports.control.invoice': [
    declared,
    inBrowser('specified-screens', 'reports: the dialog asks for what the report declares'),
  ],
  'portal.reports.text.default-option': [
    defaults,
    inBrowser('specified-screens', 'reports: the dialog asks for what the report declares'),
  ],
  'portal.reports.constant.poll': [polled],
  'portal.reports.done-saved': [at30, waited],
  'portal.reports.error.failed-banner': [at40],
  'portal.reports.generate-persists': [persists],
  'portal.reports.error.load-failure': [notLoaded],
  'decisions.1.control.report-background': [background, inBackground],
  'decisions.1.report-job-list': [inBackground],
};
