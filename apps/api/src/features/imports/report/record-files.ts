import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfImports } from '../../../messages/import-messages.ts';
import type { FileReport, QuarantineEntry } from './report.ts';

/** A file that was dealt with. */
export interface DoneFile {
  /** Of its import. */
  readonly id: string;
  readonly report: FileReport;
  /** sha256 of its bytes. */
  readonly digest: Buffer;
  readonly quarantine: readonly QuarantineEntry[];
}

/** Records files and what they came to, and tells of it: as many statements for a hundred as for one. */
export async function recordFiles(
  tx: Tx,
  resellerId: number,
  files: readonly DoneFile[],
  at: Date,
): Promise<void> {
  const rows = files.map(({ id, report, digest }) => ({
    ...report,
    id,
    digest: digest.toString('hex'),
  }));
  await tx.execute(sql`
    insert into import_file (id, reseller_id, name, digest, format, state, created_n, updated_n, unchanged_n,
                             quarantined_n, corrected_n, warnings, started_at, finished_at)
    select f.id, ${resellerId}, f.file, decode(f.digest, 'hex'), f.format, 'done', f.created, f.updated, f.unchanged,
           f.quarantined, 0, f.warnings, ${at}, ${at}
      from json_to_recordset(${JSON.stringify(rows)}::json) as f(id uuid, file text, digest text, format text,
           created int, updated int, unchanged int, quarantined int, warnings jsonb)`);
  const asides = files.flatMap(({ id, quarantine }) =>
    quarantine.map(({ reason, ...entry }) => ({
      ...entry,
      // What was cut short may end in half a character.
      reason: reason.toWellFormed(),
      fileId: id,
      id: newId(at.getTime()),
    })),
  );
  if (asides.length > 0)
    await tx.execute(sql`
      insert into import_quarantine (id, file_id, line, reason, cause, at)
      select q.id, q."fileId", q.line, q.reason, q.cause, ${at}
        from json_to_recordset(${JSON.stringify(asides)}::json)
          as q(id uuid, "fileId" uuid, line int, reason text, cause text)`);
  await tellOfImports(
    tx,
    files.map(({ id }) => id),
    at,
  );
}
