import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import * as rows from './job-queries.ts';

/** Between two rounds of {@link sweepReports}. */
export const SWEEP_EVERY_MS = 30_000;
const DAY_MS = 86_400_000;
/** A job without a file stays in the list so long. */
const LISTED_DAYS = 30;
/** No report takes longer than this, so what is unfinished since then belongs to nobody. */
const UNFINISHED_MS = DAY_MS;
const AT_ONCE = 500;

/** Fails what the queue has given up, deletes files whose time is over, forgets old jobs. */
export async function sweepReports(deps: {
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
}): Promise<void> {
  const now = deps.clock.now();
  const before = (ms: number) => new Date(now.getTime() - ms);
  // The file first: a row whose file is gone is found again, a file whose row has forgotten it is not. A worker may have
  // been killed between putting a file in its place and writing that down.
  for (const job of await rows.listAbandoned(deps.db, AT_ONCE)) {
    if (!(await rows.isAbandoned(deps.db, job))) continue;
    await deps.files.delete(rows.fileKeyOf(job, job.exportType));
    await deps.db.transaction((tx) => rows.failAbandoned(tx, job, now));
  }
  for (const row of await rows.listExpired(deps.db, now, AT_ONCE)) {
    await deps.files.delete(row.file_key);
    await deps.db.transaction((tx) => rows.forgetFile(tx, row));
  }
  await deps.db.transaction((tx) => rows.deleteOld(tx, before(LISTED_DAYS * DAY_MS)));
  await deps.files.removeUnfinished(before(UNFINISHED_MS));
}
