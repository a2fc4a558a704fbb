import { formatBytes } from '@counterfoil/domain/text/bytes.ts';
import type { Db } from '../../db/database.ts';
import { readMigrations } from '../../db/migrate.ts';
import { sql } from '../../db/sql.ts';

export interface DatabaseStatus {
  readonly version: string;
  /** e.g. 180004 */
  readonly versionNumber: number;
  /** Number of the last migration that ran; 0 in an empty database. */
  readonly schema: number;
  /** Number of this program's last migration. */
  readonly newestSchema: number;
  readonly isCurrent: boolean;
  readonly size: string;
  /** Largest first; partitions count with their table. Rows are the planner's estimate. */
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly size: string }[];
}

/** Reads how the database is, without changing anything. */
export async function databaseStatus(db: Db): Promise<DatabaseStatus> {
  const about = await db.one<{ version: string; number: string; bytes: bigint; migrated: boolean }>(sql`
    select current_setting('server_version') as version, current_setting('server_version_num') as number,
           pg_database_size(current_database()) as bytes, to_regclass('schema_migration') is not null as migrated`);
  const schema = about.migrated
    ? (await db.one<{ v: number }>(sql`select coalesce(max(version), 0)::int as v from schema_migration`)).v
    : 0;
  const tables = await db.many<{ name: string; rows: bigint; bytes: bigint }>(sql`
    select root::text as name, sum(greatest(c.reltuples, 0))::bigint as rows,
           sum(pg_total_relation_size(c.oid))::bigint as bytes
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      cross join lateral (select coalesce(pg_partition_root(c.oid), c.oid)::regclass as root) r
     where c.relkind = 'r' and n.nspname = current_schema()
     group by root order by bytes desc limit 12`);
  const newestSchema = (await readMigrations()).length;
  return {
    version: about.version,
    versionNumber: Number(about.number),
    schema,
    newestSchema,
    isCurrent: schema === newestSchema,
    size: formatBytes(about.bytes),
    tables: tables.map((one) => ({ name: one.name, rows: Number(one.rows), size: formatBytes(one.bytes) })),
  };
}
