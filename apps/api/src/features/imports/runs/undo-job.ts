import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Clock } from '../../../deps.ts';
import type { Job } from '../../../jobs/worker.ts';
import { dependentsOf, UNDO_TASK } from './service.ts';
import { undoInvoices } from './undo-invoice.ts';
import { undoSlice } from './undo-usage.ts';

/**
 * Takes out again what an import made, slice by slice. Run again after a crash it goes on where it was; run twice it does
 * nothing more. Where something was booked about it since and nothing is out yet, it stays, and says why.
 * @param db with time for long statements
 */
export async function undoNow(db: Database, id: string, now: Date): Promise<void> {
  const row = await db.maybeOne<{ undone_n: number }>(sql`
    select undone_n from import_file where id = ${id} and state = 'undoing'`);
  if (row === undefined) return;
  const against =
    row.undone_n > 0
      ? undefined
      : ((await dependentsOf(db, id)) ?? (await db.transaction((tx) => undoInvoices(tx, id, now))));
  if (against !== undefined) {
    await db.transaction((tx) =>
      tx.execute(sql`
        update import_file
           set state = case when is_stopped then 'stopped' else 'done' end, undo_refused = ${against}
         where id = ${id} and state = 'undoing'`),
    );
    return;
  }
  while (await db.transaction((tx) => undoSlice(tx, id)));
  await db.transaction(async (tx) => {
    // What waited of the file would come in by itself.
    await tx.execute(sql`delete from quarantine_entry where file_id = ${id}`);
    await tx.execute(sql`
      update import_file set state = 'undone', undo_refused = null where id = ${id} and state = 'undoing'`);
  });
}

/** The same as a job. */
export const importUndoJob = ({ db, clock }: { readonly db: Database; readonly clock: Clock }): Job => ({
  name: UNDO_TASK,
  run: (payload) => undoNow(db, (payload as { readonly id: string }).id, clock.now()),
});
