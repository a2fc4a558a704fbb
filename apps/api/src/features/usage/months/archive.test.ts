import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { clusterUrl } from '@counterfoil/testing/machines.ts';
import { describe, expect, it } from 'vitest';
import { useMonths } from '../../../../test/fixtures/months-fixture.ts';
import { archiveMonth } from './archive.ts';
import { closeMonth, reopenMonth } from './closing.ts';
import { listMonths } from './list.ts';
import { ensureMonths } from './months.ts';
import { unarchiveMonth } from './unarchive.ts';

const fixture = useMonths();
const change = (text: string) => fixture.database.pool().query(text);
const manifestOf = (name: string) =>
  JSON.parse(readFileSync(join(fixture.folder, 'usage-archive', name, 'manifest.json'), 'utf8'));

describe('archiving a month', () => {
  it('takes its records out and brings them back as they were; the rollups stay', async () => {
    await fixture.seed('2026-01-01', 300);
    await fixture.seed('2026-02-01', 50);
    const before = await fixture.look();
    expect(await closeMonth(fixture.deps(), '2026-01-01')).toBe(true);
    expect(await archiveMonth(fixture.deps(), '2026-01-01')).toBe(true);
    const away = await fixture.look();
    expect(away).toMatchObject({
      days: before['days'],
      typeDays: before['typeDays'],
      itemMonths: before['itemMonths'],
      records: expect.stringMatching(/^100 /),
      billed: expect.stringMatching(/^34 /),
      kept: expect.stringMatching(/^2 /),
    });
    expect(await fixture.stateOf('2026-01-01')).toBe('archived');
    expect(await fixture.hasTable('2026-01-01')).toBe(false);
    expect(await ensureMonths(fixture.db, ['2026-01-01'])).toEqual(new Map([['2026-01-01', 'archived']]));
    const manifest = manifestOf('2026-01');
    expect(manifest).toMatchObject({
      format: 1,
      month: '2026-01',
      records: {
        rows: 600,
        units: '89700.000000',
        price: '897.000000',
        columns: expect.arrayContaining(['id']),
      },
      billed: { rows: 200 },
    });
    const lines = gunzipSync(readFileSync(join(fixture.folder, manifest.records.file)))
      .toString()
      .split('\n');
    expect(lines).toHaveLength(602);
    expect(lines[0]?.split('\t')).toEqual(manifest.records.columns);

    expect(await unarchiveMonth(fixture.deps(), '2026-01-01')).toBe(true);
    expect(await fixture.look()).toEqual(before);
    expect(await fixture.stateOf('2026-01-01')).toBe('closed');
    await expect(change("update usage_record set units = 1 where started_at < '2026-02-01'")).rejects.toThrow(
      'month_closed',
    );
    const indexes = async (month: string) =>
      (
        await change(
          `select count(*)::int as n from pg_index where indrelid = 'usage_record_${month}'::regclass`,
        )
      ).rows;
    expect(await indexes('2026_01')).toEqual(await indexes('2026_02'));
    expect(await unarchiveMonth(fixture.deps(), '2026-01-01')).toBe(false);
  });

  it('keeps what an invoice line billed, by item and type', async () => {
    await archiveMonth(fixture.deps(), '2026-01-01');
    const { rows } = await change('select n, units, price from usage_archived_line order by customer_id');
    expect(rows).toEqual([
      { n: 100, units: '14850.000000', price: '148.500000' },
      { n: 100, units: '14850.000000', price: '148.500000' },
    ]);
    expect(await archiveMonth(fixture.deps(), '2026-01-01')).toBe(false);
    await unarchiveMonth(fixture.deps(), '2026-01-01');
  });

  it('refuses a month that is open, not over, too young, unknown', async () => {
    const archive = (month: string, isForced = false) => archiveMonth(fixture.deps(), month, { isForced });
    await expect(archive('2026-02-01')).rejects.toThrow(
      "2026-02 is not closed: 'counterfoil db close 2026-02' first",
    );
    await expect(archive('2026-06-01', true)).rejects.toThrow('2026-06 is not over yet');
    await expect(archive('2026-04-01')).rejects.toThrow('from 2026-07-01, or now with --force');
    await expect(archive('2025-01-01')).rejects.toThrow('no usage records of 2025-01');
    await fixture.seed('2026-04-01', 3);
    await closeMonth(fixture.deps(), '2026-04-01');
    expect(await archive('2026-04-01', true)).toBe(true);
    await unarchiveMonth(fixture.deps(), '2026-04-01');
  });

  it('refuses when the rollups say something else, and leaves everything', async () => {
    await change("update usage_day set n = n + 1 where day = '2026-01-01'");
    const before = await fixture.look();
    await expect(archiveMonth(fixture.deps(), '2026-01-01')).rejects.toThrow('its daily sums say 602');
    expect(await fixture.look()).toEqual(before);
    expect(await fixture.stateOf('2026-01-01')).toBe('closed');
    await change("update usage_day set n = n - 1 where day = '2026-01-01'");
  });

  it('does not drop what the file does not hold: a damaged file, a row nobody wrote', async () => {
    const before = await fixture.look();
    const file = join(fixture.folder, 'usage-archive/2026-01/records.tsv.gz');
    const spoil = (step: string) => {
      if (step === 'written') writeFileSync(file, readFileSync(file).subarray(0, -40));
    };
    await expect(archiveMonth(fixture.deps({ reached: spoil }), '2026-01-01')).rejects.toThrow(
      'records.tsv.gz is damaged',
    );
    expect(await fixture.look()).toEqual(before);
    const bill = async (step: string) => {
      if (step === 'verified') {
        await change(`insert into usage_billed select customer_id, started_at, id, id from usage_record
                       where started_at < '2026-02-01' and content_hash = 1`);
      }
    };
    await expect(archiveMonth(fixture.deps({ reached: bill }), '2026-01-01')).rejects.toThrow(
      'changed meanwhile',
    );
    await change('delete from usage_billed where invoice_line_id = id');
    expect(await fixture.look()).toEqual(before);
    const meddle = async (step: string) => {
      if (step !== 'detached') return;
      await change('alter table usage_record_2026_01 drop constraint month_closed');
      await change('update usage_record_2026_01 set units = units + 1 where content_hash = 5');
    };
    await expect(archiveMonth(fixture.deps({ reached: meddle }), '2026-01-01')).rejects.toThrow(
      'it was kept',
    );
    expect(await fixture.hasTable('2026-01-01')).toBe(true);
    await change('update usage_record_2026_01 set units = units - 1 where content_hash = 5');
    expect(await archiveMonth(fixture.deps(), '2026-01-01')).toBe(true);
    await unarchiveMonth(fixture.deps(), '2026-01-01');
    expect(await fixture.look()).toEqual(before);
  });

  it('brings nothing back from a file that was changed or is gone', async () => {
    await archiveMonth(fixture.deps(), '2026-01-01');
    const away = await fixture.look();
    const file = join(fixture.folder, 'usage-archive/2026-01/billed.tsv.gz');
    const content = readFileSync(file);
    const records = readFileSync(file.replace('billed', 'records'));
    writeFileSync(file, records);
    await expect(unarchiveMonth(fixture.deps(), '2026-01-01')).rejects.toThrow(
      'is not what was written: 600 rows',
    );
    expect([await fixture.look(), await fixture.hasTable('2026-01-01')]).toEqual([away, false]);
    writeFileSync(file, content.subarray(0, content.length >> 1));
    await expect(unarchiveMonth(fixture.deps(), '2026-01-01')).rejects.toThrow('billed.tsv.gz is damaged');
    writeFileSync(file, content);
    await unarchiveMonth(fixture.deps(), '2026-01-01');
    expect(existsSync(file)).toBe(true);
  });

  // Citus detaches in one step.
  it.skipIf(clusterUrl() !== undefined)(
    'finishes a detaching that was interrupted while somebody read',
    async () => {
      const before = await fixture.look();
      const reader = await fixture.database.pool().connect();
      await reader.query('begin isolation level repeatable read');
      await reader.query('select count(*) from usage_record');
      const archiving = archiveMonth(fixture.deps(), '2026-01-01');
      const cancelled = expect(archiving).rejects.toThrow();
      const cancel = async () =>
        (
          await change(`select pg_cancel_backend(pid) from pg_stat_activity
                       where datname = current_database() and query like 'alter table%concurrently' and wait_event_type = 'Lock'`)
        ).rowCount;
      await expect.poll(cancel, { timeout: 20_000, interval: 50 }).toBe(1);
      await cancelled;
      const { rows } = await change('select inhdetachpending as is from pg_inherits where inhdetachpending');
      expect(rows).toEqual([{ is: true }]);
      expect(
        (await listMonths(fixture.db, new Date('2026-06-15'))).find((one) => one.month === '2026-01'),
      ).toMatchObject({
        state: 'archived',
        unfinished: 'archive',
        records: 600,
      });
      await expect(unarchiveMonth(fixture.deps(), '2026-01-01')).rejects.toThrow('has not ended');
      await reader.query('commit');
      reader.release();
      expect(await archiveMonth(fixture.deps(), '2026-01-01')).toBe(true);
      await unarchiveMonth(fixture.deps(), '2026-01-01');
      expect(await fixture.look()).toEqual(before);
    },
  );
});

