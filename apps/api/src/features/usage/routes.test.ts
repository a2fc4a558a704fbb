import { beforeAll, describe, expect, it } from 'vitest';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import {
  mergeUsage,
  type UsageSeed,
  type UsageThings,
  usageThings,
} from '../../../test/fixtures/usage/usage-records.ts';

const fixture = useFixture();
type Person = Awaited<ReturnType<typeof signedIn>>;
const late: { me?: Person; other?: Person; mine?: UsageThings; theirs?: UsageThings } = {};
const me = () => late.me as Person;
const mine = () => late.mine as UsageThings;
const theirs = () => late.theirs as UsageThings;

const seed = (things: UsageThings, at: string, over: Partial<UsageSeed> = {}): UsageSeed => ({
  customerId: things.customerId,
  at,
  agreementId: things.agreements[0],
  recordTypeId: things.recordTypes[0],
  serviceItemId: things.serviceItems[0],
  number: '+441',
  third: 'cell 7',
  units: '60',
  price: '0.1',
  ...over,
});

beforeAll(async () => {
  late.me = await signedIn(fixture);
  late.other = await signedIn(fixture);
  const whose = ({ customer, reseller }: Person) => ({ customerId: customer.id, resellerId: reseller.id });
  late.mine = await usageThings(fixture, whose(me()), 6);
  late.theirs = await usageThings(fixture, whose(late.other), 6);
  const [, second = ''] = mine().serviceItems;
  await mergeUsage(fixture, [
    seed(mine(), '2026-01-31T23:59:59.999999Z', { price: null, units: '1.5' }),
    seed(mine(), '2026-02-01T00:00:00Z', {
      serviceItemId: second,
      recordTypeId: mine().recordTypes[1] ?? '',
    }),
    seed(mine(), '2026-02-01T08:30:00.123456Z', { number: '+4420', price: '0.2', units: '0.000001' }),
    seed(mine(), '2026-02-28T23:59:59Z', { agreementId: mine().agreements[1] ?? '', price: '0.000001' }),
    seed(theirs(), '2026-02-01T00:00:00Z', { number: 'somebody else’s' }),
  ]);
});

const february = { dateFrom: '2026-02-01', dateTo: '2026-02-28' };
const both = { dateFrom: '2026-01-01', dateTo: '2026-02-28' };
type Query = Readonly<Record<string, string>>;
const get = (query: Query, call = 'usage') =>
  me().get(`/v1/ec/${call}?${new URLSearchParams(call === 'usage' ? { pageNumber: '1', ...query } : query)}`);
const page = async (query: Query) => (await get(query)).json().data;
const dates = async (query: Query): Promise<string[]> =>
  (await page(query)).endUsageDetails.map(({ date }: { date: string }) => date);

