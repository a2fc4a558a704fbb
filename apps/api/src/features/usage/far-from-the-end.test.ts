import { expect, it } from 'vitest';
import { watchStatements } from '../../../test/access-matrix/mutants.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { smallPaging, useUsageCustomer } from '../../../test/fixtures/usage/usage-customer.ts';
import { mergeUsage, randomUsage } from '../../../test/fixtures/usage/usage-records.ts';
import { keepColumns } from './columns/write.ts';
import { usageRange } from './filter.ts';
import { UsagePages } from './pages/read-page.ts';

const fixture = useFixture();
/** So few of all that they are not walked through either. */
const CHEAP = 100;
const DEAR = 500;
const { things, scope } = useUsageCustomer(fixture, 4);

it('the end of an order is not walked from where the records of a filter lie far behind others', async () => {
  const [cheap = '', dear = ''] = things().recordTypes;
  const made = randomUsage(things(), { n: CHEAP + DEAR, months: ['2026-01', '2026-02'], seed: 3 });
  await mergeUsage(
    fixture,
    made.map((one, n) =>
      n < CHEAP
        ? { ...one, recordTypeId: cheap, price: `0.${String(n + 100)}` }
        : { ...one, recordTypeId: dear, price: `9.${String(n + 100)}` },
    ),
  );
  await keepColumns(fixture.deps.databases.jobs, { least: 1, numbersApart: 5, again: 0 });
  // A page by columns names the places that it takes.
  const isByColumns = async (isDescending: boolean) => {
    let isTaken = false;
    const see = (text: string) => {
      isTaken ||= text.includes('get_bit(');
    };
    const query = { recordType: cheap, order: 'price', isDescending, offset: 0, size: 10 } as const;
    const range = usageRange('2026-01-01', '2026-02-28');
    const page = await watchStatements(see, () =>
      new UsagePages(smallPaging).read(fixture.deps.databases.web, scope(), { ...query, range }),
    );
    expect([page.totalCount, page.endUsageDetails.length]).toEqual([CHEAP, 10]);
    return isTaken;
  };
  expect({ cheapest: await isByColumns(false), dearest: await isByColumns(true) }).toEqual({
    cheapest: false,
    dearest: true,
  });
});
