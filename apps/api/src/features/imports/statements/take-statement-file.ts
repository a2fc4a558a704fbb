import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database } from '../../../db/database.ts';
import type { FileReport } from '../report/report.ts';
import { digestOf, readBytes } from '../text/source-file.ts';
import { nameOfStatement, readStatement, type StatementFormat } from './read-statement.ts';
import type { StatementReading, Unreadable } from './reading.ts';
import { countsInWords, createdOf, takeStatement } from './take-statement.ts';

/** What became of a statement's file. */
export type TakenStatementFile = { readonly digest: Buffer } & (
  | Unreadable
  | {
      /** Of the import that its entries name. */
      readonly fileId: string;
      readonly report: FileReport;
      readonly faults: StatementReading['faults'];
    }
);

/** Takes the statement that lies in a file in, as {@link takeStatement}. */
export async function takeStatementFile(
  db: Database,
  { resellerId, now }: { readonly resellerId: number; readonly now: Date },
  format: StatementFormat,
  file: string,
): Promise<TakenStatementFile> {
  const digest = await digestOf(file);
  const reading = await readStatement(
    format,
    readBytes(file, () => undefined),
  );
  if ('reason' in reading) return { ...reading, digest };
  const fileId = newId(now.getTime());
  const { counts } = await takeStatement(db, reading, { resellerId, fileId, now });
  const report = {
    file,
    format: nameOfStatement(format),
    created: createdOf(counts),
    updated: 0,
    unchanged: counts.known,
    quarantined: reading.faults.length,
    warnings: reading.warnings,
    statement: countsInWords(counts),
  };
  return { digest, fileId, report, faults: reading.faults };
}
