import { expect, it } from 'vitest';
import { signedIn } from '../../../../test/signed-in.ts';
import { useWorld } from '../../../../test/test-world.ts';
import { usageReportWorld } from '../../../../test/usage-report-world.ts';

const world = useWorld();
const { withUsage, report } = usageReportWorld(world);

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
  expect(await report(await signedIn(world), 'usage-by-cost-centre')).toEqual([]);
});
