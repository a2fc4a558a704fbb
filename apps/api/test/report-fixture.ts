import { ExportType, type ReportValue } from '@counterfoil/contract/reports.ts';
import { defineReport, type ReportDefinition } from '../src/features/reports/definition.ts';
import { allReports } from '../src/features/reports/definitions/all.ts';
import { reportJob } from '../src/features/reports/report-job.ts';
import type { FileStore } from '../src/files/file-store.ts';
import { openFileStore } from '../src/files/open-file-store.ts';
import type { signedIn } from './signed-in.ts';
import type { TestFixture } from './test-fixture.ts';

type Person = Awaited<ReturnType<typeof signedIn>>;

/** The values of a date range as the portal sends them; days are 'MM.DD.YYYY'. */
export const dates = (from: string, to: string): ReportValue[] => [
  { name: 'StartDate', value: `${from} 00:00:00` },
  { name: 'EndDate', value: `${to} 23:59:59` },
];

export const MARCH = dates('03.01.2026', '03.31.2026');

/** A report whose rows the test gives. */
export const testReport = (over: Partial<ReportDefinition> = {}): ReportDefinition =>
  defineReport({
    id: 'invoice-details',
    name: 'Test',
    exportType: ExportType.CSV,
    parameters: [],
    columns: [{ label: 'Text', kind: 'text' }],
    async *run() {
      yield ['one'];
      yield ['two'];
    },
    ...over,
  });

/** Asks for reports, makes them, fetches them. */
export function reportFixture(fixture: TestFixture) {
  const files = (): FileStore => openFileStore(fixture.deps.config.filesUrl);
  const job = (reports: readonly ReportDefinition[] = allReports) => {
    const { databases, clock, log } = fixture.deps;
    return reportJob({
      db: databases.jobs,
      exports: databases.exports,
      clock,
      log,
      files: files(),
      reports,
    });
  };
  const start = async (person: Person, id: string, body: object = {}): Promise<string> => {
    const answer = await person.call('POST', '/v1/ec/reports', { id, parameters: MARCH, ...body });
    if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
    return answer.json().data.reportId;
  };
  const status = async (person: Person, id: string) =>
    (await person.get(`/v1/ec/reports/status/${id}`)).json().data;
  const file = async (person: Person, id: string) =>
    person.get(`/v1/ec/reports/blob/${(await status(person, id)).path}`);
  return {
    files,
    job,
    start,
    status,
    file,
    /** Makes a report and fetches its file. */
    async make(person: Person, id: string, body: object = {}): Promise<Buffer> {
      const reportId = await start(person, id, body);
      await job().run({ customerId: person.customer.id, id: reportId });
      const answer = await file(person, reportId);
      if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
      return answer.rawPayload;
    },
  };
}

/** Reads a CSV file after RFC 4180 with its own rules, not with the writer's. */
export function parseCsv(bytes: Buffer): string[][] {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charAt(i);
    if (quoted && c === '"' && text.charAt(i + 1) === '"') {
      cell += '"';
      i += 1;
    } else if (c === '"') quoted = !quoted;
    else if (!quoted && c === ',') {
      row.push(cell);
      cell = '';
    } else if (!quoted && c === '\r' && text.charAt(i + 1) === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      i += 1;
    } else cell += c;
  }
  if (quoted || cell !== '' || row.length > 0) throw new Error('the file does not end with a line end');
  return rows;
}