describe('GET /v1/ec/usage', () => {
  it('answers records with all their fields, and how many there are [portal.usage.field.record.*, portal.usage.{field.answer.endUsageDetails,field.answer.totalCount,call.list}]', async () => {
    const { endUsageDetails, totalCount } = await page({ dateFrom: '2026-01-31', dateTo: '2026-02-01' });
    expect(totalCount).toBe(3);
    expect(endUsageDetails[0]).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      date: '2026-01-31T23:59:59.999Z',
      serviceItemName: '06000',
      serviceItemDescription: null,
      serviceItem2: '+441',
      serviceItem3: 'cell 7',
      siteName: null,
      units: 1.5,
      unit: 'second',
      price: null,
      recordType: 'National',
      costCentre: null,
      billedBy: null,
    });
    expect(endUsageDetails[1]).toMatchObject({
      serviceItemDescription: 'Desk 1',
      siteName: 'Site 1',
      costCentre: 'CC 1',
      price: 0.1,
      recordType: 'mobile',
      date: '2026-02-01T00:00:00.000Z',
    });
  });

  it('days are of UTC, the last one included [portal.usage.field.list.dateFrom, portal.usage.field.list.dateTo, decisions.2.date-to-included, decisions.2.days-utc]', async () => {
    expect((await page(february)).totalCount).toBe(3);
    expect((await page({ dateFrom: '2026-01-31', dateTo: '2026-01-31' })).totalCount).toBe(1);
  });

  it('answers pages of any size, and an empty one with the total past the end [portal.usage.{server-paging,field.list.pageNumber,field.list.pageSize}]', async () => {
    const all = await dates(both);
    expect(all).toHaveLength(4);
    const paged = await Promise.all(
      ['1', '2', '3', '4'].map((pageNumber) => dates({ ...both, pageNumber, pageSize: '1' })),
    );
    expect(paged.flat()).toEqual(all);
    expect(await page({ ...both, pageNumber: '1000000000', pageSize: '1000' })).toEqual({
      endUsageDetails: [],
      totalCount: 4,
    });
  });

  it('a missing or empty filter means all; each one narrows [portal.usage.{field.list.service,field.list.agreement,field.list.recordType,field.list.serviceItem,service-missing,agreement-missing,record-type-missing,service-item-missing}]', async () => {
    const empty = { agreement: '', service: '', recordType: '', serviceItem: '', number: '' };
    expect((await page({ ...both, ...empty })).totalCount).toBe(4);
    expect((await page({ ...both, service: '1' })).totalCount).toBe(4);
    const [, second = ''] = mine().serviceItems;
    const counts = await Promise.all(
      [
        { agreement: mine().agreements[1] ?? '' },
        { service: mine().services[1] ?? '' },
        { recordType: mine().recordTypes[0] },
        { serviceItem: second },
        { number: '+442' },
        { number: '+44', agreement: mine().agreements[0] },
      ].map(async (filter) => (await page({ ...both, ...filter })).totalCount),
    );
    expect(counts).toEqual([1, 1, 3, 1, 1, 3]);
  });

  it('sorts by the fields of a record, in both directions [portal.usage.field.list.order, portal.usage.field.list.orderDirection, decisions.2.order-fields]', async () => {
    const prices = async (orderDirection: string) =>
      (await page({ ...both, order: 'price', orderDirection })).endUsageDetails.map(
        ({ price }: { price: number | null }) => price,
      );
    expect(await prices('asc')).toEqual([null, 0.000001, 0.1, 0.2]);
    expect(await prices('desc')).toEqual([0.2, 0.1, 0.000001, null]);
  });

  it.each([
    ['no dates', {}, 'usage.badRange'],
    ['no end', { dateFrom: '2026-01-01' }, 'usage.badRange'],
    ['reversed dates', { dateFrom: '2026-02-02', dateTo: '2026-02-01' }, 'usage.badRange'],
    ['no date', { dateFrom: '2026-02-30', dateTo: '2026-03-01' }, 'request.invalid'],
    ['page 0', { ...february, pageNumber: '0' }, 'request.invalid'],
    ['page size 0', { ...february, pageSize: '0' }, 'request.invalid'],
    ['page size 10^6', { ...february, pageSize: '1000000' }, 'request.invalid'],
    ['page 10^10', { ...february, pageNumber: '10000000000' }, 'request.invalid'],
    ['an unknown order', { ...february, order: 'started_at' }, 'request.invalid'],
    ['an unknown direction', { ...february, orderDirection: 'up' }, 'request.invalid'],
    ['an id that is none', { ...february, agreement: 'x' }, 'request.invalid'],
  ])(
    '%s: 400 [portal.usage.date-range-required, decisions.error.2.reversed-dates]',
    async (_what, query: Query, code) => {
      const answer = await get(query);
      expect([answer.statusCode, answer.json().code]).toEqual([400, code]);
    },
  );

  it.each(['0000', '0001', '9999'])('takes year %s', async (year) => {
    const far = { dateFrom: `${year}-01-01`, dateTo: '9999-12-31' };
    for (const order of ['date', 'price', 'costCentre', 'recordType'])
      expect((await page({ ...far, order })).totalCount).toBe(year === '9999' ? 0 : 4);
    expect((await get(far, 'usage/summary')).json().data.records).toBe(year === '9999' ? 0 : 4);
    const early = { dateFrom: '0000-01-01', dateTo: `${year}-01-01` };
    expect((await page(early)).totalCount).toBe(year === '9999' ? 4 : 0);
  });

  it('ids of another customer are answered as unknown ones are', async () => {
    const cases = [
      ['agreement', theirs().agreements[0], 'agreement.notFound'],
      ['service', theirs().services[0], 'service.notFound'],
      ['recordType', theirs().recordTypes[0], 'recordType.notFound'],
      ['serviceItem', theirs().serviceItems[0], 'serviceItem.notFound'],
    ] as const;
    for (const [name, id, code] of cases)
      for (const value of [id, '00000000-0000-7000-8000-000000000000'])
        for (const call of ['usage', 'usage/summary']) {
          const answer = await get({ ...both, [name]: value }, call);
          expect([answer.statusCode, answer.json().code]).toEqual([404, code]);
        }
    const line = await get({ invoiceLine: theirs().serviceItems[0] });
    expect([line.statusCode, line.json().code]).toEqual([404, 'invoice.notFound']);
  });

  it('shows nothing of anybody else, whatever is asked', async () => {
    const { body } = await get({ ...both, number: 'somebody' });
    expect(body).not.toContain('somebody else');
    expect((await get(both)).body).not.toContain('somebody else');
  });
});

