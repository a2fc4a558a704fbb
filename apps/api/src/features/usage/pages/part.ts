import { inIndexOrder } from '../../../db/index-order.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { comparing, type ValueOrder, walkOrder } from './sort.ts';

/** A run of records that can be read in order from an index. A page is one to three of them. */
export interface Part {
  /** On `usage_record u`, customer included. */
  readonly where: Sql<boolean>;
  /** Goes before time and id. */
  readonly by?: Sql;
  /** From its end: what is read first stands last. */
  readonly isReversed: boolean;
  readonly skip: number;
  readonly take: number;
  /** What is filtered by stands in the index of the order: rows that are left out need not be fetched. */
  readonly isFilteredByIndex?: boolean;
  /** By which it begins or ends at a value. */
  readonly order?: ValueOrder;
  /** Whose records these are, where nearly all that stands in the index from there on is wanted: then the walk is planned once. */
  readonly denseCustomerId?: string;
}

/** Records in ascending order by a statement of their own. */
export interface ReadyPart {
  readonly statement: Sql<RecordRow>;
  readonly isReversed: false;
}

/** A record without names, as it is read. */
export interface RecordRow {
  id: string;
  /** To the microsecond, ISO 8601, UTC. */
  started_at: string;
  service_item_id: string;
  record_type_id: string;
  service_item2: string;
  service_item3: string;
  units: string;
  price: string;
  has_price: boolean;
}

export const recordColumns: Sql = sql.raw(`u.id, (u.started_at at time zone 'UTC')::text || 'Z' as started_at,
  u.service_item_id, u.record_type_id, u.service_item2, u.service_item3, u.units, u.price, u.has_price`);

/** The record of a key `k`, looked up by itself: as a join it might be planned in another order. */
export const recordByKey = (customerId: string): Sql => sql`lateral (
  select * from usage_record u
   where u.customer_id = ${customerId} and u.started_at = k.started_at and u.id = k.id limit 1)`;

/** Beyond this many skipped records it is cheaper to walk the index alone and fetch the rows by key. */
const SKIPPED_WITH_ROWS = 100;

/** The records of a part; of one that is reversed, the last first. */
export function partStatement(part: Part | ReadyPart): Sql<RecordRow> {
  if ('statement' in part) return part.statement;
  const statement = statementOf(part);
  return part.order === undefined ? statement : comparing(part.order, statement);
}

function statementOf(part: Part): Sql<RecordRow> {
  const { where, by, isReversed, skip, take, isFilteredByIndex, denseCustomerId } = part;
  const direction = isReversed ? sql`desc` : sql`asc`;
  const order = walkOrder(by, isReversed);
  if (skip <= SKIPPED_WITH_ROWS && isFilteredByIndex !== true) {
    const walk = sql<RecordRow>`
      select ${recordColumns} from usage_record u where ${where} order by ${order} limit ${take} offset ${skip}`;
    return denseCustomerId === undefined ? walk : inIndexOrder(walk);
  }
  if (denseCustomerId !== undefined)
    return inIndexOrder(sql`
      select ${recordColumns}
        from (select ${by ?? sql`null`} as value, u.started_at, u.id from usage_record u
               where ${where} order by ${order} limit ${take} offset ${skip}) k
       cross join ${recordByKey(denseCustomerId)} u
       order by k.value ${direction}, k.started_at ${direction}, k.id ${direction}`);
  return sql`
    select ${recordColumns}
      from (select u.customer_id, u.started_at, u.id from usage_record u
             where ${where} order by ${order} limit ${take} offset ${skip}) k
      join usage_record u on u.customer_id = k.customer_id and u.started_at = k.started_at and u.id = k.id
     where ${where}
     order by ${order}`;
}

/** The run that holds positions `from` to `to` of `n`, read from its nearer end. */
export function partOf(
  run: Pick<Part, 'where' | 'by' | 'isFilteredByIndex'>,
  n: number,
  { from, to }: { readonly from: number; readonly to: number },
): Part {
  const isReversed = from > n - to;
  return { ...run, isReversed, skip: isReversed ? n - to : from, take: to - from };
}
