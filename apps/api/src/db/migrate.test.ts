import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { useDatabase } from '@counterfoil/testing/database.ts';
import { describe, expect, it } from 'vitest';
import { Database } from './database.ts';
import { isUpToDate, migrate, QUEUE_SCHEMA, readMigrations } from './migrate.ts';

const database = useDatabase();

async function folder(files: Record<string, string>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'migrations-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return path;
}

describe('migrate', () => {
  it('runs each migration once, also when several processes start together', async () => {
    const url = await database.emptyBeside();
    const ran = await Promise.all(Array.from({ length: 4 }, () => migrate(url)));
    const names = (await readMigrations()).map((migration) => migration.name);
    expect(ran.flat().sort()).toEqual(names);
    expect(await migrate(url)).toEqual([]);
  });

  it('sees in one query whether there is anything to do', async () => {
    const url = await database.emptyBeside();
    const db = new Database({ url, name: 'seen', max: 1, statementTimeoutMs: 10_000 });
    try {
      expect(await isUpToDate(db)).toBe(false);
      await migrate(url);
      // The constant is the library's last migration: else every command would take the long way.
      const { rows } = await db.pool.query('select max(id) as queue from graphile_worker.migrations');
      expect(rows).toEqual([{ queue: QUEUE_SCHEMA }]);
      expect(await isUpToDate(db)).toBe(true);
      await db.pool.query('delete from schema_migration where version = 1');
      expect(await isUpToDate(db)).toBe(false);
    } finally {
      await db.end();
    }
  });

  it('refuses a schema that is newer than the program', async () => {
    const url = await database.emptyBeside();
    await migrate(url, await folder({ '0001_a.sql': 'select 1', '0002_b.sql': 'select 2' }));
    await expect(migrate(url, await folder({ '0001_a.sql': 'select 1' }))).rejects.toThrow(
      'the database has schema 2, this program knows 1: install the newer version',
    );
  });

  it('refuses a migration that was edited after it ran', async () => {
    const url = await database.emptyBeside();
    await migrate(url, await folder({ '0001_a.sql': 'select 1' }));
    await expect(migrate(url, await folder({ '0001_a.sql': 'select 3' }))).rejects.toThrow(
      '0001_a.sql differs',
    );
  });

  it('leaves nothing of a migration that fails', async () => {
    const url = await database.emptyBeside();
    const broken = await folder({ '0001_a.sql': 'create table half (a int); select nonsense' });
    await expect(migrate(url, broken)).rejects.toThrow('0001_a.sql failed');
    expect(await migrate(url, await folder({ '0001_a.sql': 'create table half (a int)' }))).toEqual([
      '0001_a.sql',
    ]);
  });

  it('keeps what units are known to be, and only that', async () => {
    const url = await database.emptyBeside();
    const all = (await readMigrations()).map(({ name, text }) => [name, text] as const);
    const before = await folder(Object.fromEntries(all.filter(([name]) => name < '0039')));
    await migrate(url, before);
    const db = new Database({ url, name: 'units', max: 1, statementTimeoutMs: 10_000 });
    try {
      await db.pool.query(`
        insert into reseller (id, name, settings) values
          (1, 'A', '{"dataUsageRecordTypes": ["data"], "dataUsageUnitBytes": 1024}'), (2, 'B', '{}');
        insert into service (id, reseller_id, code, name, units_label)
        select ('00000000-0000-7000-8000-00000000010' || n)::uuid, case n when 6 then 2 else 1 end, 's' || n, 's', label
          from (values (1, 'Seconds'), (2, 'Units'), (3, ' MB '), (4, 'Mb'), (5, null), (6, 'messages')) l (n, label);
        insert into record_type (id, reseller_id, service_id, code, description)
        select ('00000000-0000-7000-8000-0000000002' || lpad(n::text, 2, '0'))::uuid, case s when 6 then 2 else 1 end,
               ('00000000-0000-7000-8000-00000000010' || s)::uuid, code, code
          from (values (1, 1, 'call'), (2, 1, 'data'), (3, 1, 'billed as data'), (4, 2, 'call'), (5, 2, 'data'),
                       (6, 3, 'session'), (7, 4, 'session'), (8, 5, 'call'), (9, 6, 'data'), (10, 1, 'billed by minute'))
               t (n, s, code);
        insert into invoice_line (customer_id, id, line_no, kind, product_name, quantity, price, currency, amount_minor,
                                  unit, record_type_id)
        select '00000000-0000-7000-8000-00000000000c', gen_random_uuid(), n, 'line', 'x', 1, 1, 'USD', 1, unit,
               ('00000000-0000-7000-8000-0000000002' || type)::uuid
          from (values (1, '4L', '03'), (2, 'MIN', '10'), (3, 'C62', '01')) l (n, unit, type);`);
      await migrate(url);
      const { rows } = await db.pool.query('select code, unit from record_type order by id');
      expect(rows.map(({ code, unit }) => [code, unit])).toEqual([
        ['call', 'second'],
        ['data', 'kilobyte'],
        ['billed as data', null],
        ['call', null],
        ['data', 'kilobyte'],
        ['session', 'megabyte'],
        ['session', null],
        ['call', null],
        ['data', 'message'],
        ['billed by minute', 'second'],
      ]);
    } finally {
      await db.end();
    }
  });

  it('refuses a gap in the numbers', async () => {
    await expect(readMigrations(await folder({ '0002_b.sql': '' }))).rejects.toThrow(
      'should have the number 1',
    );
  });
});
