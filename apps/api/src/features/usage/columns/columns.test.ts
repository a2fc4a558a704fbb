import { beforeAll, describe, expect, it } from 'vitest';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { useUsageCustomer } from '../../../../test/fixtures/usage/usage-customer.ts';
import { mergeUsage, randomUsage } from '../../../../test/fixtures/usage/usage-records.ts';
import { sql } from '../../../db/sql.ts';
import { usageRange } from '../filter.ts';
import { readState } from '../pages/state.ts';
import { usageSummaryOf } from '../service.ts';
import { findColumns } from './find.ts';
import { keepColumns } from './write.ts';

const fixture = useFixture();
const MONTHS = ['2026-01', '2026-02', '2026-03'];
const { things, scope } = useUsageCustomer(fixture, 8);
const db = () => fixture.deps.databases.jobs;
const keep = (again = 0) => keepColumns(db(), { least: 1, numbersApart: 3, again });
const columnsOf = () =>
  db().many<{ month: string; version: bigint; present: bigint }>(sql`
    select c.month, c.version, v.version as present
      from usage_columns c join usage_version v on v.customer_id = c.customer_id and v.month = c.month order by 1`);

beforeAll(async () => {
  await mergeUsage(fixture, randomUsage(things(), { n: 900, months: MONTHS, seed: 5 }));
});

describe('columns of a month', () => {
  it('are made again when its records have changed, not more often than wished', async () => {
    await keep();
    const first = await columnsOf();
    expect(first.map(({ month }) => month)).toEqual(MONTHS.map((month) => `${month}-01`));
    await mergeUsage(fixture, randomUsage(things(), { n: 20, months: ['2026-02'], seed: 6 }));
    await keep(600);
    expect(await columnsOf()).toMatchObject(first.map(({ month, version }) => ({ month, version })));
    await keep();
    for (const { version, present } of await columnsOf()) expect(version).toBe(present);
  });

  it('give the sums of every filter, also where a month has none and others have changed since', async () => {
    await keep();
    await mergeUsage(fixture, randomUsage(things(), { n: 30, months: ['2026-03'], seed: 7 }));
    const numbers = [undefined, '', '+', '+44', '+44_', '%', '\u{1F4DE}', 'Ω', '+9'].filter(
      (one) => one !== '',
    );
    const ranges = [
      { dateFrom: '2026-01-01', dateTo: '2026-03-31' },
      { dateFrom: '2026-01-09', dateTo: '2026-02-11' },
    ];
    let read = 0;
    for (const days of ranges)
      for (const number of numbers)
        for (const serviceItem of [undefined, things().serviceItems[0], things().serviceItems[4]])
          for (const agreement of [undefined, things().agreements[1]])
            for (const recordType of [undefined, things().recordTypes[2]]) {
              const query = { ...days, number, serviceItem, agreement, recordType };
              const { from, until } = usageRange(days.dateFrom, days.dateTo);
              const parts = [
                sql`customer_id = ${things().customerId} and started_at >= ${from} and started_at < ${until}`,
                ...(number === undefined ? [] : [sql`starts_with(service_item2, ${number})`]),
                ...(serviceItem === undefined ? [] : [sql`service_item_id = ${serviceItem}`]),
                ...(agreement === undefined ? [] : [sql`agreement_id = ${agreement}`]),
                ...(recordType === undefined ? [] : [sql`record_type_id = ${recordType}`]),
              ];
              const plain = await db().one<object>(sql`
                select count(*)::int as records, coalesce(sum(units), 0)::float as units, coalesce(sum(price), 0)::float as price
                  from usage_record where ${sql.join(parts, sql` and `)}`);
              expect(await usageSummaryOf({ db: db() }, scope(), query), JSON.stringify(query)).toMatchObject(
                plain,
              );
              const state = await readState(db(), scope(), {
                ...query,
                range: { from, until },
                order: 'date',
              });
              if ((await findColumns(db(), scope(), state, false)) !== undefined) read += 1;
            }
    expect(read).toBeGreaterThan(100);
  });

  it('go with the records', async () => {
    await keep();
    await db().execute(sql`delete from usage_day where day < '2026-02-01'`);
    await db().execute(sql`delete from usage_version where month = '2026-01-01'`);
    await keep();
    expect((await columnsOf()).map(({ month }) => month)).toEqual(['2026-02-01', '2026-03-01']);
    expect(await db().many(sql`select from usage_columns where month = '2026-01-01'`)).toEqual([]);
  });
});
