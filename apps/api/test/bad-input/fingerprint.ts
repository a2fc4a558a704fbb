import type { TestFixture } from '../fixtures/test-fixture.ts';

/** What no bad request may change, whatever else it is allowed to. A session is a price that was told: it moves nothing. */
export const MONEY = [
  'invoice',
  'invoice_line',
  'attempt',
  'claim',
  'transition',
  'customer_credit',
  'credit_use',
  'capture',
  'allocation',
  'reversal',
  'ledger',
  'gateway_account',
] as const;

/** Rows that come and go with people signing in and out, and trying to. */
export const SESSIONS = ['user_session', 'refresh_token', 'rate_limit', 'audit_event'] as const;

/** Ids of all whose money it may be: customers, and gateway accounts. */
export async function owners(fixture: TestFixture): Promise<string[]> {
  const { rows } = await fixture.database
    .pool()
    .query<{ id: string }>('select customer_id as id from customer union all select id from gateway_account');
  return rows.map(({ id }) => id);
}

/** Every table of the product. */
export async function allTables(fixture: TestFixture): Promise<string[]> {
  const { rows } = await fixture.database
    .pool()
    .query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' order by 1",
    );
  return rows.map(({ name }) => name);
}

/** The last print of each table, by what its rows had to name, with the versions of the rows that it is of. */
const known = new WeakMap<TestFixture, Map<string, { readonly versions: string; readonly print: string }>>();

/**
 * A print of each table that tells whether anything in it changed. When a session was last used does not count. A table whose
 * rows have the same versions as at its last print is not read again.
 * @param naming only rows in which one of these stands
 */
export async function fingerprint(
  fixture: TestFixture,
  tables: readonly string[],
  naming: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const named = naming.join('|');
  const prints = known.get(fixture) ?? new Map();
  known.set(fixture, prints);
  const versions = await ask(fixture, tables.map(versionsOf));
  const keyOf = (table: string) => `${table} ${named}`;
  const changed = tables.filter((table) => prints.get(keyOf(table))?.versions !== versions.get(table));
  for (const [table, print] of await ask(fixture, changed.map(printOf), [named]))
    prints.set(keyOf(table), { versions: versions.get(table) ?? '', print });
  return Object.fromEntries(tables.map((table) => [table, prints.get(keyOf(table))?.print ?? '']));
}

/** Each change of a row makes another version of it, in another place or by another transaction. */
const versionsOf = (table: string): string =>
  `select '${table}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(ctid::text || ' ' || xmin::text, 0)), 0) as value from "${table}"`;

const printOf = (table: string): string =>
  `select '${table}' as name, md5(coalesce(string_agg(row, e'\n' order by row), '')) as value
     from (select (to_jsonb(t) - 'last_used_at')::text as row from "${table}" t) rows where row ~ $1`;

async function ask(
  fixture: TestFixture,
  statements: readonly string[],
  values: readonly string[] = [],
): Promise<ReadonlyMap<string, string>> {
  if (statements.length === 0) return new Map();
  const { rows } = await fixture.database
    .pool()
    .query<{ name: string; value: string }>(statements.join(' union all '), [...values]);
  return new Map(rows.map(({ name, value }) => [name, value]));
}
