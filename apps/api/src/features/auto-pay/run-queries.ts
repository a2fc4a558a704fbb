import type { AutoPayRow } from '@counterfoil/contract/operator/paying/auto-pay-runs.ts';
import type { Day } from '@counterfoil/domain/time/day.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { firstBrands } from '../brand/queries.ts';

/** What Auto-Pay decided about an invoice, with the zone of its customer's brand, whose day counts. */
const runs = sql`
  autopay_run r
    join customer c on c.customer_id = r.customer_id
    left join ${firstBrands} f on f.reseller_id = c.reseller_id
    join brand b on b.id = coalesce(c.brand_id, f.id, 0)
    left join attempt a on a.customer_id = r.customer_id and a.id = r.attempt_id`;

const outcome = sql`
  case when r.attempt_id is null then 'skipped' when a.is_open then 'underWay' when a.state = 'succeeded' then 'charged'
       when a.state = 'declined' then 'declined' else 'failed' end`;

const dayOfRun = sql`(r.at at time zone b.time_zone)::date`;

/** Moments that may be one of these days somewhere; the last day of the calendar has one after it there. */
const within = (from: Day, to: Day) => sql`
  r.at >= (${from}::date - 1)::timestamp at time zone 'UTC'
  and r.at < (${to}::date + 2)::timestamp at time zone 'UTC'`;

/** The customers of a brand; of every one where none is named. */
const ofBrand = (brandId: number | undefined) =>
  sql`(${brandId ?? null}::int is null or b.id = ${brandId ?? null})`;

/** How many decisions of a day ended how and why, and what was taken, minor units; the latest day first. */
export const countRuns = (
  db: Db,
  resellerId: number,
  { from, to, brandId }: { readonly from: Day; readonly to: Day; readonly brandId: number | undefined },
) =>
  db.many<{
    day: Day;
    outcome: AutoPayRow['outcome'];
    reason: string | null;
    n: number;
    currency: string | null;
    taken_minor: bigint | null;
  }>(sql`
    select ${dayOfRun} as day, ${outcome} as outcome,
           case when r.attempt_id is null then r.reason end as reason, t.currency, count(*)::int as n,
           sum(t.amount_minor)::bigint as taken_minor
      from ${runs} left join capture t on t.customer_id = a.customer_id and t.attempt_id = a.id
     where c.reseller_id = ${resellerId} and ${within(from, to)} and ${dayOfRun} between ${from} and ${to}
       and ${ofBrand(brandId)}
     group by 1, 2, 3, 4 order by 1 desc, 2, n desc, 3, 4`);

export interface RunRow {
  invoice_id: string;
  number: string;
  customer_id: string;
  label: string;
  at: Date;
  outcome: AutoPayRow['outcome'];
  reason: string | null;
  amount_minor: bigint | null;
  currency: string;
  attempt_id: string | null;
}

export interface RunFilter {
  readonly resellerId: number;
  readonly day: Day;
  readonly brandId: number | undefined;
  readonly customerId?: string | undefined;
  readonly outcome?: AutoPayRow['outcome'] | undefined;
  /** Id of the invoice after which the page begins. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** The invoices of one day's run in the order of their ids; two decisions about the last one both come. */
export const listRunRows = (db: Db, of: RunFilter) =>
  db.many<RunRow>(sql`
    select r.invoice_id, i.number, r.customer_id, c.label, r.at, ${outcome} as outcome, r.reason, a.amount_minor,
           coalesce(a.currency, i.currency) as currency, r.attempt_id
      from ${runs} join invoice i on i.customer_id = r.customer_id and i.id = r.invoice_id
     where c.reseller_id = ${of.resellerId} and ${within(of.day, of.day)} and ${dayOfRun} = ${of.day}
       and ${ofBrand(of.brandId)}
       and (${of.customerId ?? null}::uuid is null or r.customer_id = ${of.customerId ?? null})
       and (${of.outcome ?? null}::text is null or ${outcome} = ${of.outcome ?? null})
       and (${of.after ?? null}::uuid is null or r.invoice_id > ${of.after ?? null})
     order by r.invoice_id fetch first ${of.limit} rows with ties`);
