import type { UsageOrder } from '@counterfoil/contract/usage.ts';
import type pg from 'pg';

/** A page asked for in the plainest words there are. */
export interface PlainQuery {
  readonly customerId: string;
  /** Days, both included. */
  readonly dateFrom: string;
  readonly dateTo: string;
  readonly agreement?: string | undefined;
  readonly service?: string | undefined;
  readonly recordType?: string | undefined;
  readonly serviceItem?: string | undefined;
  readonly number?: string | undefined;
  readonly order: UsageOrder;
  readonly isDescending: boolean;
}

const orderBy: Readonly<Record<UsageOrder, readonly string[]>> = {
  date: [],
  serviceItemName: ['si.name', 'si.id'],
  serviceItemDescription: ['si.description', 'si.name', 'si.id'],
  siteName: ['si.site', 'si.name', 'si.id'],
  costCentre: ['si.cost_centre', 'si.name', 'si.id'],
  serviceItem2: ['u.service_item2'],
  serviceItem3: ['u.service_item3'],
  units: ['u.units'],
  price: ['u.price'],
  recordType: ['r.description'],
};

/** What every page must agree with: all records of a query, sorted as a whole and counted one by one. */
export async function plainUsage(
  pool: pg.Pool,
  query: PlainQuery,
): Promise<{ ids: string[]; units: string; price: string }> {
  const direction = query.isDescending ? 'desc nulls first' : 'asc nulls last';
  const terms = [...orderBy[query.order], 'u.started_at', 'u.id'].map((term) => `${term} ${direction}`);
  const { rows } = await pool.query<{ id: string; units: string; price: string }>(
    `select u.id, sum(u.units) over ()::text as units, sum(u.price) over ()::text as price
       from usage_record u
       join service_item si on si.customer_id = u.customer_id and si.id = u.service_item_id
       join record_type r on r.id = u.record_type_id
      where u.customer_id = $1 and (u.started_at at time zone 'UTC')::date between $2 and $3
        and ($4::uuid is null or u.agreement_id = $4) and ($5::uuid is null or r.service_id = $5)
        and ($6::uuid is null or u.record_type_id = $6) and ($7::uuid is null or u.service_item_id = $7)
        and starts_with(u.service_item2, coalesce($8, ''))
        and not exists (select from usage_month m
                         where m.month = date_trunc('month', u.started_at at time zone 'UTC') and m.state = 'archived')
      order by ${terms.join(', ')}`,
    [
      query.customerId,
      query.dateFrom,
      query.dateTo,
      query.agreement,
      query.service,
      query.recordType,
      query.serviceItem,
      query.number,
    ],
  );
  return {
    ids: rows.map(({ id }) => id),
    units: rows[0]?.units ?? '0',
    price: rows[0]?.price ?? '0',
  };
}
