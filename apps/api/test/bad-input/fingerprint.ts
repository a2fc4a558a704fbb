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

/**
 * A print of each table that tells whether anything in it changed. When a session was last used does not count.
 * @param naming only rows in which one of these stands
 */
export async function fingerprint(
  fixture: TestFixture,
  tables: readonly string[],
  naming: readonly string[] = [],
): Promise<Readonly<Record<string, string>>> {
  const print = (table: string) =>
    `select '${table}' as name, md5(coalesce(string_agg(row, e'\n' order by row), '')) as print
       from (select (to_jsonb(t) - 'last_used_at')::text as row from "${table}" t) rows where row ~ $1`;
  const { rows } = await fixture.database
    .pool()
    .query<{ name: string; print: string }>(tables.map(print).join(' union all '), [naming.join('|')]);
  return Object.fromEntries(rows.map(({ name, print: found }) => [name, found]));
}