describe('closing a month', () => {
  it('waits for an import that saw it open, and lets the database refuse later ones', async () => {
    await fixture.seed('2026-03-01', 3);
    const importer = await fixture.database.pool().connect();
    await importer.query('begin');
    await importer.query('create temporary table staged (n int) on commit drop');
    const reached: string[] = [];
    const closing = closeMonth(fixture.deps({ reached: (step) => void reached.push(step) }), '2026-03-01');
    await expect.poll(() => fixture.stateOf('2026-03-01')).toBe('closed');
    const record = `insert into usage_record (customer_id, started_at, id, agreement_id, record_type_id, service_item_id,
      units, content_hash) select customer_id, started_at, gen_random_uuid(), id, id, id, 1, 1 from usage_record
      where started_at >= '2026-03-01' limit 1`;
    await importer.query(record);
    expect(reached).toEqual(['marked']);
    await importer.query('commit');
    importer.release();
    expect(await closing).toBe(true);
    await expect(change(record)).rejects.toThrow('month_closed');
    expect(await closeMonth(fixture.deps(), '2026-03-01')).toBe(false);
    expect(await reopenMonth(fixture.deps(), '2026-03-01')).toBe(true);
    await change(record);
    expect(await reopenMonth(fixture.deps(), '2026-03-01')).toBe(false);
    await change(
      "delete from usage_record where started_at >= '2026-03-01' and units = 1 and content_hash = 1",
    );
  });

  it('refuses the running month and those to come', async () => {
    await expect(closeMonth(fixture.deps(), '2026-06-01')).rejects.toThrow('2026-06 is not over yet');
    await expect(closeMonth(fixture.deps(), '2026-07-01')).rejects.toThrow('2026-07 is not over yet');
  });

  it('one command at a time works on a month', async () => {
    const [first, second] = [
      closeMonth(fixture.deps(), '2026-02-01'),
      closeMonth(fixture.deps(), '2026-02-01'),
    ];
    expect((await Promise.all([first, second])).sort()).toEqual([false, true]);
    await reopenMonth(fixture.deps(), '2026-02-01');
  });
});
