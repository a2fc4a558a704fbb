import { expect, it } from 'vitest';
import { dates, MARCH } from '../../../test/fixtures/report-fixture.ts';
import { signedIn } from '../../../test/fixtures/signed-in.ts';
import { useFixture } from '../../../test/fixtures/test-fixture.ts';
import { usageReportFixture } from '../../../test/fixtures/usage/usage-report-fixture.ts';
import { allReports } from './definitions/all.ts';

const fixture = useFixture();
const { withUsage } = usageReportFixture(fixture);

it('a report made of single records is refused where some of them are archived, and for nobody else', async () => {
  const person = await withUsage();
  const other = await signedIn(fixture);
  const change = (text: string, values: unknown[] = []) => fixture.database.pool().query(text, values);
  await change("insert into usage_version (customer_id, month, version) values ($1, '2026-03-01', 1)", [
    person.customer.id,
  ]);
  const ask = async (who: typeof other, id: string, parameters = MARCH) => {
    const answer = await who.call('POST', '/v1/ec/reports', { id, parameters });
    // Only a few of a customer's may wait at once.
    await change('delete from report_job');
    return answer.json().code ?? answer.statusCode;
  };
  expect(await ask(person, 'top-destinations')).toBe(200);
  await change("update usage_month set state = 'archived' where month = '2026-03-01'");
  const codes = await Promise.all(
    ['top-destinations', 'usage-by-service-item', 'usage-by-cost-centre'].map((id) => ask(person, id)),
  );
  expect(codes).toEqual(['report.archived', 'report.archived', 'report.archived']);
  expect(await ask(person, 'top-destinations', dates('02.15.2026', '03.01.2026'))).toBe('report.archived');
  expect(await ask(person, 'top-destinations', dates('04.01.2026', '04.30.2026'))).toBe(200);
  expect(await ask(person, 'top-destinations', dates('02.01.2026', '02.28.2026'))).toBe(200);
  expect(await ask(person, 'invoice-details')).toBe(200);
  expect(await ask(other, 'top-destinations')).toBe(200);
  await change("update usage_month set state = 'open'");
});

it('every report that reads usage records says so', () => {
  const reading = allReports.filter((report) => `${report.run}`.includes('usage_record'));
  expect(reading.length).toBeGreaterThan(0);
  expect(allReports.filter((report) => report.readsRecords)).toEqual(reading);
});
