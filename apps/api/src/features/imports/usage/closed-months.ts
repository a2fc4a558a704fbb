import { hasCitus } from '../../../db/catalogue.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { MonthState } from '../../usage/service.ts';
import type { RejectedLine } from './row.ts';

/** The rows of a slice that its months do not take. */
export interface SetAside {
  readonly unchanged: number;
  readonly rejected: readonly RejectedLine[];
}

const monthOf = (column: string) => sql`date_trunc('month', ${sql.ref(column)} at time zone 'UTC')::date`;

/**
 * The states of months, which stay what they are until the transaction ends. On Citus one import at a time holds a month: two that lock
 * it to share it at once are ended there as a deadlock.
 * @param months 'YYYY-MM-01'
 */
export async function holdMonths(
  tx: Tx,
  months: readonly string[],
): Promise<ReadonlyMap<string, MonthState>> {
  const held = (await hasCitus(tx)) ? sql`for no key update` : sql`for share`;
  const rows = await tx.many<{ month: string; state: MonthState }>(sql`
    select month::text as month, state from usage_month where month = any(${[...months]}::date[]) order by month ${held}`);
  return new Map(rows.map(({ month, state }) => [month, state]));
}

/** Closed and archived months take nothing new; what they have already is known. */
export async function setClosedAside(tx: Tx, states: ReadonlyMap<string, MonthState>): Promise<SetAside> {
  const closed = [...states].flatMap(([month, state]) => (state === 'open' ? [] : [month]));
  if (closed.length === 0) return { unchanged: 0, rejected: [] };
  const isClosed = sql`${monthOf('i.started_at')} = any(${closed}::date[])`;
  const unchanged = await tx.execute(sql`
    delete from usage_incoming i using usage_record r
     where r.customer_id = i.customer_id and r.started_at = i.started_at and r.id = i.id
       and r.content_hash = i.content_hash and ${isClosed}`);
  const rows = await tx.many<{ line: bigint; id: string; month: string }>(sql`
    delete from usage_incoming i where ${isClosed} returning line, id, ${monthOf('i.started_at')}::text as month`);
  return { unchanged, rejected: rows.map((row) => rejectedBy(row, states)) };
}

/** A line that a month no longer takes. */
export const rejectedBy = (
  { line, id, month }: { readonly line: bigint; readonly id: string; readonly month: string },
  states: ReadonlyMap<string, MonthState>,
): RejectedLine => ({
  line: Number(line),
  reason: `month ${states.get(month) ?? 'closed'}: ${month.slice(0, 7)} takes no more records`,
  cause: 'month',
  identity: id,
});
