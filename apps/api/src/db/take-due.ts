import type { Db } from './database.ts';
import { type Sql, sql } from './sql.ts';

/** More than takers that come at once: each passes by what another has just taken. */
const CANDIDATES = 32;

/** Key of most rows of a customer. */
export interface RowKey {
  readonly customer_id: string;
  readonly id: string;
}

/** How a row of a customer that is due becomes one process's own. */
export interface DueRows<Key, Row> {
  /** Keys of what is due, first things first, of all customers; without a limit. */
  readonly due: Sql<Key>;
  /**
   * Takes one by its key, with its `customer_id`: locks it with `skip locked` where it is still due, moves its time on
   * and returns it.
   */
  readonly take: (key: Key) => Sql<Row>;
}

/**
 * Takes the first row that is due and that nobody else has. To look for it and to take it are two statements: over
 * many machines only rows of one customer can be locked.
 * @returns undefined where nothing is due, or others hold all that is looked at
 */
export async function takeDue<Key, Row>(db: Db, { due, take }: DueRows<Key, Row>): Promise<Row | undefined> {
  for (const key of await db.many<Key>(sql`${due} limit ${sql.lit(CANDIDATES)}`)) {
    const row = await db.maybeOne<Row>(take(key));
    if (row !== undefined) return row;
  }
  return undefined;
}
