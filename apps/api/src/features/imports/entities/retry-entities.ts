import { AppError } from '../../../app-error.ts';
import { type BulkOutcome, type GivenLine, putInBulk } from '../../../bulk/bulk.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { RetrySlice } from '../quarantine/queries.ts';
import { nextTry } from '../quarantine/rows.ts';
import { keepMadeEntities } from '../runs/changes.ts';
import { entityKind } from './kinds.ts';
import { withCustomersByName } from './named-customers.ts';
import { asideOf } from './rows-aside.ts';
import type { EntityWriters } from './take-entities.ts';

/**
 * Tries rows again that an import set aside. Each leaves the quarantine in the transaction that writes it, and counts as one of
 * those that its import made.
 * @returns how many went in
 */
export async function retryEntities(
  { db, writers }: { readonly db: Database; readonly writers: EntityWriters },
  { resellerId, fileId, columns, rows }: RetrySlice,
  now: Date,
): Promise<number> {
  if (columns === null) throw new Error('a row is of some kind');
  const { bulk } = entityKind(columns.entity);
  let taken = 0;
  const alongside = async (tx: Tx, outcomes: readonly BulkOutcome[]): Promise<void> => {
    const isIn = outcomes.filter(({ status }) => status !== 'refused');
    const made = isIn.filter(({ status, isAdopted }) => status === 'created' && isAdopted !== true);
    const updated = isIn.filter(({ status }) => status !== 'unchanged').length - made.length;
    await keepMadeEntities(tx, fileId, bulk, made, now);
    await tx.execute(sql`
      update import_file set created_n = created_n + ${made.length}, updated_n = updated_n + ${updated},
             corrected_n = corrected_n + ${updated}
       where id = ${fileId}`);
    const idOf = (line: number) => rows[line - 1]?.id ?? '';
    await tx.execute(sql`
      delete from quarantine_entry where id = any(${isIn.map(({ line }) => idOf(line))}::uuid[])`);
    const aside = outcomes
      .filter(({ status }) => status === 'refused')
      .map(asideOf)
      .map(({ line, cause, reason, missing }) => ({ id: idOf(line), cause, reason, missing }));
    await tx.execute(sql`
      update quarantine_entry q
         set cause = f.cause, reason = f.reason, missing = f.missing, tries = tries + 1, tried_at = ${now},
             next_try_at = ${nextTry(now)}
        from jsonb_to_recordset(${JSON.stringify(aside)}::jsonb) as f(id uuid, cause text, reason text, missing text[])
       where q.id = f.id`);
    taken += isIn.length;
  };
  const work = putInBulk(
    { db, clock: { now: () => now }, alongside },
    writers(bulk),
    { resellerId, by: { actor: 'import' } },
    withCustomersByName(db, resellerId, linesOfRows(rows)),
    () => Promise.resolve(),
  );
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // Another file of the kind is at it: they are tried when it has ended.
    const ids = rows.map(({ id }) => id);
    await db.transaction((tx) =>
      tx.execute(sql`
        update quarantine_entry set tried_at = ${now}, next_try_at = ${nextTry(now)} where id = any(${ids}::uuid[])`),
    );
  }
  return taken;
}

/** Each has its place among them for its line. */
async function* linesOfRows(rows: RetrySlice['rows']): AsyncGenerator<readonly GivenLine[]> {
  yield rows.map(({ record }, at) => ({
    line: at + 1,
    length: record.length,
    value: JSON.parse(record.toString()) as unknown,
  }));
}
