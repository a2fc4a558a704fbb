import { describe, expect, it } from 'vitest';
import { billingRows } from '../../../test/fixtures/billing-rows.ts';
import { dates, MARCH, reportFixture } from '../../../test/fixtures/report-fixture.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const reports = reportFixture(fixture);
const rows = billingRows(fixture);
const UNKNOWN = '019364b2-7a00-7000-8000-000000000000';
const UUID = /^[0-9a-f-]{36}$/;
type Person = Awaited<ReturnType<typeof signedIn>>;

const ask = async (person: Person, body: object) => {
  const answer = await person.call('POST', '/v1/ec/reports', body);
  return [answer.statusCode, answer.json().code] as const;
};
const done = (person: Person, id: string) => reports.job().run({ customerId: person.customer.id, id });

describe('GET /v1/ec/reports', () => {
  it('lists the reports with every field, Invoice Details first: csv, standard, with a date range [portal.reports.{text.standard,standard-csv,standard-date-range,constant.export-csv,call.list}, portal.reports.field.report.*]', async () => {
    const { data } = (await (await signedIn(fixture)).get('/v1/ec/reports')).json();
    expect(data[0]).toEqual({
      id: 'invoice-details',
      name: 'Invoice Details',
      exportTypeId: 1,
      isStandard: true,
      parameters: [
        { name: 'DateRange', required: true },
        { name: 'InvoiceId', required: false },
      ],
    });
    expect(
      data.map(({ name, exportTypeId, isStandard }: Record<string, unknown>) => [
        name,
        exportTypeId,
        isStandard,
      ]),
    ).toEqual([
      ['Invoice Details', 1, true],
      ['Usage by service item', 3, false],
      ['Usage by cost centre', 3, false],
      ['Top destinations', 3, false],
      ['Monthly comparison', 3, false],
      ['Payments', 2, false],
    ]);
  });
});

describe('POST /v1/ec/reports', () => {
  it('takes id, parameters and isStandard, answers reportId, and the report waits [portal.reports.{start,call.generate,call.status,field.status.answer.status,parameters-list,constant.parameter-start,constant.parameter-end}, portal.reports.field.generate.*]', async () => {
    const person = await signedIn(fixture);
    const body = { id: 'invoice-details', parameters: MARCH, isStandard: true };
    const answer = await person.call('POST', '/v1/ec/reports', body);
    expect(answer.json()).toEqual({ data: { reportId: expect.stringMatching(UUID) } });
    expect(await reports.status(person, answer.json().data.reportId)).toEqual({
      status: 10,
      path: null,
      name: 'Invoice Details',
      rows: null,
      fileName: 'Report Invoice Details.csv',
    });
    const queued = await fixture.database
      .pool()
      .query("select max_attempts from graphile_worker.jobs where key = 'report:' || $1", [
        answer.json().data.reportId,
      ]);
    expect(queued.rows).toEqual([{ max_attempts: 3 }]);
  });

  it('takes ServiceId and InvoiceId as strings, empty for all [portal.reports.parameter-service, portal.reports.parameter-invoice]', async () => {
    const person = await signedIn(fixture);
    const serviceId = await rows.service(person.reseller.id, 'Voice');
    await rows.item(person.customer.id, serviceId, '+1');
    const invoice = await fixture.seedPayable(person.customer);
    const of = (id: string, name: string, value: string) =>
      ask(person, { id, parameters: [...MARCH, { name, value }] });
    expect(await of('usage-by-service-item', 'ServiceId', serviceId)).toEqual([200, undefined]);
    expect(await of('invoice-details', 'InvoiceId', invoice.id)).toEqual([200, undefined]);
    expect(await of('usage-by-service-item', 'ServiceId', '')).toEqual([200, undefined]);
  });

  it('refuses what is missing, malformed, reversed or not asked for, each with its code [portal.reports.{standard-date-range,constant.parameter-start,constant.parameter-end}]', async () => {
    const person = await signedIn(fixture);
    const of = (parameters: object[], id = 'invoice-details') => ask(person, { id, parameters });
    const [start = {}, end = {}] = MARCH;
    const missing = [400, 'report.parameterMissing'];
    const invalid = [400, 'report.parameterInvalid'];
    for (const one of [[], [start], [end], [{ ...start, value: '' }, end]])
      expect(await of(one)).toEqual(missing);
    expect(await of([start], 'monthly-comparison')).toEqual(missing);
    expect(await of(dates('04.01.2026', '03.31.2026'))).toEqual([400, 'report.badRange']);
    expect(await of(dates('02.29.2026', '03.31.2026'))).toEqual(invalid);
    expect(await of(dates('2026-03-01', '2026-03-31'))).toEqual(invalid);
    expect(await of([{ name: 'StartDate', value: '03.01.2026 23:59:59' }, end])).toEqual(invalid);
    expect(await of([start, start, end])).toEqual(invalid);
    expect(await of([...MARCH, { name: 'InvoiceId', value: '1 or 1=1' }])).toEqual(invalid);
    expect(await of([...MARCH, { name: 'ServiceId', value: UNKNOWN }])).toEqual(invalid);
    expect(await of([...MARCH, { name: 'Colour', value: 'red' }])).toEqual([400, 'request.invalid']);
    expect(await of(MARCH, 'unknown')).toEqual([404, 'report.notFound']);
    expect(await ask(person, { id: 'payments', parameters: [], isStandard: true })).toEqual([
      404,
      'report.notFound',
    ]);
    expect(await ask(person, { id: 'payments', parameters: [], exportTypeId: 4 })).toEqual([
      400,
      'request.invalid',
    ]);
  });

  it('answers an invoice or service of somebody else like an unknown one', async () => {
    const [mine, other] = [await signedIn(fixture), await signedIn(fixture)];
    const invoice = await fixture.seedPayable(other.customer);
    const service = await rows.service(other.reseller.id, 'Data');
    await rows.item(other.customer.id, service, '+2');
    for (const value of [invoice.id, UNKNOWN]) {
      const parameters = [...MARCH, { name: 'InvoiceId', value }];
      expect(await ask(mine, { id: 'invoice-details', parameters })).toEqual([404, 'invoice.notFound']);
    }
    for (const value of [service, UNKNOWN]) {
      const parameters = [...MARCH, { name: 'ServiceId', value }];
      expect(await ask(mine, { id: 'top-destinations', parameters })).toEqual([404, 'service.notFound']);
    }
  });

  it('takes three reports of a customer at once and no more, until one is ready', async () => {
    const person = await signedIn(fixture);
    const body = { id: 'payments', parameters: [] };
    const all = await Promise.all(
      Array.from({ length: 8 }, () => person.call('POST', '/v1/ec/reports', body)),
    );
    expect(all.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 200, 429, 429, 429, 429, 429]);
    const refused = all.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json().code).toBe('report.tooMany');
    expect(refused?.headers['retry-after']).toBe('10');
    expect(await ask(await signedIn(fixture), body)).toEqual([200, undefined]);
    const first = all.find(({ statusCode }) => statusCode === 200)?.json().data.reportId;
    await done(person, first);
    expect(await ask(person, body)).toEqual([200, undefined]);
  });
});

