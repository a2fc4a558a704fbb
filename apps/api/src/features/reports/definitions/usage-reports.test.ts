import { expect, it } from 'vitest';
import { billingRows } from '../../../../test/billing-rows.ts';
import { MARCH, parseCsv, reportWorld } from '../../../../test/report-world.ts';
import { signedIn } from '../../../../test/signed-in.ts';
import { useWorld } from '../../../../test/test-world.ts';
import { usageRows } from '../../../../test/usage-rows.ts';

const world = useWorld();
const reports = reportWorld(world);
const rows = billingRows(world);
const usage = usageRows(world);
type Person = Awaited<ReturnType<typeof signedIn>>;

/** Two services with items of two cost centres, and calls at the edges of March. */
async function withUsage() {
  const person = await signedIn(world);
  const { id } = person.customer;
  const [voice, data] = [
    await rows.service(person.reseller.id, 'Voice'),
    await rows.service(person.reseller.id, 'Data'),
  ];
  const [call, volume] = [
    await usage.recordType(person.reseller.id, voice, 'Call'),
    await usage.recordType(person.reseller.id, data, 'Volume'),
  ];
  const desk = await rows.item(id, voice, 'Desk', { description: 'Front', costCentre: 'Sales' });
  const shop = await rows.item(id, voice, 'Shop');
  const sim = await rows.item(id, data, 'SIM', { costCentre: 'Sales' });
  const record = (serviceItemId: string, at: string, more: object = {}) =>
    usage.record(id, { serviceItemId, recordTypeId: serviceItemId === sim ? volume : call, at, ...more });
  await record(desk, '2026-03-01T00:00:00Z', { destination: 'France', units: '60', price: '0.1' });
  await record(desk, '2026-03-31T23:59:59Z', { destination: 'France', units: '30.5', price: '0.0234' });
  await record(shop, '2026-03-10T10:00:00Z', { destination: 'Italy', units: '10', price: '5' });
  await record(shop, '2026-03-11T10:00:00Z', { destination: 'Spain', units: '7', price: null });
  await record(sim, '2026-03-12T10:00:00Z', { units: '1048576', price: '0.5' });
  await record(desk, '2026-02-28T23:59:59Z', { destination: 'Before', price: '9' });
  await record(desk, '2026-04-01T00:00:00Z', { destination: 'After', price: '9' });
  return { ...person, voice };
}

const report = async (person: Person, id: string, more: object[] = []) =>
  parseCsv(await reports.make(person, id, { parameters: [...MARCH, ...more], exportTypeId: 1 })).slice(1);

it('usage by service item: by type of record, exact, days in UTC, prices of those that have one', async () => {
  const person = await withUsage();
  expect(await report(person, 'usage-by-service-item')).toEqual([
    ['Data', 'SIM', '', 'Sales', '', 'Volume', '1', '1048576.000000', '0.500000', 'USD'],
    ['Voice', 'Desk', 'Front', 'Sales', '', 'Call', '2', '90.500000', '0.123400', 'USD'],
    ['Voice', 'Shop', '', '', '', 'Call', '2', '17.000000', '5.000000', 'USD'],
  ]);
  const ofVoice = await report(person, 'usage-by-service-item', [{ name: 'ServiceId', value: person.voice }]);
  expect(ofVoice.map(([, item]) => item)).toEqual(['Desk', 'Shop']);
});

it('usage by cost centre: the items’ current allocation, services and types apart', async () => {
  const person = await withUsage();
  expect(await report(person, 'usage-by-cost-centre')).toEqual([
    ['Sales', 'Data', 'Volume', '1', '1', '1048576.000000', '0.500000', 'USD'],
    ['Sales', 'Voice', 'Call', '1', '2', '90.500000', '0.123400', 'USD'],
    ['Not allocated', 'Voice', 'Call', '1', '2', '17.000000', '5.000000', 'USD'],
  ]);
});

it('top destinations: the dearest first, those without a price last', async () => {
  const person = await withUsage();
  expect(await report(person, 'top-destinations')).toEqual([
    ['1', 'Italy', 'Voice', 'Call', '1', '10.000000', '5.000000', 'USD'],
    ['2', 'France', 'Voice', 'Call', '2', '90.500000', '0.123400', 'USD'],
    ['3', 'Spain', 'Voice', 'Call', '1', '7.000000', '', ''],
  ]);
});

it('shows nothing of another customer', async () => {
  await withUsage();
  const person = await signedIn(world);
  for (const id of ['usage-by-service-item', 'usage-by-cost-centre', 'top-destinations'])
    expect(await report(person, id)).toEqual([]);
});
