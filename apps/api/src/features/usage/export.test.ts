import { type UsageOrder, type UsageRecord, usageOrders } from '@counterfoil/contract/usage.ts';
import { startsFormula } from '@counterfoil/domain/text/csv.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseCsv } from '../../../test/fixtures/report-fixture.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import {
  mergeUsage,
  randomUsage,
  type UsageThings,
  usageThings,
} from '../../../test/fixtures/usage/usage-records.ts';
import { authorisedCustomer } from '../../http/requests/scope.ts';
import { CopyOut } from './export-copy.ts';
import { csvStatement, type ExportRows, jsonStatement } from './export-sql.ts';
import { wholeRange } from './filter.ts';

const fixture = useFixture();
type Person = Awaited<ReturnType<typeof signedIn>>;
const late: { things?: UsageThings; person?: Person } = {};
const things = () => late.things as UsageThings;
const person = () => late.person as Person;
const days = { dateFrom: '2025-12-09', dateTo: '2026-03-20' };

beforeAll(async () => {
  late.person = await signedIn(fixture, { endShowUsageCostCentre: true });
  const { customer, reseller } = person();
  late.things = await usageThings(fixture, { customerId: customer.id, resellerId: reseller.id }, 24);
  const months = ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04'];
  await mergeUsage(fixture, randomUsage(late.things, { n: 900, months, seed: 5 }));
  // Somebody else's, of lines and types of the same ids: none of them may ever stand in a file.
  const other = await fixture.make.customer({ resellerId: reseller.id, brandId: reseller.brandId });
  const others = { ...late.things, customerId: other.id };
  await mergeUsage(fixture, randomUsage(others, { n: 100, months, seed: 6 }));
});

type Query = Readonly<Record<string, string>>;

const getUsage = (query: Query) => person().get(`/v1/ec/usage?${new URLSearchParams(query)}`);

/** All records of a query, page by page. */
async function pagesOf(query: Query): Promise<UsageRecord[]> {
  const records: UsageRecord[] = [];
  for (let page = 1; ; page += 1) {
    const answer = await getUsage({ ...query, pageNumber: String(page), pageSize: '500' });
    const { endUsageDetails, totalCount } = answer.json().data;
    records.push(...endUsageDetails);
    if (records.length >= totalCount) return records;
  }
}

const download = (parameters: Readonly<Record<string, unknown>>, who = person()) =>
  who.call('POST', '/v1/ec/usage/download', { parameters });

/** The same query as the download takes it. */
function parametersOf({ dateFrom, dateTo, ...named }: Query): Record<string, string> {
  const names: Record<string, string> = {
    agreement: 'agreementId',
    service: 'serviceId',
    recordType: 'recordTypeId',
    serviceItem: 'serviceItemId',
  };
  return {
    startDate: `${dateFrom} 00:00:00`,
    endDate: `${dateTo} 23:59:59`,
    ...Object.fromEntries(Object.entries(named).map(([name, value]) => [names[name] ?? name, value])),
  };
}

const neutral = (text: string | null): string => `${startsFormula(text ?? '') ? "'" : ''}${text ?? ''}`;

/** How a record stands in the file; its time to the millisecond, as the pages show it. */
const cellsOf = (record: UsageRecord): string[] => [
  record.date,
  neutral(record.serviceItemName),
  neutral(record.serviceItemDescription),
  neutral(record.serviceItem2),
  neutral(record.serviceItem3),
  neutral(record.siteName),
  String(record.units),
  record.price === null ? '' : String(record.price),
  neutral(record.recordType),
  neutral(record.costCentre),
  record.unit ?? '',
];

const readRows = (bytes: Buffer): string[][] =>
  parseCsv(bytes)
    .slice(1)
    .map(([time = '', ...cells]) => [new Date(time).toISOString(), ...cells]);

const filters: Readonly<Record<string, () => Query>> = {
  none: () => ({}),
  agreement: () => ({ agreement: things().agreements[1] ?? '' }),
  service: () => ({ service: things().services[0] }),
  'record type': () => ({ recordType: things().recordTypes[1] ?? '' }),
  line: () => ({ serviceItem: things().serviceItems[0] }),
  'number +44_': () => ({ number: '+44_' }),
  'line, agreement, number': () => ({
    serviceItem: things().serviceItems[0],
    agreement: things().agreements[0],
    number: '+44',
  }),
  'type of another service': () => ({
    service: things().services[0],
    recordType: things().recordTypes[1] ?? '',
  }),
};

