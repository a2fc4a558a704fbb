import { billingRows } from './billing-rows.ts';
import { MARCH, parseCsv, reportFixture } from './report-fixture.ts';
import { signedIn } from './signed-in.ts';
import type { TestFixture } from './test-fixture.ts';
import { usageRows } from './usage-rows.ts';

type Person = Awaited<ReturnType<typeof signedIn>>;

/** Two services with items of two cost centres, and calls at the edges of March. */
async function withUsage(fixture: TestFixture) {
  const [rows, usage] = [billingRows(fixture), usageRows(fixture)];
  const person = await signedIn(fixture);
  const { id } = person.customer;
  const [voice, data] = [
    await rows.service(person.reseller.id, 'Voice'),
    await rows.service(person.reseller.id, 'Data'),
  ];
  const [call, volume] = [
    await usage.recordType(person.reseller.id, voice, 'Call', 'second'),
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

/** For tests of reports about usage: who has some, and lines of a report of March. */
export function usageReportFixture(fixture: TestFixture) {
  const reports = reportFixture(fixture);
  return {
    withUsage: () => withUsage(fixture),
    /** Lines below the head, cell by cell. */
    report: async (person: Person, id: string, more: object[] = []) =>
      parseCsv(await reports.make(person, id, { parameters: [...MARCH, ...more], exportTypeId: 1 })).slice(1),
  };
}
