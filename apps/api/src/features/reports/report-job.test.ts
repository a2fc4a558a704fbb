import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { reportFixture, testReport } from '../../../test/fixtures/report-fixture.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { startWorker } from '../../jobs/worker.ts';
import type { ReportDefinition } from './definition.ts';
import { sweepReports } from './sweep.ts';

const fixture = useFixture();
const reports = reportFixture(fixture);
type Person = Awaited<ReturnType<typeof signedIn>>;

const query = (text: string, values: unknown[] = []) => fixture.database.pool().query(text, values);
const attempt = (person: Person, id: string, report: ReportDefinition) =>
  reports.job([report]).run({ customerId: person.customer.id, id });
const sweep = () =>
  sweepReports({ db: fixture.deps.databases.jobs, clock: fixture.clock, files: reports.files() });

/** Every file of the customer, and what nobody finished. */
async function filesOf(person: Person): Promise<string[]> {
  const root = fileURLToPath(fixture.deps.config.filesUrl);
  const list = (folder: string) => readdir(join(root, folder)).catch(() => [] as string[]);
  return [...(await list(`reports/${person.customer.id}`)), ...(await list('.unfinished'))];
}

async function* pieces(text: string): AsyncIterable<Uint8Array> {
  yield Buffer.from(text);
}

const failing = testReport({
  // biome-ignore lint/correctness/useYield: it fails before its first row
  async *run() {
    throw new Error('a column is missing');
  },
});

describe('making a report', () => {
  it('run twice, it makes one file, and the path stays', async () => {
    const person = await signedIn(fixture);
    const id = await reports.start(person, 'invoice-details');
    await attempt(person, id, testReport());
    const first = await reports.status(person, id);
    await attempt(person, id, testReport());
    expect(await reports.status(person, id)).toEqual({ ...first, status: 30, rows: 2 });
    expect(await filesOf(person)).toEqual([`${id}.csv`]);
  });

  it('an attempt that hung while another made the report changes nothing and leaves nothing', async () => {
    const person = await signedIn(fixture);
    const id = await reports.start(person, 'invoice-details');
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const hanging = attempt(
      person,
      id,
      testReport({
        async *run() {
          yield ['late'];
          begin();
          await released;
        },
      }),
    );
    await begun;
    await attempt(person, id, testReport());
    const made = await reports.status(person, id);
    release();
    await hanging;
    expect(await reports.status(person, id)).toEqual(made);
    expect((await reports.file(person, id)).body).toBe('\ufeff"Text"\r\n"one"\r\n"two"\r\n');
    expect(await filesOf(person)).toEqual([`${id}.csv`]);
  });

  it('a failing report is tried three times and then failed: status 40, no file, off the queue [portal.reports.constant.status-failed]', async () => {
    const person = await signedIn(fixture);
    const id = await reports.start(person, 'invoice-details');
    for (const expected of [10, 10]) {
      await expect(attempt(person, id, failing)).rejects.toThrow('a column is missing');
      expect(await reports.status(person, id)).toMatchObject({ status: expected, path: null });
    }
    await attempt(person, id, failing);
    expect(await reports.status(person, id)).toMatchObject({ status: 40, path: null, rows: null });
    expect(await filesOf(person)).toEqual([]);
    const { rows } = await query('select error, attempts from report_job where id = $1', [id]);
    expect(rows).toEqual([{ error: 'Error: a column is missing', attempts: 3 }]);
    // What has ended stays as it is.
    await attempt(person, id, testReport());
    expect(await reports.status(person, id)).toMatchObject({ status: 40 });
  });

  it('a failure after some rows leaves nothing behind, and the next attempt is whole', async () => {
    const person = await signedIn(fixture);
    const id = await reports.start(person, 'invoice-details');
    const broken = testReport({
      async *run() {
        yield ['one'];
        throw new Error('half way');
      },
    });
    await expect(attempt(person, id, broken)).rejects.toThrow('half way');
    expect(await filesOf(person)).toEqual([]);
    await attempt(person, id, testReport());
    expect((await reports.file(person, id)).body).toBe('\ufeff"Text"\r\n"one"\r\n"two"\r\n');
  });
});

describe('workers that are killed', () => {
  it('a report whose worker was killed while making it is made by another, once', async () => {
    const person = await signedIn(fixture);
    const id = await reports.start(person, 'invoice-details');
    // As the first worker left it: the job locked, the row running, its process silent.
    await query(
      `update graphile_worker._private_jobs set locked_by = 'worker-killed', attempts = 1,
         locked_at = now() - interval '1 minute' where key = 'report:' || $1`,
      [id],
    );
    await query('update report_job set status = 20, attempts = 1, started_at = now() where id = $1', [id]);
    const deps = { url: fixture.database.url, log: fixture.deps.log, concurrency: 2 };
    const worker = await startWorker(deps, [reports.job([testReport()])]);
    try {
      await expect.poll(async () => (await reports.status(person, id)).status, { timeout: 10_000 }).toBe(30);
    } finally {
      await worker.stop();
    }
    expect(await filesOf(person)).toEqual([`${id}.csv`]);
    expect((await query('select attempts from report_job where id = $1', [id])).rows).toEqual([
      { attempts: 2 },
    ]);
  });

  it('what the queue has given up or lost is failed; what it will still try is left alone', async () => {
    const person = await signedIn(fixture);
    const [spent, lost, waiting] = [
      await reports.start(person, 'invoice-details'),
      await reports.start(person, 'invoice-details'),
      await reports.start(person, 'invoice-details'),
    ];
    await query("update graphile_worker._private_jobs set attempts = 3 where key = 'report:' || $1", [spent]);
    await query("delete from graphile_worker._private_jobs where key = 'report:' || $1", [lost]);
    await query('update report_job set status = 20 where id = any($1)', [[spent, lost]]);
    // Its worker was killed after the file was in its place.
    await reports.files().write(`reports/${person.customer.id}/${spent}.csv`, pieces('a report'));
    await sweep();
    const statuses = await Promise.all([spent, lost, waiting].map((id) => reports.status(person, id)));
    expect(statuses.map(({ status }) => status)).toEqual([40, 40, 10]);
    expect(await filesOf(person)).toEqual([]);
  });
});

describe('time', () => {
  it('a file can be fetched for seven days; then it is deleted, and the list still knows of the report', async () => {
    const person = await signedIn(fixture);
    const id = await reports.start(person, 'invoice-details');
    await attempt(person, id, testReport());
    const { path } = await reports.status(person, id);
    const fetchIt = () => person.get(`/v1/ec/reports/blob/${path}`);
    fixture.clock.advance(7 * 86_400_000 - 1_000);
    // The session is long over; the file is asked for through the store.
    await sweep();
    expect(await filesOf(person)).toEqual([`${id}.csv`]);
    fixture.clock.advance(1_000);
    await sweep();
    expect(await filesOf(person)).toEqual([]);
    const { rows } = await query('select status, path, file_key from report_job where id = $1', [id]);
    expect(rows).toEqual([{ status: 30, path: null, file_key: null }]);
    expect((await fetchIt()).statusCode).not.toBe(200);
    fixture.clock.advance(31 * 86_400_000);
    await sweep();
    expect((await query('select 1 from report_job where id = $1', [id])).rows).toEqual([]);
  });
});
