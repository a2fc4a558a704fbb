import type { Database } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { Clock } from '../../../deps.ts';
import type { FileStore } from '../../../files/file-store.ts';
import type { Job } from '../../../jobs/worker.ts';
import type { EntityWriters } from '../entities/take-entities.ts';
import { dependentsOf, UNDO_TASK } from './service.ts';
import { undoEntities } from './undo-entities.ts';
import { undoDocuments, undoInvoices } from './undo-invoice.ts';
import { undoSlice } from './undo-usage.ts';

export interface UndoDeps {
  /** With time for long statements. */
  readonly db: Database;
  readonly files: FileStore;
  readonly writers: EntityWriters;
}

/**
 * Takes out again what an import made, slice by slice. Run again after a crash it goes on where it was; run twice it does
 * nothing more. Where something was booked about it since and nothing is out yet, it stays, and says why.
 */
export async function undoNow({ db, files, writers }: UndoDeps, id: string, now: Date): Promise<void> {
  const row = await db.maybeOne<{ undone_n: number }>(sql`
    select undone_n from import_file where id = ${id} and state = 'undoing'`);
  if (row === undefined) return;
  const against = row.undone_n > 0 ? undefined : await undoThings({ db, files, writers }, id, now);
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

/** Takes out first what may have to stay: then all of it stays. @returns why it has to */
async function undoThings(
  { db, files, writers }: UndoDeps,
  id: string,
  now: Date,
): Promise<string | undefined> {
  const dependents = await dependentsOf(db, id);
  if (dependents !== undefined) return dependents;
  const undone = await db.transaction((tx) => undoInvoices(tx, id, now));
  if (undone.against !== undefined) return undone.against;
  const documents = await db.transaction((tx) => undoDocuments(tx, id));
  for (const key of [...undone.fileKeys, ...documents]) await files.delete(key);
  return db.transaction((tx) => undoEntities(tx, id, writers, now));
}

/** The same as a job. */
export const importUndoJob = ({ clock, ...deps }: UndoDeps & { readonly clock: Clock }): Job => ({
  name: UNDO_TASK,
  run: (payload) => undoNow(deps, (payload as { readonly id: string }).id, clock.now()),
});
