import { expect, it } from 'vitest';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { usageReportFixture } from '../../../../test/fixtures/usage/usage-report-fixture.ts';

const fixture = useFixture();
const { withUsage, report } = usageReportFixture(fixture);

it('top destinations: the dearest first, those without a price last', async () => {
  const person = await withUsage();
  expect(await report(person, 'top-destinations')).toEqual([
    ['1', 'Italy', 'Voice', 'Call', '1', '10.000000', '5.000000', 'USD', 'second'],
    ['2', 'France', 'Voice', 'Call', '2', '90.500000', '0.123400', 'USD', 'second'],
    ['3', 'Spain', 'Voice', 'Call', '1', '7.000000', '', '', 'second'],
  ]);
});

it('shows nothing of another customer', async () => {
  await withUsage();
  expect(await report(await signedIn(fixture), 'top-destinations')).toEqual([]);
});
