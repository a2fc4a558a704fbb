import type { Db } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Direction } from './attempt-row.ts';

/** Open attempts that stand alike. */
export interface OpenPayments {
  readonly direction: Direction;
  readonly state: string;
  readonly count: number;
  /** When the oldest was sent. */
  readonly oldest: Date;
}

/** Enough to see that something is wrong; counting more would cost more than it tells. */
const AT_MOST = 50_000;

/** How many attempts are open, by state, and since when. Charges and refunds apart. */
export const openPayments = (db: Db): Promise<OpenPayments[]> =>
  db.many<OpenPayments>(sql`
    select direction, state, count(*)::int as count, min(sent_at) as oldest
      from (select direction, state, sent_at from attempt where is_open limit ${AT_MOST}) as a
     group by direction, state`);
