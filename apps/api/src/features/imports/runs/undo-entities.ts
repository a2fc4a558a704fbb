import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { AppError } from '../../../app-error.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { entityKind } from '../entities/kinds.ts';
import type { EntityWriters } from '../entities/take-entities.ts';

/**
 * Takes out again what rows of a file have made, the last first, all in the caller's transaction.
 * @returns why that cannot be; then nothing has changed
 */
export async function undoEntities(
  tx: Tx,
  fileId: string,
  writers: EntityWriters,
  now: Date,
): Promise<string | undefined> {
  const file = await tx.maybeOne<{ reseller_id: number; columns: EntityMapping | null }>(sql`
    select reseller_id, options -> 'columns' as columns from import_file where id = ${fileId}`);
  if (file === undefined || file.columns === null) return undefined;
  const { takeOut } = writers(entityKind(file.columns.entity).bulk);
  if (takeOut === undefined) return undefined;
  const of = { resellerId: file.reseller_id, by: { actor: 'import' } };
  const parts = await tx.many<{ id: string }>(sql`
    select id from import_change where file_id = ${fileId} and kind = 'entity' order by made_at desc, id desc`);
  await tx.execute(sql`savepoint undo_entities`);
  try {
    for (const { id } of parts) {
      const made = await tx.many<{ id: string; reference: string }>(sql`
        select m.id, m.reference
          from import_change c cross join lateral unnest(c.ids, c.refs) as m(id, reference) where c.id = ${id}`);
      await takeOut(tx, of, made, now);
      await tx.execute(sql`
        update import_file set undone_n = undone_n + ${made.length} where id = ${fileId}`);
      await tx.execute(sql`delete from import_change where id = ${id}`);
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await tx.execute(sql`rollback to savepoint undo_entities`);
    return error.text;
  }
  return undefined;
}
