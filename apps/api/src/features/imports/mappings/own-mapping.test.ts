import { join } from 'node:path';
import type { UsageMappingText } from '@counterfoil/contract/operator/imports/usage-import.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counts, resellerId, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import { sql } from '../../../db/sql.ts';
import { readMapping, storeMapping } from './find-mapping.ts';

const fixture = useImportFixture();

const mapping: UsageMappingText = {
  name: 'field-day',
  title: 'Sessions of the field network',
  format: 'csv',
  csv: { delimiter: ';' },
  key: ['id'],
  startedAt: { column: 'from', form: 'iso' },
  accountCodes: ['account'],
  serviceItem: ['sim'],
  services: { data: { name: 'Data', serviceItemLabel: 'SIM', unitsLabel: 'Minutes' } },
  kinds: [{ service: 'data', recordType: { column: 'kind' } }],
  serviceItem2: 'place',
  units: { column: 'seconds', scale: '1/60' },
  price: { column: 'cents', scale: '0.01' },
  agreement: 'contract',
};
const head = 'id;from;account;sim;kind;place;seconds;cents;contract\n';
const line = (over: Record<string, string> = {}) => {
  const values = {
    id: 's1',
    from: '2026-03-02T10:00:00+01:00',
    account: '',
    sim: 'SIM 1',
    kind: 'local',
    place: 'Malmö',
  };
  return `${Object.values({ ...values, seconds: '100', cents: '1.5', contract: '', ...over }).join(';')}\n`;
};
const mappingFile = (change: Record<string, unknown> = {}) =>
  fixture.file(JSON.stringify({ ...mapping, ...change }));
const run = async (content: string | Uint8Array, change: Record<string, unknown> = {}, more = {}) =>
  fixture.run([await fixture.file(content)], {
    customer: fixture.customerId,
    mapping: await mappingFile(change),
    ...more,
  });
const one = () =>
  fixture.db.one(sql`select started_at, service_item2 as place, units, price from usage_record`);
const recounted = async () => {
  const recount = (key: ReturnType<typeof sql.raw>) =>
    sql`select ${key}, count(*)::int, sum(units), sum(price) from usage_record group by 1, 2`;
  const day = recount(sql.raw("customer_id, (started_at at time zone 'UTC')::date"));
  return fixture.db.one(sql`
    select count(*)::int as n from ((select customer_id, day, n, units, price from usage_day where n <> 0 except ${day})
      union all (${day} except select customer_id, day, n, units, price from usage_day)) d`);
};

