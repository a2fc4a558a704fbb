import { readSnapshot } from '../../db/cursor.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Breaker, bookRules } from './rules.ts';

/** How many of those that break a rule are named. */
const NAMED = 5;

/** A rule of the books, with how many break it and some of them by name; 0 where it holds. */
export interface CheckedRule {
  readonly rule: string;
  readonly broken: number;
  readonly such: readonly string[];
}

/**
 * Compares what the books of all customers say with each other, at one moment and without holding anybody up.
 * @throws {DatabaseUnavailable} when the database does not answer
 */
export const checkBooks = (exports: Database): Promise<readonly CheckedRule[]> =>
  readSnapshot(exports, async ({ many }) => {
    const checked: CheckedRule[] = [];
    for (const [rule, query] of Object.entries(bookRules)) {
      const found = await many<Breaker & { readonly n: number }>(
        sql`select what, count(*) over ()::int as n from (${query}) broken limit ${NAMED}`,
      );
      checked.push({ rule, broken: found[0]?.n ?? 0, such: found.map(({ what }) => what) });
    }
    return checked;
  });
