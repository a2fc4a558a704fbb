import type { Db } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { isFigureOrder, type ValueOrder, valueColumns } from './sort.ts';

/** A month's samples, by what they are kept under. */
interface SampleName {
  /** First day */
  readonly month: string;
  readonly key: string;
  readonly version: bigint;
}

export interface KeptRow {
  month: string;
  /** Records of the month that pass the filter. */
  n: number;
  samples: number;
}

/** Kept samples that are of the months' present versions. */
const kept = (scope: CustomerScope, order: ValueOrder, months: readonly SampleName[]) => sql`
  usage_sample s
  join unnest(${months.map(({ month }) => month)}::date[], ${months.map(({ key }) => key)}::text[],
              ${months.map(({ version }) => String(version))}::bigint[]) as m (month, filter, version)
    on s.month = m.month and s.filter = m.filter and s.version = m.version
 where s.customer_id = ${scope.customerId} and s.sort = ${order}`;

export const listKept = (db: Db, scope: CustomerScope, order: ValueOrder, months: readonly SampleName[]) =>
  db.many<KeptRow>(sql`
    select s.month, s.n, cardinality(s.keys) as samples from (select s.* from ${kept(scope, order, months)}) s`);

/** As the database has it. */
export interface SampleRow {
  month: string;
  /** From 1, in its month. */
  ordinal: number;
  distance: number;
  key: string;
  started_at: string;
  id: string;
}

/** All samples of the months, merged in the order of the sort. */
export const listSamples = (
  db: Db,
  scope: CustomerScope,
  order: ValueOrder,
  months: readonly SampleName[],
) => {
  const value = isFigureOrder(order) ? sql`k.key::numeric` : sql`k.key collate "C"`;
  return db.many<SampleRow>(sql`
    select s.month, k.ordinal::int, s.distance, k.key, k.started_at::text, k.id
      from (select s.* from ${kept(scope, order, months)}) s
     cross join unnest(s.keys, s.times, s.ids) with ordinality as k (key, started_at, id, ordinal)
     order by ${value}, k.started_at, k.id`);
};

/** Samples a month again, if it still has the version it was counted under. */
export const takeSamples = (
  scope: Pick<CustomerScope, 'customerId'>,
  of: SampleName & {
    readonly order: ValueOrder;
    /** On `usage_record u`: the filter, in this month. */
    readonly where: Sql<boolean>;
    /** How many records that are. */
    readonly n: number;
    readonly distance: number;
  },
): Sql => {
  const column = sql.ref(`u.${valueColumns[of.order]}`);
  return sql`
    insert into usage_sample (customer_id, month, sort, filter, version, n, distance, keys, times, ids, made_at)
    select v.customer_id, v.month, ${of.order}, ${of.key}, v.version, ${of.n}, ${of.distance}, t.keys, t.times, t.ids,
           now()
      from usage_version v
     cross join (
       select array_agg(key::text order by ordinal) as keys, array_agg(started_at order by ordinal) as times,
              array_agg(id order by ordinal) as ids
         from (select ${column} as key, u.started_at, u.id,
                      row_number() over (order by ${column}, u.started_at, u.id) as ordinal
                 from usage_record u where ${of.where}) ranked
        where (ordinal - 1) % ${of.distance} = 0) t
     where v.customer_id = ${scope.customerId} and v.month = ${of.month}::date and v.version = ${of.version}
       and t.keys is not null
    on conflict (customer_id, month, sort, filter) do update
      set version = excluded.version, n = excluded.n, distance = excluded.distance, keys = excluded.keys,
          times = excluded.times, ids = excluded.ids, made_at = excluded.made_at
      where usage_sample.version <= excluded.version`;
};

/** Forgets samples of filters after a while: they are quickly made again. Those of whole months are worth keeping. */
export const forgetSamples = (scope: CustomerScope): Sql => sql`
  delete from usage_sample s using (
    select month, sort, filter from usage_sample
     where customer_id = ${scope.customerId} and filter not in ('', 'given') and made_at < now() - interval '10 minutes'
       for update skip locked) old
   where s.customer_id = ${scope.customerId} and s.month = old.month and s.sort = old.sort and s.filter = old.filter`;
