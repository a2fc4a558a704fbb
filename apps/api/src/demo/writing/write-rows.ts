import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

const AT_ONCE = 2_000;

/**
 * Inserts many rows at a time.
 * @param columns name and SQL type of each column, e.g. `{ id: 'uuid' }`
 * @param rows values as JSON carries them; bigint as text, bytes as '\\x…'
 */
export async function writeRows(
  tx: Tx,
  tableName: string,
  columns: Readonly<Record<string, string>>,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const names = sql.join(Object.keys(columns).map((name) => sql.id(name)));
  const typed = sql.join(
    Object.entries(columns).map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`),
  );
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const json = JSON.stringify(rows.slice(at, at + AT_ONCE), (_key, value: unknown) =>
      typeof value === 'bigint' ? `${value}` : value,
    );
    await tx.execute(sql`
      insert into ${sql.id(tableName)} (${names}) select ${names} from jsonb_to_recordset(${json}::jsonb) as r(${typed})`);
  }
}