describe('GET /v1/ec/usage/summary', () => {
  it('sums exactly, in all and by day', async () => {
    expect((await get(both, 'usage/summary')).json().data).toEqual({
      records: 4,
      units: 121.500001,
      price: 0.300001,
      archived: null,
      byUnit: [
        { unit: 'second', records: 3, units: 61.500001, price: 0.200001 },
        { unit: 'message', records: 1, units: 60, price: 0.1 },
      ],
      days: [
        { day: '2026-01-31', records: 1, units: 1.5, price: 0 },
        { day: '2026-02-01', records: 2, units: 60.000001, price: 0.3 },
        { day: '2026-02-28', records: 1, units: 60, price: 0.000001 },
      ],
    });
  });

  it.each([
    ['types counted alike', () => ({ recordType: mine().recordTypes[0] }), ['3 second 61.500001']],
    ['a line', () => ({ serviceItem: mine().serviceItems[0] }), ['3 second 61.500001']],
    ['a number, of several types', () => ({ number: '+44' }), ['3 second 61.500001', '1 message 60']],
  ])('never adds units of one kind to those of another: %s', async (_what, filter, expected) => {
    const { data } = (await get({ ...both, ...filter() }, 'usage/summary')).json();
    type Sum = { unit: string | null; records: number; units: number };
    expect(data.byUnit.map((sum: Sum) => `${sum.records} ${sum.unit} ${sum.units}`)).toEqual(expected);
  });

  it.each([
    ['agreement', () => ({ agreement: mine().agreements[1] ?? '' }), 1, 0.000001],
    ['line', () => ({ serviceItem: mine().serviceItems[0] }), 3, 0.200001],
    ['number', () => ({ number: '+442' }), 1, 0.2],
    [
      'type and line',
      () => ({ serviceItem: mine().serviceItems[0], recordType: mine().recordTypes[1] ?? '' }),
      0,
      0,
    ],
  ])('takes the filters of the pages: %s', async (_what, filter, records, price) => {
    const { data } = (await get({ ...both, ...filter() }, 'usage/summary')).json();
    expect([data.records, data.price]).toEqual([records, price]);
  });
});

describe('archived months', () => {
  const archive = (state: string) =>
    fixture.database.pool().query("update usage_month set state = $1 where month = '2026-01-01'", [state]);

  it('are in no page and no total, and what they came to stands beside the sums', async () => {
    expect(await dates(both)).toHaveLength(4);
    await archive('archived');
    try {
      for (const order of ['date', 'price', 'serviceItemName', 'recordType']) {
        const { endUsageDetails, totalCount } = await page({ ...both, order });
        expect([endUsageDetails.length, totalCount]).toEqual([3, 3]);
      }
      for (const filter of [
        {},
        { serviceItem: mine().serviceItems[0] },
        { recordType: mine().recordTypes[0] },
      ]) {
        const { data } = (await get({ ...both, ...filter }, 'usage/summary')).json();
        expect(data.archived).toEqual({ records: 1, units: 1.5, price: 0 });
        expect(data.days[0].day).toBe('2026-02-01');
      }
    } finally {
      await archive('open');
    }
    expect(await dates(both)).toHaveLength(4);
  });
});

describe('a line that is edited', () => {
  it('is shown and sorted as it is now, at once', async () => {
    const [, second = ''] = mine().serviceItems;
    const order = async () =>
      (await page({ ...both, order: 'costCentre' })).endUsageDetails.map(
        ({ costCentre }: { costCentre: string | null }) => costCentre,
      );
    expect(await order()).toEqual(['CC 1', null, null, null]);
    const change = { description: 'Reception', costCentre: 'Aardvark' };
    expect(
      (await me().call('PUT', `/v1/ec/service-items/${mine().serviceItems[0]}`, change)).statusCode,
    ).toBe(200);
    expect(await order()).toEqual(['Aardvark', 'Aardvark', 'Aardvark', 'CC 1']);
    await me().call('PUT', `/v1/ec/service-items/${second}`, { ...change, costCentre: 'AAA' });
    expect(await order()).toEqual(['AAA', 'Aardvark', 'Aardvark', 'Aardvark']);
    const { endUsageDetails } = await page(february);
    expect(endUsageDetails[0].serviceItemDescription).toBe('Reception');
  });
});

describe('what usage can be filtered by', () => {
  it('GET /v1/ec/record-types: the types of the services the customer has items of [portal.usage.field.recordType.*, portal.usage.call.record-types]', async () => {
    const { data } = (await me().get('/v1/ec/record-types')).json();
    expect(data).toHaveLength(5);
    const [id, serviceId] = [mine().recordTypes[1], mine().services[1]];
    expect(data).toContainEqual({ id, serviceId, description: 'mobile', unit: 'message' });
    expect(data.map(({ id }: { id: string }) => id).sort()).toEqual([...mine().recordTypes].sort());
  });

  it('GET /v1/ec/services: with the labels of their columns [portal.usage.field.service.*, portal.usage.call.services]', async () => {
    const { data } = (await me().get('/v1/ec/services')).json();
    expect(data.map(({ id }: { id: string }) => id).sort()).toEqual([...mine().services].sort());
    expect(Object.keys(data[0])).toEqual(
      expect.arrayContaining([
        'id',
        'name',
        'serviceItemLabel',
        'serviceItem2Label',
        'serviceItem3Label',
        'unitsLabel',
        'recordTypeLabel',
      ]),
    );
  });
});
