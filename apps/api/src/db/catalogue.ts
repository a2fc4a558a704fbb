import type { Db } from './database.ts';
import { sql } from './sql.ts';

/** A primary, unique, exclusion or foreign key. */
export interface CatalogueKey {
  readonly name: string;
  readonly kind: 'primary' | 'unique' | 'exclusion' | 'foreign';
  /** In their order in the key. */
  readonly columns: readonly string[];
  /** Of a foreign key. */
  readonly target: string | null;
  readonly targetColumns: readonly string[];
  /** What a foreign key does to its rows on delete and on update of the target's, as in pg_constraint: a r c n d. */
  readonly onDelete: string;
  readonly onUpdate: string;
}

/** Where a table's rows lie: on this machine, on every one, or spread. */
export type Placement = 'local' | 'reference' | 'distributed';

/** One of our tables as the database knows it; partitions count with their table. */
export interface CatalogueTable {
  readonly name: string;
  readonly isPartitioned: boolean;
  readonly keys: readonly CatalogueKey[];
  /** Triggers and rules somebody made. */
  readonly triggers: readonly string[];
  /** Columns filled from a sequence. */
  readonly sequences: readonly string[];
  readonly placement: Placement;
  /** Of a distributed table. */
  readonly distributedBy: string | null;
}

/** All tables of the schema, by name. */
export async function readCatalogue(db: Db): Promise<readonly CatalogueTable[]> {
  const placed = await readPlacements(db);
  const rows = await db.many<Omit<CatalogueTable, 'placement' | 'distributedBy'>>(sql`
    select c.relname::text as name, c.relkind = 'p' as "isPartitioned", ${keysOf} as keys,
           array(select t.tgname::text from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
                 union all
                 select r.rulename::text from pg_rewrite r where r.ev_class = c.oid order by 1) as triggers,
           array(select a.attname::text from pg_attribute a
                   left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
                  where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
                    and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')
                  order by 1) as sequences
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`);
  return rows.map((row) => ({
    ...row,
    ...(placed.get(row.name) ?? { placement: 'local', distributedBy: null }),
  }));
}

/** Constraints, and unique indexes that are none; expressions count as a column that is none of the table's. */
const keysOf = sql`
  coalesce((select jsonb_agg(k order by k ->> 'name') from (
    select jsonb_build_object(
             'name', k.conname, 'target', f.relname, 'onDelete', k.confdeltype::text, 'onUpdate', k.confupdtype::text,
             'kind', case k.contype when 'p' then 'primary' when 'u' then 'unique' when 'x' then 'exclusion' else 'foreign' end,
             'columns', coalesce((select jsonb_agg(a.attname order by o.at)
                from unnest(k.conkey) with ordinality o(no, at)
                join pg_attribute a on a.attrelid = k.conrelid and a.attnum = o.no), '[]'),
             'targetColumns', coalesce((select jsonb_agg(a.attname order by o.at)
                from unnest(k.confkey) with ordinality o(no, at)
                join pg_attribute a on a.attrelid = k.confrelid and a.attnum = o.no), '[]')) as k
      from pg_constraint k left join pg_class f on f.oid = k.confrelid
     where k.conrelid = c.oid and k.contype in ('p', 'u', 'x', 'f')
    union all
    select jsonb_build_object(
             'name', i.indexrelid::regclass::text, 'kind', 'unique', 'target', null, 'targetColumns', '[]'::jsonb,
             'onDelete', ' ', 'onUpdate', ' ',
             'columns', coalesce((select jsonb_agg(coalesce(a.attname, '(expression)') order by o.at)
                from unnest(i.indkey::int2[]) with ordinality o(no, at)
                left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = o.no and o.no > 0
               where o.at <= i.indnkeyatts), '[]'))
      from pg_index i
     where i.indrelid = c.oid and i.indisunique
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.conrelid = i.indrelid)) found), '[]')`;

type Placed = Pick<CatalogueTable, 'placement' | 'distributedBy'>;

/** True where the database is spread over machines. */
export const hasCitus = async (db: Db): Promise<boolean> =>
  (await db.one<{ is: boolean }>(sql`select exists (select from pg_extension where extname = 'citus') as is`))
    .is;

/** What Citus says, where there is one. */
async function readPlacements(db: Db): Promise<ReadonlyMap<string, Placed>> {
  const { known } = await db.one<{ known: boolean }>(
    sql`select to_regclass('citus_tables') is not null as known`,
  );
  if (!known) return new Map();
  const rows = await db.many<{ name: string; type: string; by: string | null }>(sql`
    select c.relname::text as name, t.citus_table_type as type, t.distribution_column as by
      from citus_tables t join pg_class c on c.oid = t.table_name::oid
     where c.relnamespace = 'public'::regnamespace`);
  return new Map(
    rows.map(({ name, type, by }): [string, Placed] => {
      // What Citus calls local is a table of this machine that others may ask for.
      const placement = type === 'reference' || type === 'distributed' ? type : 'local';
      return [name, { placement, distributedBy: placement === 'distributed' ? by : null }];
    }),
  );
}
