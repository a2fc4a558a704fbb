import { expect, it } from 'vitest';
import { dates, parseCsv, reportFixture } from '../../../../test/fixtures/report-fixture.ts';
import { signedIn } from '../../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';

const fixture = useFixture();
const reports = reportFixture(fixture);
type Person = Awaited<ReturnType<typeof signedIn>>;

const report = async (person: Person, parameters: object[] = []) =>
  parseCsv(await reports.make(person, 'monthly-comparison', { parameters, exportTypeId: 1 })).slice(1);

it('has a row per month and currency with the change from the month before; void invoices are left out', async () => {
  const person = await signedIn(fixture);
  const bill = (issuedOn: string, subtotalMinor: bigint, over: object = {}) =>
    fixture.seedPayable(person.customer, { issuedOn, subtotalMinor, taxMinor: 100n, ...over });
  await bill('2026-01-31', 1_000n);
  const second = await bill('2026-02-01', 2_000n);
  await bill('2026-02-28', 500n);
  await bill('2026-02-10', 700n, { currency: 'EUR' });
  await bill('2026-02-11', -600n, { kind: 'creditNote', taxMinor: 0n });
  await bill('2026-02-12', 9_999n, { status: 13 });
  await bill('2026-04-01', 100n);
  await fixture.database
    .pool()
    .query('update invoice set paid_minor = 1500, reversed_minor = 200 where id = $1', [second.id]);
  expect(await report(person)).toEqual([
    ['2026-01', 'USD', '1', '0', '10.00', '1.00', '11.00', '', '0.00'],
    ['2026-02', 'EUR', '1', '0', '7.00', '1.00', '8.00', '', '0.00'],
    ['2026-02', 'USD', '2', '1', '19.00', '2.00', '21.00', '10.00', '13.00'],
    ['2026-04', 'USD', '1', '0', '1.00', '1.00', '2.00', '', '0.00'],
  ]);
  expect((await report(person, dates('02.02.2026', '02.10.2026'))).map(([month]) => month)).toEqual([
    '2026-02',
  ]);
  expect(await report(await signedIn(fixture))).toEqual([]);
});