describe('the file of a report', () => {
  it('is there when the status is 30, under its path, named Report {name}.{ext} [portal.reports.{constant.status-done,call.status,field.status.answer.status,field.status.answer.path,call.blob}]', async () => {
    const person = await signedIn(fixture);
    const id = await reports.start(person, 'invoice-details');
    await done(person, id);
    const status = await reports.status(person, id);
    expect(status).toMatchObject({ status: 30, path: expect.stringMatching(/^[\w-]{43}$/), rows: 0 });
    const answer = await person.get(`/v1/ec/reports/blob/${status.path}`);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringContaining('filename="Report Invoice Details.csv"'),
      'content-length': String(answer.rawPayload.length),
    });
    expect(answer.body).toMatch(/^\ufeff"Invoice Number",/);
  });

  it('is csv, pdf or xlsx, as the report says or as one chooses, with the mark of UTF-8 or without [portal.reports.constant.{export-csv,export-pdf,export-other}]', async () => {
    const person = await signedIn(fixture);
    const begin = async (body: object, id = 'invoice-details') =>
      (await reports.make(person, id, body)).subarray(0, 4).toString('latin1');
    expect(await begin({ byteOrderMark: false })).toBe('"Inv');
    expect(await begin({ exportTypeId: 1 })).toBe('\u00ef\u00bb\u00bf"');
    expect(await begin({ exportTypeId: 2 })).toBe('%PDF');
    expect(await begin({ exportTypeId: 3 })).toBe('PK\u0003\u0004');
    expect(await begin({ parameters: [] }, 'payments')).toBe('%PDF');
    expect(await begin({}, 'top-destinations')).toBe('PK\u0003\u0004');
    const [latest] = (await person.get('/v1/ec/reports/jobs')).json().data;
    expect(latest.fileName).toBe('Report Top destinations.xlsx');
  });

  it('is reached by its owner only: status and path of another customer are unknown', async () => {
    const [mine, other] = [await signedIn(fixture), await signedIn(fixture)];
    const id = await reports.start(other, 'invoice-details');
    await done(other, id);
    const { path } = await reports.status(other, id);
    for (const one of [id, UNKNOWN]) {
      const answer = await mine.get(`/v1/ec/reports/status/${one}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'report.notFound']);
    }
    for (const one of [path, 'A'.repeat(43)]) {
      const answer = await mine.get(`/v1/ec/reports/blob/${one}`);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'report.noFile']);
    }
    expect((await mine.get('/v1/ec/reports/blob/..%2f..%2fsecret.key')).statusCode).toBe(400);
    expect((await mine.get('/v1/ec/reports/jobs')).json().data).toEqual([]);
  });
});

describe('GET /v1/ec/reports/jobs', () => {
  it('lists the latest twenty, newest first, so that a reload finds them', async () => {
    const person = await signedIn(fixture);
    const ids: string[] = [];
    for (let n = 0; n < 21; n += 1) {
      const id = await reports.start(person, 'payments', { parameters: [] });
      ids.unshift(id);
      if (n < 20) await done(person, id);
      fixture.clock.advance(1_000);
    }
    const { data } = (await person.get('/v1/ec/reports/jobs')).json();
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 20));
    expect(data[0]).toMatchObject({ status: 10, path: null, finishedAt: null, sizeBytes: null });
    expect(data[1]).toEqual({
      id: ids[1],
      name: 'Payments',
      fileName: 'Report Payments.pdf',
      status: 30,
      rows: 0,
      path: expect.any(String),
      sizeBytes: expect.any(Number),
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
      expiresAt: expect.any(String),
    });
  });
});
