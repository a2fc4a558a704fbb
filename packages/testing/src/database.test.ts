import { expect, it } from 'vitest';
import { useDatabase } from './database.ts';

const database = useDatabase();

it('gives the file a database of its own with the product schema', async () => {
  const { rows } = await database.pool().query<{ name: string; tables: number }>(
    `select current_database() as name,
            (select count(*)::int from information_schema.tables where table_schema = 'public') as tables`,
  );
  expect(rows[0]?.name).toMatch(/^test_[0-9a-f]{16}$/);
  expect(rows[0]?.tables).toBeGreaterThan(1);
});

it('can be written to without leaving anything to other files', async () => {
  await database.pool().query('create table only_here (id integer)');
  const { rows } = await database.pool().query('select count(*)::int as count from only_here');
  expect(rows).toEqual([{ count: 0 }]);
});

it('has the neutral locale with full Unicode character classes, and UTC', async () => {
  const { rows } = await database.pool().query(
    `select lower('ÄÖÉ') as lowered, current_setting('TimeZone') as zone,
            (select datlocprovider::text || ' ' || datlocale from pg_database where datname = current_database()) as locale`,
  );
  expect(rows).toEqual([{ lowered: 'äöé', zone: 'UTC', locale: 'b C.UTF-8' }]);
});
