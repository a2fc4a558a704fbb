import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { attachMonth, prepareMonth } from '../../features/usage/months/months.ts';
import { decimalOf, sumUsage, type UsageSum, usageLineId } from '../world/bills.ts';
import type { DemoMonth } from '../world/calendar.ts';
import type { DemoItem } from '../world/subscriptions.ts';
import { type DemoType, typeId } from '../world/tariff.ts';
import { type DemoRecord, type UsageScope, usageOf } from '../world/usage.ts';

/** The usage of one customer and month, added up. */
export interface MonthSums {
  readonly scope: UsageScope;
  readonly month: DemoMonth;
  readonly sums: readonly UsageSum[];
}

/** Text on its way into the tables, outside the heap; rows by month of UTC, 'YYYY-MM'. */
interface Waiting {
  readonly rows: Map<string, Buffer[]>;
  readonly billed: Buffer[];
}

const columns =
  'customer_id, started_at, id, agreement_id, record_type_id, service_item_id, service_item2, service_item3, units, price, content_hash';

/**
 * Writes all usage records and which charge bills each. A month nobody has seen yet is filled before its indexes are
 * built, which takes half the time. Only two months are in memory at a time.
 * @returns the sums, which the invoices are drawn up from
 */
export async function writeUsage(
  tx: Tx,
  scopes: readonly UsageScope[],
  months: readonly DemoMonth[],
): Promise<readonly MonthSums[]> {
  const all: MonthSums[] = [];
  const waiting: Waiting = { rows: new Map(), billed: [] };
  let writing = Promise.resolve();
  for (const month of months) {
    for (const scope of scopes) {
      const records = usageOf(scope, month);
      all.push({ scope, month, sums: sumUsage(scope, records) });
      addText(waiting, scope, month, records);
      // The database works on the months before meanwhile, and wants to be fed.
      await setImmediate();
    }
    await writing;
    // A brand's month begins and ends some hours before or after UTC's: what lies before this one is complete.
    writing = flush(tx, waiting, month.start);
  }
  await writing;
  await flush(tx, waiting, null);
  return all;
}

/** Copies the months before a day, or all. */
async function flush(tx: Tx, { rows, billed }: Waiting, before: string | null): Promise<void> {
  const links = billed.splice(0);
  const complete = [...rows].filter(([month]) => before === null || month < before.slice(0, 7));
  for (const [month] of complete) rows.delete(month);
  for (const [name, chunks] of complete.sort(([a], [b]) => (a < b ? -1 : 1))) {
    const month = `${name}-01`;
    const partition = await prepareMonth(tx, month);
    // What is made in this transaction can be written as old already, so that nobody has to vacuum it later.
    const how = partition === null ? '' : ' with (freeze)';
    await copy(tx, `${partition ?? 'usage_record'} (${columns}) from stdin${how}`, chunks);
    if (partition !== null) await attachMonth(tx, month);
  }
  await copy(tx, 'usage_billed (customer_id, started_at, id, invoice_line_id) from stdin', links);
}

async function copy(tx: Tx, target: string, chunks: readonly Buffer[]): Promise<void> {
  const client = await tx.connection();
  await pipeline(Readable.from(chunks), client.query(copyFrom(`copy ${target}`)));
}

/** Adds the records of a customer's month, as COPY takes them. */
function addText(
  { rows, billed }: Waiting,
  scope: UsageScope,
  month: DemoMonth,
  records: readonly DemoRecord[],
): void {
  const known = new Map<string, { readonly columns: string; readonly line: string }>();
  const sharedBy = (item: DemoItem, type: DemoType) => {
    const of = `${item.id}${type.code}`;
    const before = known.get(of);
    if (before !== undefined) return before;
    const shared = {
      columns: `${item.agreement.id}\t${typeId(scope.brand.resellerId, type)}\t${item.id}`,
      line: usageLineId(scope, month, item, type),
    };
    known.set(of, shared);
    return shared;
  };
  let text = '';
  let links = '';
  let utcMonth = '';
  const keep = () => {
    if (text !== '') rows.set(utcMonth, [...(rows.get(utcMonth) ?? []), Buffer.from(text)]);
    text = '';
  };
  // They come in time order: two or three months of UTC, one after the other.
  for (const { at, id, item, type, second, third, units, price, contentHash } of records) {
    const shared = sharedBy(item, type);
    const time = new Date(at).toISOString();
    if (!time.startsWith(utcMonth) || utcMonth === '') {
      keep();
      utcMonth = time.slice(0, 7);
    }
    const key = `${scope.customer.id}\t${time}\t${id}`;
    text += `${key}\t${shared.columns}\t${second}\t${third}\t${units}\t${decimalOf(price)}\t${contentHash}\n`;
    links += `${key}\t${shared.line}\n`;
  }
  keep();
  if (links !== '') billed.push(Buffer.from(links));
}

/** Adds the records up into the rollups. Nobody else has records of these customers yet. */
export async function writeRollups(tx: Tx, customerIds: readonly string[]): Promise<void> {
  const ours = sql`where customer_id = any(${[...customerIds]}::uuid[])`;
  const day = sql`(started_at at time zone 'UTC')::date`;
  const month = sql`date_trunc('month', started_at at time zone 'UTC')::date`;
  const sums = sql`count(*)::int, sum(units), sum(price)`;
  await tx.execute(sql`
    insert into usage_type_day (customer_id, record_type_id, agreement_id, day, n, units, price)
    select customer_id, record_type_id, agreement_id, ${day}, ${sums} from usage_record ${ours} group by 1, 2, 3, 4`);
  await tx.execute(sql`
    insert into usage_day (customer_id, day, n, units, price)
    select customer_id, day, sum(n), sum(units), sum(price) from usage_type_day ${ours} group by 1, 2`);
  await tx.execute(sql`
    insert into usage_item_month (customer_id, service_item_id, agreement_id, month, n, units, price)
    select customer_id, service_item_id, agreement_id, ${month}, ${sums} from usage_record ${ours} group by 1, 2, 3, 4`);
  await tx.execute(sql`
    insert into usage_version (customer_id, month, version)
    select distinct customer_id, month, 1 from usage_item_month ${ours}`);
}
