import type pg from 'pg';

/** Tables as the migrations made them, read from a migrated PostgreSQL, so that no key or check stands twice. */
export interface Catalogue {
  readonly [table: string]: {
    readonly columns: readonly {
      readonly name: string;
      readonly type: string;
      readonly isRequired: boolean;
      /** As PostgreSQL writes it; of a generated column what it is generated from. */
      readonly default: string | null;
      readonly isGenerated: boolean;
    }[];
    readonly keys: readonly {
      readonly name: string;
      readonly columns: readonly string[];
      readonly where: string | null;
    }[];
    readonly checks: readonly { readonly name: string; readonly expression: string }[];
    readonly references: readonly {
      readonly name: string;
      readonly columns: readonly string[];
      readonly table: string;
      readonly target: readonly string[];
    }[];
  };
}

const columnNames = (table: string, numbers: string) => `
  (select json_agg(a.attname order by u.n) from unnest(${numbers}) with ordinality as u(attnum, n)
     join pg_attribute a on a.attrelid = ${table} and a.attnum = u.attnum)`;

const QUERY = `
  select c.relname as name,
    (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod),
              'isRequired', a.attnotnull, 'default', pg_get_expr(d.adbin, d.adrelid),
              'isGenerated', a.attgenerated <> '') order by a.attnum)
       from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    (select coalesce(json_agg(json_build_object('name', i.relname,
              'columns', ${columnNames('x.indrelid', 'x.indkey::int2[]')},
              'where', pg_get_expr(x.indpred, x.indrelid)) order by x.indisprimary desc, i.relname), '[]')
       from pg_index x join pg_class i on i.oid = x.indexrelid
      where x.indrelid = c.oid and x.indisunique and x.indexprs is null) as keys,
    (select coalesce(json_agg(json_build_object('name', k.conname,
              'expression', pg_get_expr(k.conbin, k.conrelid)) order by k.conname), '[]')
       from pg_constraint k where k.conrelid = c.oid and k.contype = 'c') as checks,
    (select coalesce(json_agg(json_build_object('name', k.conname, 'columns', ${columnNames('k.conrelid', 'k.conkey')},
              'table', k.confrelid::regclass::text, 'target', ${columnNames('k.confrelid', 'k.confkey')})
              order by k.conname), '[]')
       from pg_constraint k where k.conrelid = c.oid and k.contype = 'f') as "references"
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`;

/** @param tables those that matter; a statement about another one is then not known */
export async function readCatalogue(pool: pg.Pool, tables: readonly string[]): Promise<Catalogue> {
  const { rows } = await pool.query<{ name: string } & Catalogue[string]>(QUERY);
  const found = rows.filter(({ name }) => tables.includes(name));
  return Object.fromEntries(found.map(({ name, ...table }) => [name, table]));
}
