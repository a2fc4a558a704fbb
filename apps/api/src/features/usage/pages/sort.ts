import type { UsageOrder } from '@counterfoil/contract/usage.ts';
import { asOwner } from '../../../db/row-security/for-customer.ts';
import { type Sql, sql } from '../../../db/sql.ts';

/** An order of usage records. Descending is the exact reverse of ascending, ties and nulls included. */
export interface UsageSort {
  readonly order: UsageOrder;
  readonly isDescending: boolean;
}

/** Orders by a figure or text of the record itself, by its column. */
export const valueColumns = {
  price: 'price',
  units: 'units',
  serviceItem2: 'service_item2',
  serviceItem3: 'service_item3',
} as const;
export type ValueOrder = keyof typeof valueColumns;

/** Orders by something of the line, by its column of `service_item`. */
export const lineColumns = {
  serviceItemName: 'name',
  serviceItemDescription: 'description',
  siteName: 'site',
  costCentre: 'cost_centre',
} as const;
export type LineOrder = keyof typeof lineColumns;

export const isValueOrder = (order: UsageOrder): order is ValueOrder => order in valueColumns;
/** Their columns are `numeric`. */
export const isFigureOrder = (order: ValueOrder): boolean => order === 'price' || order === 'units';
/**
 * A statement that looks values of this order up. Figures are looked up as the owner: for the role of customers PostgreSQL would compare
 * them after the policy only, without their index. The statement has to name the customer.
 */
export const comparing = <Row>(order: ValueOrder, query: Sql<Row>): Sql<Row> =>
  isFigureOrder(order) ? asOwner(query) : query;
export const isLineOrder = (order: UsageOrder): order is LineOrder => order in lineColumns;

/**
 * What records `u` with their lines `si` and types `r` are ordered by: equal values by line (name, then id) where the
 * order is one of lines, always ending in time and id, everything in the same direction. Null stands last ascending.
 */
export function usageOrderBy({ order, isDescending }: UsageSort): Sql {
  const direction = isDescending ? sql`desc nulls first` : sql`asc nulls last`;
  return sql.join(
    [...leadingTerms(order), sql`u.started_at`, sql`u.id`].map((term) => sql`${term} ${direction}`),
  );
}

function leadingTerms(order: UsageOrder): Sql[] {
  if (order === 'date') return [];
  if (order === 'recordType') return [sql`r.description`];
  if (isValueOrder(order)) return [sql.ref(`u.${valueColumns[order]}`)];
  return [...new Set([lineColumns[order], 'name', 'id'])].map((column) => sql.ref(`si.${column}`));
}

/** The order in which an index is walked. @param by goes before time and id */
export function walkOrder(by: Sql | undefined, isReversed: boolean): Sql {
  const direction = isReversed ? sql`desc` : sql`asc`;
  const terms = [...(by === undefined ? [] : [by]), sql`u.started_at`, sql`u.id`];
  return sql.join(terms.map((term) => sql`${term} ${direction}`));
}
