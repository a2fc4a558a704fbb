import { readSnapshot } from '../../db/cursor.ts';
import type { Database } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type Breaker, bookRules } from './rules.ts';

/** How many of those that break a rule are named. */
const NAMED = 5;
/** For each sum and each join: those of a million invoices fit, and are otherwise written to disk and read again. */
const MEMORY = '64MB';

/** A rule of the books, with how many break it and some of them by name; 0 where it holds. */
export interface CheckedRule {
  readonly rule: string;
  readonly broken: number;
  readonly such: readonly string[];
}

/** Told of each rule before it is looked at; the first is 1 of all. */
export type OnRule = (rule: string, at: number, of: number) => void;

/**
 * Compares what the books of all customers say with each other, at one moment and without holding anybody up.
 * @throws {DatabaseUnavailable} when the database does not answer
 */
export const checkBooks = (exports: Database, onRule?: OnRule): Promise<readonly CheckedRule[]> =>
  readSnapshot(exports, async ({ many }) => {
    await many(sql`
      select set_config('work_mem', ${MEMORY}, true) where pg_size_bytes(current_setting('work_mem')) < pg_size_bytes(${MEMORY})`);
    const checked: CheckedRule[] = [];
    const rules = Object.entries(bookRules);
    for (const [rule, query] of rules) {
      onRule?.(rule, checked.length + 1, rules.length);
      const found = await many<Breaker & { readonly n: number }>(
        sql`select what, count(*) over ()::int as n from (${query}) broken limit ${NAMED}`,
      );
      checked.push({ rule, broken: found[0]?.n ?? 0, such: found.map(({ what }) => what) });
    }
    return checked;
  });
