import type pg from 'pg';

/** Rows of each table, and the sum of each of its columns of money, by `table` and `table.column`. */
export type Sums = ReadonlyMap<string, string>;

/** What a process writes of itself while it lives, and what it may forget: no data of the provider. */
const NOT_DATA = /^(schema_migration|rate_limit|worker_life|limit_\w+|key_check)$/;

/** @returns the sums of every table of the product that is not part of another; those of money in minor units, exact */
export async function sumsOf(pool: pg.Pool): Promise<Sums> {
  const { rows: tables } = await pool.query<{ name: string; money: string[] }>(`
    select c.relname as name,
           coalesce(array_agg(a.attname order by a.attname) filter (where a.attname like '%\\_minor'), '{}')::text[] as money
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      left join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
     group by 1 order by 1`);
  const sums = new Map<string, string>();
  for (const { name, money } of tables.filter(({ name }) => !NOT_DATA.test(name))) {
    const wanted = ['count(*)', ...money.map((column) => `coalesce(sum("${column}"), 0)`)];
    const { rows } = await pool.query<{ told: string[] }>(
      `select array[${wanted.join(', ')}]::text[] as told from "${name}"`,
    );
    const [count = '', ...told] = rows[0]?.told ?? [];
    sums.set(name, count);
    money.forEach((column, at) => {
      sums.set(`${name}.${column}`, told[at] ?? '');
    });
  }
  return sums;
}

/**
 * Compares by name.
 * @returns what differs as `name: before → after`, and the names that are no longer there, whose data went elsewhere
 */
export function compareSums(
  before: Sums,
  after: Sums,
): { readonly differ: string[]; readonly gone: string[] } {
  const names = [...before.keys()];
  return {
    differ: names
      .filter((name) => after.has(name) && after.get(name) !== before.get(name))
      .map((name) => `${name}: ${before.get(name)} → ${after.get(name)}`),
    gone: names.filter((name) => !after.has(name)),
  };
}
