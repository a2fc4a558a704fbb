import { newId } from '@counterfoil/domain/text/ids.ts';
import { withDocuments } from '../../invoices/service.ts';
import { type ImportedFiles, nameOf } from '../import-request.ts';
import { keepDocument, keepUnread, settleDocuments } from '../quarantine/documents.ts';
import { entryOf } from '../report/entries.ts';
import { recordFiles } from '../report/record-files.ts';
import type { FileOutcome } from '../report/report.ts';
import { keepMadeInvoices } from '../runs/changes.ts';
import type { ReadInvoice } from '../text/source-file.ts';
import { keepPdfs } from './keep-pdfs.ts';
import { type TakenInvoice, takeInvoices } from './take-invoice.ts';

/** A file that was read: an invoice or credit note, or why it is none. */
export interface DocumentFile {
  readonly file: string;
  readonly format: string;
  readonly read: Extract<ReadInvoice, { readonly ok: true }> | UnreadFile;
}

/** A file of which nothing can be taken. */
export interface UnreadFile {
  readonly ok: false;
  /** sha256 of its bytes. */
  readonly digest: Buffer;
  /** Where the reason stands; null: it is about the file as a whole. */
  readonly line: number | null;
  readonly reason: string;
}

/**
 * Takes files in with all that follows from them, in one transaction, as if one came after the other: all are in with their
 * reports, or nothing of any is.
 * @returns what became of each, in their order
 */
export function takeFiles(
  run: ImportedFiles,
  files: readonly DocumentFile[],
): Promise<readonly FileOutcome[]> {
  const { deps, target, request } = run;
  const { db, secrets, publicUrl } = deps;
  const { now } = request;
  const { resellerId } = target;
  return withDocuments(db, deps.files, async (tx, keep) => {
    const named = files.map((one) => ({ ...one, fileId: newId(now.getTime()) }));
    const documents = named.flatMap(({ read, ...one }) => (read.ok ? [{ ...one, read }] : []));
    const invoices = documents.map(({ read }) => read.invoice);
    const all = await takeInvoices(tx, { secrets, publicUrl, now }, target, invoices);
    const taken = new Map(documents.map(({ fileId }, at) => [fileId, all[at]]));
    const done = named.map((one) => ({ ...one, outcome: outcomeOf(one, taken.get(one.fileId)) }));
    const recorded = done.map(({ fileId, read, outcome: { report, quarantine } }) => ({
      id: fileId,
      digest: read.digest,
      report: { ...report, file: nameOf(run, report.file) },
      quarantine,
    }));
    await recordFiles(tx, resellerId, recorded, now);
    for (const { fileId, read } of named) if (!read.ok) await keepUnread(tx, resellerId, fileId, read, now);
    const isIn = [];
    for (const { fileId, read } of documents) {
      const one = taken.get(fileId);
      if (one === undefined) continue;
      if (one.is === 'quarantined') await keepDocument(tx, resellerId, fileId, read, one, now);
      else isIn.push({ ...one, ...read, fileId, taken: one });
    }
    await keepPdfs(tx, keep, isIn, now);
    const made = isIn.filter(({ is }) => is === 'created');
    await keepMadeInvoices(tx, made, now);
    await settleDocuments(tx, resellerId, isIn);
    return done.map(({ outcome }) => outcome);
  });
}

function outcomeOf({ file, format, read }: DocumentFile, taken: TakenInvoice | undefined): FileOutcome {
  const counts = { created: 0, updated: 0, unchanged: 0, quarantined: 0 };
  if (taken !== undefined && taken.is !== 'quarantined')
    return {
      report: { file, format, ...counts, [taken.is]: 1, warnings: taken.warnings },
      invoices: [taken.invoice],
      quarantine: [],
      causes: new Map(),
      kept: 0,
    };
  const why = taken ?? read;
  if (!('reason' in why)) throw new Error('of each document something becomes');
  const { cause, line } = { cause: 'file' as const, line: null, ...why };
  return {
    report: { file, format, ...counts, quarantined: 1, warnings: [] },
    invoices: [],
    quarantine: [entryOf(file, line, cause, why.reason)],
    causes: new Map([[cause, 1]]),
    kept: 1,
  };
}