describe('a mapping of one’s own', () => {
  it('reads delimiter, offsets, exact scales and prices', async () => {
    expect(counts(await run(head + line()))).toEqual([[1, 0, 0, 0]]);
    expect(await one()).toEqual({
      started_at: new Date('2026-03-02T09:00:00Z'),
      place: 'Malmö',
      units: '1.666667',
      price: '0.015000',
    });
  });

  it('is stored for the reseller and found by name, before a ready one', async () => {
    const read = readMapping(mapping, 'it');
    if (typeof read === 'string') throw new Error(read);
    await fixture.db.transaction((tx) => storeMapping(tx, resellerId, read, new Date()));
    const path = await fixture.file(head + line());
    expect(counts(await fixture.run([path], { customer: fixture.customerId, mapping: 'field-day' }))).toEqual(
      [[1, 0, 0, 0]],
    );
    await fixture.query('truncate usage_mapping');
    await expect(fixture.run([path], { mapping: 'field-day' })).rejects.toThrow(
      "there is no mapping 'field-day'",
    );
  });

  it.each([
    [
      { startedAt: { column: 'began', form: 'iso' } },
      "mapping 'field-day' names column 'began', which line 1 of the file does not have",
    ],
    [
      { price: { column: 'öre' } },
      "mapping 'field-day' names column 'öre', which line 1 of the file does not have",
    ],
  ])('says which column the file does not have, and takes nothing: %j', async (change, reason) => {
    const report = await run(head + line(), change);
    expect(counts(report)).toEqual([[0, 0, 0, 1]]);
    expect(report.quarantine).toMatchObject([{ line: 1, reason }]);
    expect(await fixture.db.many(sql`select state from import_file`)).toEqual([{ state: 'failed' }]);
  });

  it.each([
    [{ units: { column: 'seconds', scale: 'x' } }, /units\.scale/],
    [{ colour: 'red' }, /is no mapping/],
    [{ lifelongKey: true, key: undefined }, /'lifelongKey' needs 'key'/],
    [
      { kinds: [{ service: 'voice', recordType: { column: 'kind' } }] },
      /each kind's service stands in 'services'/,
    ],
    [{ startedAt: { column: 'from', form: 'iso', zone: 'Mars/Base' } }, /'Mars\/Base' is no time zone/],
  ])('refuses one that is none, by name: %j', async (change, reason) => {
    await expect(run(head + line(), change)).rejects.toThrow(reason);
    await expect(fixture.run([], { mapping: join(fixture.folder, 'none.json') })).rejects.toThrow(
      /there is no mapping/,
    );
  });

  it('quarantines what a row cannot be, one by one', async () => {
    const bad = [
      { from: 'noon' },
      { seconds: '1e3' },
      { cents: '1,5' },
      { contract: 'C-9' },
      { kind: '' },
      { id: '' },
    ];
    const report = await run(
      [head, ...bad.map((over, n) => line({ id: `b${n}`, ...over })), line(), 's9;2026'].join(''),
    );
    expect(counts(report)).toEqual([[1, 0, 0, 7]]);
    expect(report.quarantine.map((entry) => entry.reason)).toEqual([
      "column 2 (from): 'noon' is not an ISO date and time",
      expect.stringMatching(/^column 7 \(seconds\): '1e3' is not a plain decimal/),
      expect.stringMatching(/^column 8 \(cents\)/),
      "the customer has no agreement 'C-9'",
      expect.stringMatching(/^column 5 \(kind\): is empty/),
      'column 1 (id): is empty, and nothing else names the record',
      '2 columns instead of 9; the file seems cut off',
    ]);
  });

  it('reads UTF-16 with its mark and Latin-1 where it is declared; other bytes are refused line by line', async () => {
    expect(counts(await run(Buffer.from(`\ufeff${head}${line()}`, 'utf16le')))).toEqual([[1, 0, 0, 0]]);
    const latin = Buffer.from(head + line({ id: 's2', place: 'Åre' }), 'latin1');
    expect(counts(await run(latin, { encoding: 'latin-1' }))).toEqual([[1, 0, 0, 0]]);
    const report = await run(latin);
    expect(report.quarantine.map((entry) => entry.reason)).toEqual([
      'column 6 (place): the bytes are not valid UTF-8',
    ]);
    const places = await fixture.db.many(sql`select service_item2 as place from usage_record order by 1`);
    expect(places).toEqual([{ place: 'Malmö' }, { place: 'Åre' }]);
  });

  it('warns of a last line without a line end, which it takes', async () => {
    const report = await run((head + line()).trimEnd());
    expect(counts(report)).toEqual([[1, 0, 0, 0]]);
    expect(report.files[0]?.warnings).toEqual([expect.stringMatching(/^the last line has no line end/)]);
  });

  it('moves a record in time where the source may, with its figures and its bill', async () => {
    const change = { lifelongKey: true };
    await run(head + line() + line({ id: 's2' }), change);
    await fixture.query(
      "insert into usage_billed select customer_id, started_at, id, gen_random_uuid() from usage_record where service_item2 <> ''",
    );
    const later = line({ from: '2026-04-01T00:10:00+02:00', seconds: '120' });
    expect(counts(await run(head + later, change))).toEqual([[0, 1, 0, 0]]);
    expect(counts(await run(head + later, change))).toEqual([[0, 0, 1, 0]]);
    expect(await fixture.db.one(sql`select count(*)::int as n from usage_record`)).toEqual({ n: 2 });
    expect(
      await fixture.db.one(
        sql`select count(*)::int as n from usage_billed b join usage_record r using (customer_id, started_at, id)`,
      ),
    ).toEqual({ n: 2 });
    expect(await recounted()).toEqual({ n: 0 });
    await fixture.query("update usage_month set state = 'closed' where month = '2026-03-01'");
    const report = await run(
      head +
        line({ id: 's2', from: '2026-03-30T10:00:00Z' }) +
        line({ id: 's2', from: '2026-04-01T01:00:00Z' }),
      change,
    );
    expect(report.quarantine.map((entry) => entry.reason)).toEqual([
      'month closed: 2026-03 takes no more records',
    ]);
    expect(await fixture.db.one(sql`select count(*)::int as n from usage_record`)).toEqual({ n: 2 });
    await fixture.query("update usage_month set state = 'open'");
  });
});

