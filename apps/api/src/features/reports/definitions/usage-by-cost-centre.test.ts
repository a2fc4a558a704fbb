import { expect, it } from 'vitest';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { usageReportFixture } from '../../../../test/fixtures/usage/usage-report-fixture.ts';

const fixture = useFixture();
const { withUsage, report } = usageReportFixture(fixture);

it('usage by cost centre: the items’ current allocation, services and types apart', async () => {
  const person = await withUsage();
  expect(await report(person, 'usage-by-cost-centre')).toEqual([
    ['Sales', 'Data', 'Volume', '1', '1', '1048576.000000', '0.500000', 'USD', ''],
    ['Sales', 'Voice', 'Call', '1', '2', '90.500000', '0.123400', 'USD', 'second'],
    ['Not allocated', 'Voice', 'Call', '1', '2', '17.000000', '5.000000', 'USD', 'second'],
  ]);
});

it('shows nothing of another customer', async () => {
  await withUsage();
  expect(await report(await signedIn(fixture), 'usage-by-cost-centre')).toEqual([]);
});
