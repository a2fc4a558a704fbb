import { expect, it } from 'vitest';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { usageReportFixture } from '../../../../test/fixtures/usage/usage-report-fixture.ts';

const fixture = useFixture();
const { withUsage, report } = usageReportFixture(fixture);

it('usage by service item: by type of record, exact, days in UTC, prices of those that have one', async () => {
  const person = await withUsage();
  expect(await report(person, 'usage-by-service-item')).toEqual([
    ['Data', 'SIM', '', 'Sales', '', 'Volume', '1', '1048576.000000', '0.500000', 'USD', ''],
    ['Voice', 'Desk', 'Front', 'Sales', '', 'Call', '2', '90.500000', '0.123400', 'USD', 'second'],
    ['Voice', 'Shop', '', '', '', 'Call', '2', '17.000000', '5.000000', 'USD', 'second'],
  ]);
  const ofVoice = await report(person, 'usage-by-service-item', [{ name: 'ServiceId', value: person.voice }]);
  expect(ofVoice.map(([, item]) => item)).toEqual(['Desk', 'Shop']);
});

it('shows nothing of another customer', async () => {
  await withUsage();
  expect(await report(await signedIn(fixture), 'usage-by-service-item')).toEqual([]);
});
