import type { ImportPreview } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { type Database, type Tx, transactionOn } from '../../../db/database.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { reasonsOf } from '../report/reasons.ts';
import type { RejectedLine } from './row.ts';
import type { MappingMismatch } from './rows.ts';
import { makeReady } from './slices.ts';
import { type StageOptions, stageUsage } from './stage-usage.ts';

/** How many changes are told one by one. */
const MOST_CHANGES = 20;

/**
 * What an import of a file of usage records would come to. The file is read as an import reads it, into temporary tables
 * that are compared with the books; nothing else is written. A line or record type that is not known is not made.
 * @param db lends one connection for all of it, and others for look-ups
 * @throws {MappingMismatch} where an import would end as 'failed'
 */
export function previewUsage(
  db: Database,
  bytes: AsyncIterable<Uint8Array>,
  options: Omit<StageOptions, 'isDryRun'>,
): Promise<ImportPreview> {
  return db.withConnection(async (client) => {
    const tx = transactionOn(client);
    await tx.execute(sql`set work_mem = '64MB'`);
    const { mapping } = options;
    const staged = await stageUsage(db, tx, bytes, { ...options, isDryRun: true });
    const ready = await makeReady(tx, mapping.key !== undefined, mapping.lifelongKey);
    const compared = await compare(tx, mapping);
    await tx.execute(sql`drop table if exists
      usage_ready, usage_aside, usage_keyed, usage_placed, usage_known, usage_compared`);
    await tx.execute(sql`reset work_mem`);
    const { created, updated, unchanged, closed, changes, amounts, firstClosed } = compared;
    const counts = new Map([...staged.rejected.causes]);
    if (closed > 0) counts.set('month', (counts.get('month') ?? 0) + closed);
    const listed: readonly RejectedLine[] = [
      ...staged.rejected.listed(),
      ...(firstClosed === undefined
        ? []
        : [{ line: firstClosed, cause: 'month' as const, reason: 'its month takes no more records' }]),
    ];
    return {
      created,
      updated: updated + ready.superseded,
      unchanged: unchanged + ready.repeats,
      quarantined: staged.rejected.count + closed,
      amounts,
      changes,
      reasons: reasonsOf(counts, listed),
      warnings: [...staged.warnings],
    };
  });
}

/** What a file that does not fit its mapping comes to. */
export const previewMismatch = (error: MappingMismatch): ImportPreview => ({
  created: 0,
  updated: 0,
  unchanged: 0,
  quarantined: 1,
  amounts: [],
  changes: [],
  reasons: reasonsOf(new Map([['file', 1]]), [{ line: error.line, cause: 'file', reason: error.message }]),
  warnings: [],
});

interface Compared extends Pick<ImportPreview, 'created' | 'updated' | 'unchanged' | 'changes' | 'amounts'> {
  /** New or other content for months that take nothing. */
  readonly closed: number;
  readonly firstClosed: number | undefined;
}

async function compare(tx: Tx, { lifelongKey }: UsageMapping): Promise<Compared> {
  await findKnown(tx, lifelongKey);
  await tx.execute(usageCompared);
  const counts = await tx.one<{
    created: number;
    updated: number;
    unchanged: number;
    closed: number;
    first_closed: bigint | null;
  }>(sql`
    select count(*) filter (where becomes = 'created')::int as created,
           count(*) filter (where becomes = 'updated')::int as updated,
           count(*) filter (where becomes = 'unchanged')::int as unchanged,
           count(*) filter (where becomes = 'closed')::int as closed,
           min(line) filter (where becomes = 'closed') as first_closed
      from usage_compared`);
  const amounts = await tx.many<{ currency: string; created: string; change: string }>(sql`
    select b.currency, coalesce(sum(u.price) filter (where becomes = 'created'), 0)::numeric(24,2)::text as created,
           coalesce(sum(u.price - u.was_price) filter (where becomes = 'updated'), 0)::numeric(24,2)::text as change
      from usage_compared u join customer c on c.customer_id = u.customer_id
      join brand b on b.id = coalesce(c.brand_id,
           (select min(f.id) from brand f where f.reseller_id = c.reseller_id), 0)
     group by b.currency having sum(abs(u.price)) + coalesce(sum(abs(u.was_price)), 0) > 0 order by b.currency`);
  const changed = await tx.many<{
    line: bigint;
    units: string;
    was_units: string;
    price: string;
    was_price: string;
    at: string;
    was_at: string;
  }>(sql`
    select line, trim_scale(units)::text as units, trim_scale(was_units)::text as was_units,
           trim_scale(price)::text as price, trim_scale(was_price)::text as was_price,
           to_char(started_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as at,
           to_char(was_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') as was_at
      from usage_compared where becomes = 'updated' order by line limit ${MOST_CHANGES}`);
  return {
    created: counts.created,
    updated: counts.updated,
    unchanged: counts.unchanged,
    closed: counts.closed,
    firstClosed: counts.first_closed === null ? undefined : Number(counts.first_closed),
    amounts,
    changes: changed.flatMap((row) => changesOf(row)).slice(0, MOST_CHANGES),
  };
}

function changesOf(row: Readonly<Record<string, unknown>> & { readonly line: bigint }) {
  const members = [
    ['price', row['was_price'], row['price']],
    ['units', row['was_units'], row['units']],
    ['startedAt', row['was_at'], row['at']],
  ] as const;
  const found = members.filter(([, was, is]) => was !== is);
  const told = found.length > 0 ? found : ([['content', 'other', 'as in the file']] as const);
  return told.map(([member, was, is]) => ({
    what: `line ${row.line}`,
    member,
    was: String(was),
    is: String(is),
  }));
}

/** What is known of the records of the file, at the time that they have or, where their keys outlive it, had. */
async function findKnown(tx: Tx, isLifelong: boolean): Promise<void> {
  const at = sql.raw(isLifelong ? 'was_at' : 'started_at');
  if (isLifelong) {
    await tx.execute(sql`
      create temporary table usage_keyed as
      select k.customer_id, k.id, k.started_at
        from usage_ready i join usage_key k on k.customer_id = i.customer_id and k.id = i.id`);
    await tx.execute(sql`
      create temporary table usage_placed as
      select i.seq, i.customer_id, i.id, coalesce(k.started_at, i.started_at) as was_at
        from usage_ready i left join usage_keyed k on k.customer_id = i.customer_id and k.id = i.id`);
    await tx.execute(sql`analyze usage_placed`);
  }
  await tx.execute(sql`
    create temporary table usage_known as
    select i.seq, r.content_hash, r.units, r.price, r.started_at
      from ${sql.raw(isLifelong ? 'usage_placed' : 'usage_ready')} i
      join usage_record r on r.customer_id = i.customer_id and r.id = i.id and r.started_at = i.${at}`);
}

/** Each record of the file beside what is known of it, and what it would become. */
const usageCompared: Sql = sql`
  create temporary table usage_compared as
  select i.line, i.customer_id, i.started_at, i.units, i.price, k.units as was_units, k.price as was_price,
         k.started_at as was_at,
         case when k.content_hash = i.content_hash and k.started_at = i.started_at then 'unchanged'
              when m.state <> 'open' then 'closed'
              when k.content_hash is null then 'created' else 'updated' end as becomes
    from usage_ready i
    left join usage_month m on m.month = date_trunc('month', i.started_at at time zone 'UTC')::date
    left join usage_known k on k.seq = i.seq`;
