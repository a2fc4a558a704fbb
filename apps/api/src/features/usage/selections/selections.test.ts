import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../../test/bad-input/random.ts';
import { useFixture } from '../../../../test/fixtures/test-fixture.ts';
import { useUsageCustomer } from '../../../../test/fixtures/usage/usage-customer.ts';
import {
  importThatUndoes,
  mergeUsage,
  randomUsage,
  type UsageSeed,
  undoUsage,
} from '../../../../test/fixtures/usage/usage-records.ts';
import { countSelections, wrongSums } from '../../../../test/fixtures/usage/usage-selections.ts';
import { sql } from '../../../db/sql.ts';
import { usageSummaryOf } from '../service.ts';
import { chooseNext, LargeBeginnings } from './choose.ts';

const fixture = useFixture();
const MONTHS = ['2026-01', '2026-02', '2026-03'];
const { things, scope, reseller } = useUsageCustomer(fixture, 6);
const db = () => fixture.deps.databases.jobs;
const choose = async () => {
  while (await chooseNext(db(), 30));
};

/** What plain sums of the records say. */
const plain = (where: ReturnType<typeof sql>) =>
  db().one<object>(sql`
    select count(*)::int as records, coalesce(sum(units), 0)::float as units, coalesce(sum(price), 0)::float as price
      from usage_record where customer_id = ${things().customerId} and ${where}`);

describe('sums of selections', () => {
  it('are those of their records after any imports, corrections, withdrawals and choices', async () => {
    const random = seededRandom(11);
    const made: UsageSeed[] = [];
    const files: string[] = [];
    for (let round = 0; round < 12; round += 1) {
      const fresh = randomUsage(things(), { n: 60, months: MONTHS, seed: round }).map((one) => ({
        ...one,
        id: randomUUID(),
      }));
      // A correction changes number, line, type and figures; the time stays, as it is part of the key.
      const corrected = made
        .filter(() => random.oneIn(8))
        .map((one) => ({ ...one, ...fresh[random.integer(fresh.length)], at: one.at, id: one.id ?? '' }));
      const file = await importThatUndoes(fixture, reseller().id);
      await mergeUsage(fixture, [...fresh, ...corrected], file);
      made.push(...fresh);
      files.push(file);
      if (round % 3 === 1) await choose();
      if (round % 4 === 3) await undoUsage(fixture, files[round - 2] ?? '');
      expect(await wrongSums(db()), `round ${round}`).toEqual([]);
    }
    const chosen = await countSelections(db());
    expect(chosen.lines).toBeGreaterThan(2);
    expect(chosen.numbers).toBeGreaterThan(2);
  });

  it('add up to the summary of every beginning and line, and of their types', async () => {
    const numbers = ['+', '+4', '+44', '+441', '+4412', '+9', '%', '_', 'Ω', '\u{1F4DE}'];
    const of = scope();
    const days = { dateFrom: '2026-01-03', dateTo: '2026-03-20' };
    const within = sql`started_at >= '2026-01-03Z' and started_at < '2026-03-21Z'`;
    const types = [undefined, ...things().recordTypes];
    for (const recordType of types) {
      const ofType = recordType === undefined ? sql`true` : sql`record_type_id = ${recordType}`;
      const query = { ...days, ...(recordType && { recordType }) };
      for (const number of numbers)
        expect(
          await usageSummaryOf({ db: db() }, of, { ...query, number }),
          `${number} ${recordType}`,
        ).toMatchObject(await plain(sql`${within} and ${ofType} and starts_with(service_item2, ${number})`));
      for (const serviceItem of things().serviceItems)
        for (const agreement of [undefined, things().agreements[0]])
          expect(
            await usageSummaryOf({ db: db() }, of, {
              ...query,
              serviceItem,
              ...(agreement && { agreement }),
            }),
          ).toMatchObject(
            await plain(sql`${within} and ${ofType} and service_item_id = ${serviceItem}
              and ${agreement === undefined ? sql`true` : sql`agreement_id = ${agreement}`}`),
          );
    }
  });

  it('wait for a choice that is under way, whichever of the two comes first', async () => {
    const record = randomUsage(things(), { n: 200, months: MONTHS, seed: 99 });
    await fixture.database.pool().query('update usage_customer set chosen_n = 0');
    await fixture.database.pool().query('delete from usage_selection_day; delete from usage_selection');
    await Promise.all([
      mergeUsage(fixture, record.slice(0, 100)),
      choose(),
      mergeUsage(fixture, record.slice(100)),
      choose(),
    ]);
    expect(await wrongSums(db())).toEqual([]);
  });
});

describe('beginnings that many numbers share', () => {
  const chosen = (numbers: Readonly<Record<string, number>>, least: number) => {
    const tree = new LargeBeginnings(least);
    for (const [number, n] of Object.entries(numbers)) tree.add(number, n);
    return tree.end();
  };

  it.each<[string, Readonly<Record<string, number>>, readonly string[]]>([
    ['none of few records', { '+1': 4, '+2': 5 }, []],
    ['the longest that holds enough, not those it begins with', { '+4411': 6, '+4412': 6 }, ['+441']],
    ['a number of its own', { '+4411': 12, '+4412': 1 }, ['+4411']],
    ['what two chosen ones begin with', { '+11': 10, '+22': 10 }, ['+11', '+22', '+']],
    ['letters whole', { '\u{1F4DE}1': 5, '\u{1F4DE}2': 5 }, ['\u{1F4DE}']],
    ['a number that others begin with', { '+4': 10, '+41': 1 }, ['+4']],
  ])('%s', (_, numbers, expected) => {
    expect(chosen(numbers, 10)).toEqual(expected);
  });
});
