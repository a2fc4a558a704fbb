import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import type { FileStore } from '../../../files/file-store.ts';
import type { Job } from '../../../jobs/worker.ts';
import { findMapping } from '../mappings/find-mapping.ts';
import { takeUsage } from '../usage/take-usage.ts';
import { failUpload, findUploadJob, type UploadJobRow } from './queries.ts';
import { UPLOAD_TASK } from './upload.ts';

export interface UploadJobDeps {
  /** With time for long statements. */
  readonly db: Database;
  readonly clock: Clock;
  readonly files: FileStore;
}

/** Takes an uploaded file in. Run again after a crash it goes on where it was; run twice it does nothing more. */
export function usageImportJob(deps: UploadJobDeps): Job {
  return {
    name: UPLOAD_TASK,
    async run(payload) {
      const { id } = payload as { id: string };
      const row = await findUploadJob(deps.db, id);
      if (row === undefined) return;
      await take(deps, id, row);
      await deps.files.delete(row.file_key);
    },
  };
}

async function take({ db, clock, files }: UploadJobDeps, id: string, row: UploadJobRow): Promise<void> {
  const { mapping: name, format, customerId, timeZone } = row.options;
  const mapping = await findMapping(db, row.reseller_id, name);
  const now = clock.now();
  const stored = await files.read(row.file_key);
  stored?.content.destroy();
  if (mapping === undefined || stored === undefined) {
    await db.transaction((tx) => failUpload(tx, id, now));
    return;
  }
  const source = { name: row.name, digest: row.digest, read: () => contentOf(files, row.file_key) };
  const taken = await takeUsage(db, source, {
    target: { resellerId: row.reseller_id, defaultCustomerId: customerId },
    mapping: { ...mapping, format },
    timeZone: timeZone ?? undefined,
    now,
    runId: id,
  });
  // A worker that was taken for dead is still at it.
  if (taken === null) throw new Error('another worker imports this file; looking again later');
}

async function* contentOf(files: FileStore, key: string): AsyncGenerator<Uint8Array> {
  const file = await files.read(key);
  if (file === undefined) throw new Error('the stored file is gone');
  for await (const piece of file.content) yield piece as Uint8Array;
}