describe('all records in one answer', () => {
  it.each(Object.entries(filters))(
    'are those of the pages, as CSV and as JSON, of any filter: %s [portal.usage.call.download, portal.usage.field.download.{startDate,endDate,agreementId,serviceId,recordTypeId,serviceItemId}]',
    async (_name, filter) => {
      for (const orderDirection of ['asc', 'desc']) {
        const query = { ...days, ...filter(), orderDirection };
        const records = await pagesOf(query);
        const json = await getUsage(query);
        expect(json.json()).toEqual({ data: { endUsageDetails: records, totalCount: records.length } });
        const csv = await download(parametersOf(query));
        expect(readRows(csv.rawPayload)).toEqual(records.map(cellsOf));
      }
    },
  );

  it('stand in the order that was asked for', async () => {
    for (const order of usageOrders)
      for (const orderDirection of ['asc', 'desc']) {
        const query = { ...days, order: order satisfies UsageOrder, orderDirection };
        const records = await pagesOf(query);
        expect((await getUsage(query)).json().data.endUsageDetails).toEqual(records);
        const csv = await download(parametersOf(query));
        expect(readRows(csv.rawPayload)).toEqual(records.map(cellsOf));
      }
  });

  it('are all of an agreement where no dates are given, of all services by service=1 [portal.usage.call.export]', async () => {
    const agreement = things().agreements[2] ?? '';
    const everything = { dateFrom: '2020-01-01', dateTo: '2030-01-01', agreement };
    const records = await pagesOf(everything);
    expect(records.length).toBeGreaterThan(100);
    const answer = await getUsage({ service: '1', agreement });
    expect(answer.json()).toEqual({ data: { endUsageDetails: records, totalCount: records.length } });
    for (const query of [{}, { service: '1' }, { agreement, dateFrom: '2026-01-01' }]) {
      const refused = await getUsage(query as Query);
      expect([refused.statusCode, refused.json().code]).toEqual([400, 'usage.badRange']);
    }
  });

  it('are none where there are none: a line of labels, an empty list', async () => {
    const query = { dateFrom: '2019-01-01', dateTo: '2019-01-31' };
    const csv = await download(parametersOf(query));
    expect(csv.body).toBe(
      '\ufeff"Date","Service Item","Service Item Description","Service Item 2","Service Item 3","Site","Units","Price","Record Type","Cost Centre","Unit"\r\n',
    );
    expect((await getUsage(query)).json()).toEqual({ data: { endUsageDetails: [], totalCount: 0 } });
  });

  it('are the same where a customer has so many lines that they are looked up one by one', async () => {
    const { customer, reseller } = person();
    const scope = authorisedCustomer(customer.id, reseller.id, 'system');
    const rows = { filter: wholeRange, sort: { order: 'serviceItemName', isDescending: true } } as const;
    const copied = (statement: string) =>
      fixture.deps.databases.exports.withConnection(async (client) => {
        const copy = new CopyOut(statement, { crlf: false });
        client.query(copy);
        const pieces: Buffer[] = [];
        for (let block = await copy.next(); block !== undefined; block = await copy.next())
          pieces.push(...block.pieces);
        return Buffer.concat(pieces).toString();
      });
    const [few, many] = [false, true].map((hasManyLines) => ({ ...rows, hasManyLines }));
    for (const statement of [
      (one: ExportRows) => csvStatement(scope, one, true),
      (one: ExportRows) => jsonStatement(scope, one),
    ]) {
      const plain = await copied(statement(few as ExportRows));
      expect(plain.split('\n').length).toBeGreaterThan(900);
      expect(await copied(statement(many as ExportRows))).toBe(plain);
    }
    await expect(copied('copy (select 1 / 0) to stdout')).rejects.toThrow('division by zero');
  });

  it('are answered to HEAD without any', async () => {
    const { headers } = person();
    const url = `/v1/ec/usage?${new URLSearchParams(days)}`;
    const answer = await fixture.app.inject({ method: 'HEAD', url, headers });
    expect([answer.statusCode, answer.body]).toEqual([200, '']);
  });
});