describe('what units are', () => {
  const units = { column: 'seconds', scale: '1/60' };
  const types = () =>
    fixture.db.many(sql`
      select t.code, t.unit, count(r.id)::int as n from record_type t
        left join usage_record r on r.record_type_id = t.id group by 1, 2 order by 1`);

  it.each([
    ['the mapping says it', { units: { ...units, unit: 'minute' } }, 'minute'],
    ['a column says it', { units: { ...units, unit: { column: 'place' } } }, 'gigabyte'],
    ['whole seconds say it', { units: { column: 'seconds', form: 'seconds' } }, 'second'],
    ['seconds that are scaled do not', { units: { ...units, form: 'seconds' } }, null],
    ['nothing says it', {}, null],
    [
      'a kind that scales by itself says it itself',
      {
        units: { ...units, unit: 'minute' },
        kinds: [{ service: 'data', recordType: { column: 'kind' }, scale: '1' }],
      },
      null,
    ],
  ])('%s', async (_what, change, unit) => {
    expect(counts(await run(head + line({ place: 'GB' }), change))).toEqual([[1, 0, 0, 0]]);
    expect(await types()).toEqual([{ code: 'local', unit, n: 1 }]);
  });

  it('is said once for a record type; rows counted in something else wait in quarantine', async () => {
    const said = (unit: string) => ({ units: { ...units, unit } });
    await run(head + line());
    await run(head + line({ id: 's2' }), said('minute'));
    expect(await types()).toEqual([{ code: 'local', unit: 'minute', n: 2 }]);
    const report = await run(head + line({ id: 's3' }) + line({ id: 's4', kind: 'far' }), said('second'));
    expect(report.quarantine).toMatchObject([
      { line: 2, reason: expect.stringContaining("'local' is counted in minutes, this row in seconds") },
    ]);
    expect(await types()).toEqual([
      { code: 'far', unit: 'second', n: 1 },
      { code: 'local', unit: 'minute', n: 2 },
    ]);
  });
});

describe('whatever the order of overlapping files', () => {
  /** Keyed and keyless rows alike: the same rows come out, and the sums are those of a recount. */
  it.each([{ key: ['id'] }, { key: undefined }])('the end is the same: %j', async (change) => {
    const lines = Array.from({ length: 30 }, (_, n) =>
      // Every third row of a file without keys stands twice.
      line(change.key === undefined ? { id: `${n - (n % 3)}` } : { id: `${n}`, seconds: `${n}` }),
    );
    const state = () => fixture.db.many(sql`select started_at, id, units from usage_record order by id`);
    const clear = () =>
      fixture.query(
        'truncate usage_record, usage_day, usage_type_day, usage_item_month, import_file cascade',
      );
    await run(head + lines.join(''), change);
    const whole = await state();
    expect(whole).toHaveLength(30);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 3 }),
        fc.boolean(),
        async (cuts, isLast) => {
          await clear();
          // Beginnings and ends of the whole file: what stands twice stays countable from where each file starts.
          const parts = cuts.map(([a, b]) =>
            change.key === undefined
              ? lines.slice(0, Math.max(a, b))
              : lines.slice(Math.min(a, b), Math.max(a, b)),
          );
          for (const part of isLast ? [...parts, lines] : [lines, ...parts])
            await run(head + part.join(''), change);
          expect(await state()).toEqual(whole);
          expect(await recounted()).toEqual({ n: 0 });
        },
      ),
      { numRuns: 6, seed: 4 },
    );
  });
});
