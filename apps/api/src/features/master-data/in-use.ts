import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { type EntityRow, thingsOf } from './entity.ts';

/**
 * Refuses to delete things that something else of their customers is about.
 * @param tables in which that may be, `column` naming the thing
 * @throws {AppError} reference.inUse
 */
export async function refuseUsedBy(
  tx: Tx,
  rows: readonly EntityRow<unknown>[],
  tables: readonly string[],
  column: string,
): Promise<void> {
  // A join for each table: Citus takes no conditions that look from a list of things into what is spread by customers.
  const uses = tables.map(
    (table) => sql`
      (select 1 from ${thingsOf(rows)}
         join ${sql.table(table)} x on x.customer_id = g.customer and x.${sql.id(column)} = g.id limit 1)`,
  );
  const used = await tx.maybeOne(sql`${sql.join(uses, sql` union all `)} limit 1`);
  if (used !== undefined) throw new AppError('reference.inUse');
}