describe('the file', () => {
  const body = parametersOf(days);

  it('is CSV of UTF-8 with CRLF, a byte order mark unless it is not wanted, kept by no cache', async () => {
    const { headers, rawPayload } = await download(body);
    expect(headers).toMatchObject({ 'content-type': 'text/csv; charset=utf-8', 'cache-control': 'no-store' });
    expect(rawPayload.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(rawPayload.toString().replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    // Text is quoted, numbers are not.
    const row =
      /^"[\dT:.-]+Z",("([^"]|"")*",|,){5}-?[\d.]+,(-?[\d.]+)?,"([^"]|"")*",("([^"]|"")*")?,("\w+")?$/;
    const [, ...lines] = rawPayload.toString().trimEnd().split('\r\n');
    expect(lines.filter((line) => !row.test(line))).toEqual([]);
    const without = await download({ ...body, byteOrderMark: false });
    expect(without.rawPayload).toEqual(rawPayload.subarray(3));
  });

  it('is named {service}_Usage.csv, its columns as the service calls them, else with the specified labels', async () => {
    const all = await download(body);
    expect(all.headers['content-disposition']).toBe(
      `attachment; filename="All_Services_Usage.csv"; filename*=UTF-8''All_Services_Usage.csv`,
    );
    const service = things().services[0];
    await fixture.database.pool().query(
      `update service set name = 'Voix/été', service_item_label = '=Ligne', service_item2_label = 'Appelé, nº',
           units_label = '', record_type_label = 'Genre' where id = $1`,
      [service],
    );
    const one = await download({ ...body, serviceId: service });
    expect(one.headers['content-disposition']).toBe(
      `attachment; filename="Voix__t__Usage.csv"; filename*=UTF-8''Voix_%C3%A9t%C3%A9_Usage.csv`,
    );
    expect(parseCsv(one.rawPayload)[0]).toEqual([
      'Date',
      "'=Ligne",
      'Service Item Description',
      'Appelé, nº',
      'Service Item 3',
      'Site',
      'Units',
      'Price',
      'Genre',
      'Cost Centre',
      'Unit',
    ]);
  });

  it('has cost centres only where the brand shows them', async () => {
    const other = await signedIn(fixture);
    const answer = await download(body, other);
    expect(parseCsv(answer.rawPayload).map((cells) => cells.join('; '))).toEqual([
      'Date; Service Item; Service Item Description; Service Item 2; Service Item 3; Site; Units; Price; Record Type; Unit',
    ]);
  });

  it('neutralises text that a spreadsheet would run; numbers stay numbers with their digits; no price is no text', async () => {
    const { customerId, serviceItems, recordTypes, agreements } = things();
    const name = `-2+3,"quoted" ${'é'.repeat(200)}`;
    await fixture.database.pool().query(
      `update service_item set name = $2, description = E'@sum(1)\\nsecond line', site = E'\\tx', cost_centre = E'\\rx'
          where id = $1`,
      [serviceItems[3], name],
    );
    const record = {
      customerId,
      at: '2024-05-05T10:00:00.25Z',
      agreementId: agreements[0],
      recordTypeId: recordTypes[0],
      serviceItemId: serviceItems[3] ?? '',
    };
    await mergeUsage(fixture, [
      { ...record, number: '+64 21', third: '=1+1', units: '-12.500000', price: null },
      { ...record, at: '2024-05-05T10:00:01Z', number: "'x", third: 'a"b', units: '100', price: '-0.000010' },
    ]);
    const answer = await download(parametersOf({ dateFrom: '2024-05-05', dateTo: '2024-05-05' }));
    const line = [`'${name}`, "'@sum(1)\nsecond line"];
    const end = ['National', "'\rx", 'second'];
    expect(parseCsv(answer.rawPayload).slice(1)).toEqual([
      ['2024-05-05T10:00:00.25Z', ...line, "'+64 21", "'=1+1", "'\tx", '-12.5', '', ...end],
      ['2024-05-05T10:00:01Z', ...line, "'x", 'a"b', "'\tx", '100', '-0.00001', ...end],
    ]);
  });

  it('takes its parameters within `parameters` or bare; empty, null and missing mean all [portal.usage.field.download.parameters]', async () => {
    const whole = await download(body);
    const empty = { agreementId: '', serviceId: null, recordTypeId: '', serviceItemId: null, number: '' };
    for (const payload of [body, { ...body, ...empty }, { parameters: { ...body, ...empty } }]) {
      const answer = await person().call('POST', '/v1/ec/usage/download', payload);
      expect([answer.statusCode, answer.body === whole.body]).toEqual([200, true]);
    }
  });

  it.each([
    ['no dates', {}, 'request.invalid'],
    ['another form of date', { startDate: '2026-01-01', endDate: '2026-01-31 23:59:59' }, 'request.invalid'],
    ['no such day', { startDate: '2026-02-31 00:00:00', endDate: '2026-03-01 23:59:59' }, 'request.invalid'],
    ['reversed', { startDate: '2026-02-02 00:00:00', endDate: '2026-02-01 23:59:59' }, 'usage.badRange'],
    ['an order there is none', { ...body, order: 'id' }, 'request.invalid'],
    ['an id that is none', { ...body, serviceId: '1' }, 'request.invalid'],
  ])(
    'refuses %s [portal.usage.constant.download.startDate-format, portal.usage.constant.download.endDate-format]',
    async (_name, parameters, code) => {
      const answer = await download(parameters);
      expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
    },
  );

  it('is not there for ids of others, as for unknown ones', async () => {
    const other = await signedIn(fixture);
    const owner = { customerId: other.customer.id, resellerId: other.reseller.id };
    const foreign = await usageThings(fixture, owner, 2);
    const ids = {
      agreementId: [foreign.agreements[0], 'agreement'],
      serviceId: [foreign.services[0], 'service'],
      recordTypeId: [foreign.recordTypes[0], 'recordType'],
      serviceItemId: [foreign.serviceItems[0], 'serviceItem'],
    };
    for (const [name, [id, thing]] of Object.entries(ids)) {
      const answer = await download({ ...body, [name]: id });
      expect([answer.statusCode, answer.json().code]).toEqual([404, `${thing}.notFound`]);
    }
  });
});
