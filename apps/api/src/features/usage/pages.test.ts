import { type UsageOrder, usageOrders } from '@counterfoil/contract/usage.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test/bad-input/random.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { plainUsage } from '../../../test/fixtures/usage/plain-usage.ts';
import { smallPaging, useUsageCustomer } from '../../../test/fixtures/usage/usage-customer.ts';
import { mergeUsage, randomUsage } from '../../../test/fixtures/usage/usage-records.ts';
import { keepColumns } from './columns/write.ts';
import { usageRange } from './filter.ts';
import { UsagePages } from './pages/read-page.ts';
import type { PagesQuery } from './pages/state.ts';
import { chooseNext } from './selections/choose.ts';

const fixture = useFixture();
const pages = new UsagePages(smallPaging);
const MONTHS = ['2025-11', '2025-12', '2026-01', '2026-02', '2026-03', '2026-04'];
const all = { dateFrom: '2025-01-01', dateTo: '2026-12-31' };
const part = { dateFrom: '2025-12-09', dateTo: '2026-03-20' };
const month = { dateFrom: '2026-01-01', dateTo: '2026-01-31' };
const { things, scope, reseller } = useUsageCustomer(fixture, 24);

beforeAll(async () => {
  const { id: resellerId, brandId } = reseller();
  const other = await fixture.make.customer({ resellerId, brandId });
  const records = randomUsage(things(), { n: 3_000, months: MONTHS, seed: 7 });
  await mergeUsage(fixture, records.slice(0, 2_000));
  const keep = () => keepColumns(fixture.deps.databases.jobs, { least: 1, numbersApart: 5, again: 0 });
  // Sums of large lines and numbers are kept, and kept up.
  while (await chooseNext(fixture.deps.databases.jobs, 60));
  await mergeUsage(fixture, records.slice(2_000, 2_990));
  await keep();
  // Columns of some months are older than their records.
  await mergeUsage(
    fixture,
    records.slice(2_990).map((one) => ({ ...one, at: one.at.replace(/^\d+-\d+/, '2026-02') })),
  );
  // Somebody else's records, of the same types: none of them may ever count.
  const others = { ...things(), customerId: other.id };
  await mergeUsage(fixture, randomUsage(others, { n: 500, months: MONTHS, seed: 8 }));
  await fixture.database.pool().query('analyze');
});

type Names = Pick<PagesQuery, 'agreement' | 'service' | 'recordType' | 'serviceItem' | 'number'>;

/** Every kind of filter, alone and with others. */
const filters: Readonly<Record<string, () => Names>> = {
  none: () => ({}),
  agreement: () => ({ agreement: things().agreements[1] ?? '' }),
  service: () => ({ service: things().services[0] }),
  'record type': () => ({ recordType: things().recordTypes[1] ?? '' }),
  'rare record type': () => ({ recordType: things().recordTypes[4] ?? '' }),
  'busy line': () => ({ serviceItem: things().serviceItems[0] }),
  'quiet line': () => ({ serviceItem: things().serviceItems[9] ?? '' }),
  'number +44_': () => ({ number: '+44_' }),
  'number +44': () => ({ number: '+44' }),
  'number %': () => ({ number: '%' }),
  'number nobody called': () => ({ number: '+9' }),
  'agreement and service': () => ({ agreement: things().agreements[0], service: things().services[1] ?? '' }),
  'line and type': () => ({ serviceItem: things().serviceItems[0], recordType: things().recordTypes[0] }),
  'type of another service': () => ({
    service: things().services[0],
    recordType: things().recordTypes[1] ?? '',
  }),
  'line, agreement, number': () => ({
    serviceItem: things().serviceItems[0],
    agreement: things().agreements[0],
    number: '+44',
  }),
};
const ranges = { all, part, month };

describe('any page of any filter and any sort', () => {
  let compared = 0;

  for (const [named, filter] of Object.entries(filters))
    it(`is the page that plain SQL gives: ${named}`, async () => {
      const random = seededRandom(named.length);
      for (const [name, days] of Object.entries(ranges))
        for (const order of usageOrders)
          for (const isDescending of [false, true]) {
            const query = { ...filter(), order, isDescending };
            const plain = await plainUsage(fixture.database.pool(), {
              customerId: things().customerId,
              ...days,
              ...query,
            });
            const size = random.pick([10, 25, 100]);
            const n = plain.ids.length;
            const lastPage = Math.max(0, Math.ceil(n / size) - 1);
            const numbers = [0, lastPage, random.integer(lastPage + 1), random.oneIn(9) ? lastPage + 1 : 0];
            for (const number of new Set(numbers)) {
              const offset = number * size;
              const range = usageRange(days.dateFrom, days.dateTo);
              const page = await pages.read(fixture.deps.databases.web, scope(), {
                ...query,
                range,
                offset,
                size,
              });
              const said = `${named}, ${name}, ${order} ${isDescending ? 'desc' : 'asc'}, from ${offset} of ${n}`;
              expect(page.totalCount, said).toBe(n);
              expect(
                page.endUsageDetails.map(({ id }) => id),
                said,
              ).toEqual(plain.ids.slice(offset, offset + size));
              compared += 1;
            }
          }
    }, 240_000);

  it('was compared often enough, and with samples', async () => {
    process.stdout.write(`pages compared with plain SQL: ${compared}\n`);
    expect(compared).toBeGreaterThan(1_500);
    const { rows } = await fixture.database
      .pool()
      .query(
        'select sort, count(*)::int as months, sum(cardinality(keys))::int as samples from usage_sample group by 1 order by 1',
      );
    expect(rows.map(({ sort }) => sort)).toEqual([
      'price',
      'serviceItem2',
      'serviceItem3',
      'units',
    ] satisfies UsageOrder[]);
    for (const { months, samples } of rows) expect(samples).toBeGreaterThan(months);
  });
});
