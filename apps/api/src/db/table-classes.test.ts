import { useDatabase } from '@counterfoil/testing/database.ts';
import { describe, expect, it } from 'vitest';
import { belongsToNoCustomer, tableClasses } from './table-classes.ts';

const database = useDatabase();

interface KeyRow {
  name: string;
  kind: 'p' | 'u' | 'f' | 'i';
  columns: string[];
  target: string | null;
}

/** Primary and foreign keys and unique indexes of a table, with their columns in order. */
async function keysOf(table: string): Promise<KeyRow[]> {
  const { rows } = await database.pool().query<KeyRow>(
    `select c.conname as name, c.contype::text as kind, f.relname as target,
            array(select a.attname::text from unnest(c.conkey) with ordinality k(no, at)
                    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.no order by k.at) as columns
       from pg_constraint c left join pg_class f on f.oid = c.confrelid
      where c.conrelid = $1::regclass and c.contype in ('p', 'u', 'f')
     union all
     select i.indexrelid::regclass::text, 'i', null,
            array(select a.attname::text from unnest(i.indkey::int2[]) with ordinality k(no, at)
                    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.no
                   where k.at <= i.indnkeyatts order by k.at)
       from pg_index i where i.indrelid = $1::regclass and i.indisunique`,
    [table],
  );
  return rows;
}

const tables = async () => {
  const { rows } = await database.pool().query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  return rows.map((row) => row.name);
};

describe('the class of every table', () => {
  it('is named, and no table is named that is not there [decisions.4.class-named]', async () => {
    expect(new Set(await tables())).toEqual(new Set(Object.keys(tableClasses)));
  });

  it('holds for distributed tables: customer_id stands first in every key [decisions.4.class-distributed]', async () => {
    const faults: string[] = [];
    for (const table of await tables()) {
      if (tableClasses[table] !== 'distributed') continue;
      const keys = await keysOf(table);
      if (!keys.some((key) => key.kind === 'p')) faults.push(`${table} has no primary key`);
      for (const key of keys) {
        if (key.columns[0] !== 'customer_id')
          faults.push(`${table}: ${key.name} does not begin with customer_id`);
        const targetClass = key.target === null ? undefined : tableClasses[key.target];
        if (key.kind === 'f' && targetClass !== 'distributed')
          faults.push(`${table}: ${key.name} leaves the shard`);
      }
    }
    expect(faults).toEqual([]);
  });

  it('keeps other tables from pointing into distributed ones, and triggers away from all', async () => {
    const faults: string[] = [];
    for (const table of await tables()) {
      if (tableClasses[table] === 'distributed') continue;
      for (const key of await keysOf(table)) {
        if (key.target !== null && tableClasses[key.target] === 'distributed')
          faults.push(`${table}: ${key.name}`);
      }
    }
    const { rows } = await database.pool().query(
      `select tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_namespace n on n.oid = c.relnamespace
        where not t.tgisinternal and n.nspname = 'public'`,
    );
    expect([faults, rows]).toEqual([[], []]);
  });

  it('answers a customer_id for every look-up table, or says why its rows are no customer’s [decisions.4.look-up-answers]', async () => {
    const lookUps = Object.keys(tableClasses).filter((table) => tableClasses[table] === 'lookUp');
    const leading = await leadingToCustomers();
    const without = lookUps.filter((table) => !leading.has(table));
    expect(new Set(without)).toEqual(new Set(Object.keys(belongsToNoCustomer)));
    expect(lookUps.length - without.length).toBeGreaterThan(8);
  });
});

/**
 * Tables from whose rows one comes to customers: by a column of their own, or by a foreign key to a table that does;
 * a user leads to them by the memberships.
 */
async function leadingToCustomers(): Promise<ReadonlySet<string>> {
  const { rows: holders } = await database
    .pool()
    .query<{ name: string }>(
      "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'customer_id'",
    );
  const { rows: keys } = await database.pool().query<{ source: string; target: string }>(
    `select distinct conrelid::regclass::text as source, confrelid::regclass::text as target
       from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  const isMember = keys.some(({ source, target }) => source === 'membership' && target === 'app_user');
  const found = new Set([...holders.map(({ name }) => name), ...(isMember ? ['app_user'] : [])]);
  for (let before = 0; before !== found.size; ) {
    before = found.size;
    for (const { source, target } of keys) if (found.has(target)) found.add(source);
  }
  return found;
}
