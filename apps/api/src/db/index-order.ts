import type { Ahead } from './send.ts';
import type { Sql } from './sql.ts';

const NAME = 'counterfoil_in_index_order';

/**
 * Makes a new connection know {@link IN_INDEX_ORDER}. Citus finds the machine of a statement by its values, and refuses a plan without
 * them: there each call is planned, by that machine.
 */
export const PREPARE_IN_INDEX_ORDER = `prepare ${NAME} as
  select set_config('plan_cache_mode',
                    case when current_setting('citus.shard_count', true) is null then 'force_generic_plan' else 'auto' end, true),
         set_config('enable_sort', 'off', true), set_config('enable_incremental_sort', 'off', true)`;

/** Has the statement after it planned once, and without sorting. */
export const IN_INDEX_ORDER: Ahead = { statement: NAME, values: [] };

const walks = new WeakSet<Sql>();

/**
 * A statement that reads rows in the order of an index from a key on, where nearly all that stands there is wanted. Through two years of
 * months planning takes several times as long as the walk, so each connection plans it once; for values that it does not see PostgreSQL
 * would guess that few rows are meant, and sort these: it may not sort. Inside a transaction it is a statement like any other.
 */
export function inIndexOrder<Row>(query: Sql<Row>): Sql<Row> {
  walks.add(query);
  return query;
}

export const isInIndexOrder = (query: Sql): boolean => walks.has(query);
