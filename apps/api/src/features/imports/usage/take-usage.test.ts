import { describe, expect, it } from 'vitest';
import { counts, useImportFixture } from '../../../../test/fixtures/import-fixture.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { sampleCall } from '../invoices/sample-documents.ts';
import { createIncoming, incomingColumns, type MergeCounts, mergeIncoming } from './merge.ts';

const fixture = useImportFixture();

describe('call records', () => {
  const totals = () =>
    fixture.db.one(
      sql`select coalesce(sum(n), 0)::int as n, coalesce(sum(units), 0)::text as units from usage_day`,
    );
  const recount = () =>
    fixture.db.one(sql`select count(*)::int as n, coalesce(sum(units), 0)::text as units from usage_record`);

  /** Merges the records of a minute, corrected, and all others as they are. */
  async function correct(tx: Tx, moreUnits: number): Promise<MergeCounts> {
    await createIncoming(tx);
    await tx.execute(sql`
      insert into usage_incoming (${incomingColumns}, line)
      select customer_id, started_at, id, agreement_id, record_type_id, service_item_id, service_item2, service_item3,
             units + ${moreUnits}::int, price, has_price,
             case when units = 60 then content_hash + ${moreUnits}::int else content_hash end, 1
        from usage_record`);
    return mergeIncoming(tx);
  }

  it('takes them once, repeats included, and keeps the rollups exact [decisions.5.cdr-identity, decisions.5.cdr-option]', async () => {
    const call = sampleCall();
    const path = await fixture.file(call + call + sampleCall({ billsec: '30' }));
    expect(counts(await fixture.run([path], { customer: fixture.customerId }))).toEqual([[3, 0, 0, 0]]);
    expect(counts(await fixture.run([path], { customer: fixture.customerId }))).toEqual([[0, 0, 3, 0]]);
    expect(await totals()).toEqual({ n: 3, units: '150.000000' });
    expect(await recount()).toEqual({ n: 3, units: '150.000000' });
    const [record] = await fixture.db.many(
      sql`select has_price, price, service_item2, service_item3 from usage_record limit 1`,
    );
    expect(record).toEqual({
      has_price: false,
      price: '0.000000',
      service_item2: '555-0199',
      service_item3: 'outbound',
    });
  });

  it('an exchange gives no price, so that none is stored [decisions.5.not-rated, decisions.5.no-price-sums]', async () => {
    await fixture.run([await fixture.file(sampleCall())], { customer: fixture.customerId });
    expect(await fixture.db.one(sql`select has_price, price from usage_record`)).toEqual({
      has_price: false,
      price: '0.000000',
    });
    expect(await fixture.db.one(sql`select price from usage_day`)).toEqual({ price: '0.000000' });
  });

  it('corrects a record whose content changed, in the rollups too', async () => {
    await fixture.run([await fixture.file(sampleCall({ billsec: '60' }) + sampleCall({ billsec: '61' }))], {
      customer: fixture.customerId,
    });
    await fixture.db.transaction(async (tx) => {
      expect(await correct(tx, 9)).toMatchObject({ created: 0, updated: 1, unchanged: 1 });
    });
    expect(await recount()).toEqual({ n: 2, units: '130.000000' });
    expect(await totals()).toEqual({ n: 2, units: '130.000000' });
  });

  it('two corrections of a record at once: the second takes from the sums what the first has left', async () => {
    await fixture.run([await fixture.file(sampleCall({ billsec: '60' }))], { customer: fixture.customerId });
    const second = Promise.withResolvers<unknown>();
    await fixture.db.transaction(async (first) => {
      await correct(first, 9);
      second.resolve(fixture.db.transaction((tx) => correct(tx, 40)));
      await expect
        .poll(() =>
          fixture.db.many(sql`select 1 from pg_stat_activity where wait_event_type = 'Lock'
                                           and datname = current_database()`),
        )
        .toHaveLength(1);
    });
    expect(await second.promise).toMatchObject({ created: 0, updated: 1, unchanged: 0 });
    expect(await recount()).toEqual({ n: 1, units: '100.000000' });
    expect(await totals()).toEqual({ n: 1, units: '100.000000' });
  });

  it('an overlapping file adds only what is new', async () => {
    const calls = ['10', '20', '30', '40'].map((billsec) => sampleCall({ billsec }));
    await fixture.run([await fixture.file(calls.slice(0, 3).join(''))], { customer: fixture.customerId });
    const report = await fixture.run([await fixture.file(calls.slice(1).join(''))], {
      customer: fixture.customerId,
    });
    expect(counts(report)).toEqual([[1, 0, 2, 0]]);
  });

  it('finds whose they are by account code, line called from, line called [decisions.5.cdr-account, decisions.5.cdr-line, decisions.5.error.cdr-nobody]', async () => {
    const pier = await fixture.addCustomer('Pier Café', { accountCode: 'PIER' });
    const item = await fixture.addServiceItem('555-0100');
    const report = await fixture.run([
      await fixture.file(
        sampleCall({ accountCode: 'PIER' }) +
          sampleCall({ source: '555-0100' }) +
          sampleCall({ source: '555-0999', destination: '555-0100' }) +
          sampleCall({ source: '555-0001', destination: '555-0002' }),
      ),
    ]);
    expect(counts(report)).toEqual([[3, 0, 0, 1]]);
    expect(report.quarantine).toMatchObject([
      { line: 4, reason: "nobody is known by line '555-0001' or line '555-0002'" },
    ]);
    const rows = await fixture.db.many(sql`
      select customer_id, count(*)::int as n, bool_and(service_item_id = ${item}) as own from usage_record group by 1 order by n`);
    expect(rows).toEqual([
      { customer_id: pier, n: 1, own: false },
      { customer_id: fixture.customerId, n: 2, own: true },
    ]);
  });

  it('reads wall-clock times in the brand’s zone, or in the one given [decisions.5.zone-records]', async () => {
    const started = async () =>
      (
        await fixture.db.many<{ at: string }>(
          sql`select to_char(started_at at time zone 'UTC', 'MM-DD HH24:MI') as at from usage_record order by 1`,
        )
      ).map((row) => row.at);
    await fixture.run([await fixture.file(sampleCall({ start: '2026-01-31 23:30:00' }))], {
      customer: fixture.customerId,
    });
    expect(await started()).toEqual(['01-31 22:30']);
    await fixture.run([await fixture.file(sampleCall({ start: '2026-01-31 23:30:01' }))], {
      customer: fixture.customerId,
      timeZone: 'America/New_York',
    });
    expect(await started()).toEqual(['01-31 22:30', '02-01 04:30']);
  });

  it('refuses new records of a closed month and knows its old ones', async () => {
    const old = sampleCall({ start: '2026-02-10 08:00:00' });
    await fixture.run([await fixture.file(old)], { customer: fixture.customerId });
    await fixture.query("update usage_month set state = 'closed' where month = '2026-02-01'");
    const report = await fixture.run(
      [await fixture.file(old + sampleCall({ start: '2026-02-11 08:00:00' }) + sampleCall())],
      { customer: fixture.customerId },
    );
    expect(counts(report)).toEqual([[1, 0, 1, 1]]);
    expect(report.quarantine).toMatchObject([
      { line: 2, reason: 'month closed: 2026-02 takes no more records' },
    ]);
    await fixture.query("update usage_month set state = 'open'");
  });

  it('refuses times a call cannot have', async () => {
    const report = await fixture.run(
      [
        await fixture.file(
          sampleCall({ start: '1999-12-31 08:00:00' }) + sampleCall({ start: '2026-05-01 08:00:00' }),
        ),
      ],
      { customer: fixture.customerId },
    );
    expect(report.quarantine.map((entry) => entry.line)).toEqual([1, 2]);
  });

  it('two overlapping files at once: every record once, rollups exact', async () => {
    const calls = Array.from({ length: 400 }, (_, at) =>
      sampleCall({ uniqueId: `${at}`, start: `2026-03-${10 + (at % 20)} 08:00:00` }),
    );
    const [a, b] = [
      await fixture.file(calls.slice(0, 300).join('')),
      await fixture.file(calls.slice(100).reverse().join('')),
    ];
    const reports = await Promise.all([
      fixture.run([a], { customer: fixture.customerId }),
      fixture.run([b], { customer: fixture.customerId }),
    ]);
    expect(reports.flatMap(counts).reduce((sum, [created = 0]) => sum + created, 0)).toBe(400);
    expect(await recount()).toEqual({ n: 400, units: '24000.000000' });
    expect(await totals()).toEqual({ n: 400, units: '24000.000000' });
    for (const table of ['usage_type_day', 'usage_item_month']) {
      expect(await fixture.db.one(sql`select sum(n)::int as n from ${sql.table(table)}`)).toEqual({ n: 400 });
    }
  });
});
