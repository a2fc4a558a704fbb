import { basename } from 'node:path';
import type { DocumentFormat } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../../db/database.ts';
import { withDocuments } from '../invoices/service.ts';
import type { Said } from './entities/guess.ts';
import { type FileHead, importRows } from './entities/import-rows.ts';
import { headOf } from './entities/layout.ts';
import { planOf } from './entities/plan.ts';
import { type ImportedFiles, nameOf } from './import-request.ts';
import type { ImportedInvoice } from './invoices/imported-invoice.ts';
import { saysWhose, takeNamedPdf } from './invoices/named-pdf.ts';
import { type DocumentFile, takeFiles, type UnreadFile } from './invoices/take-files.ts';
import { keepUnread, settleFile } from './quarantine/documents.ts';
import { entriesOf, entryOf } from './report/entries.ts';
import { recordFiles } from './report/record-files.ts';
import type { FileOutcome } from './report/report.ts';
import { keepMadeDocument } from './runs/changes.ts';
import { nameOfStatement, type StatementFormat } from './statements/read-statement.ts';
import { takeStatementFile } from './statements/take-statement-file.ts';
import { detectFormat, headLength } from './text/detect.ts';
import { isGzip } from './text/gzip.ts';
import {
  digestOf,
  type OpenedFile,
  openFile,
  type ReadInvoice,
  readBytes,
  readInvoice,
  readWhole,
} from './text/source-file.ts';
import { takeUsage } from './usage/take-usage.ts';

/** A file that was begun to be read. */
interface BegunFile extends OpenedFile {
  readonly path: string;
  /** Its first {@link headLength} bytes, or all of it where it is shorter. */
  readonly head: Uint8Array;
}

/** A file, unpacked where it is packed. @returns it and where it lies; or the reason it cannot be read */
export async function openUnpacked(run: ImportedFiles, file: string): Promise<BegunFile | string> {
  const opened = await openFile(file);
  if (typeof opened === 'string') return opened;
  const begun = await beginFile(opened, file);
  if (!isGzip(begun.head)) return begun;
  await opened.handle.close();
  const unpacked = await run.unpacking.unpack(file);
  if ('reason' in unpacked) return `packed with gzip, and ${unpacked.reason}`;
  run.names.set(unpacked.path, nameOf(run, file));
  const inside = await openFile(unpacked.path);
  return typeof inside === 'string' ? inside : beginFile(inside, unpacked.path);
}

async function beginFile(opened: OpenedFile, path: string): Promise<BegunFile> {
  const bytes = new Uint8Array(Math.min(opened.size, headLength));
  const { bytesRead } = await opened.handle.read(bytes, 0, bytes.length, 0);
  return { ...opened, path, head: bytes.subarray(0, bytesRead) };
}

/** What became of a file that cannot be opened. */
export function unreadable(file: string, reason: string): FileOutcome {
  const report = { file, format: null, created: 0, updated: 0, unchanged: 0, quarantined: 1, warnings: [] };
  return {
    report,
    invoices: [],
    quarantine: [entryOf(file, null, 'file', reason)],
    causes: new Map([['file', 1]]),
    kept: 0,
  };
}

/** A file that was looked at: it goes in with others, or by itself after them. */
export type Ready = DocumentFile | Apart;

interface Apart {
  readonly takeIt: () => Promise<FileOutcome>;
}

/** What goes in after the other files. */
export interface Later {
  /** Of two, the one that comes first in the alphabet goes first. */
  readonly order: string;
  readonly begin: () => Promise<Ready>;
}

/** Looks at a file and reads it, where it is an invoice. */
export async function beginOpened(run: ImportedFiles, opened: BegunFile): Promise<Ready | Later> {
  const { mapping, statement } = run;
  const { path: file } = opened;
  if (mapping !== undefined && !('entity' in mapping))
    return { takeIt: () => importUsage(run, file, mapping) };
  if (statement !== undefined) return { takeIt: () => importStatement(run, file, statement) };
  const head = { bytes: opened.head, isWhole: opened.size <= headLength };
  const said = mapping ?? run.request.said ?? {};
  if ('entity' in said || said.kind !== undefined) return rowsOf(run, file, head, said);
  const found = await detectFormat(head.bytes, head.isWhole);
  if (found.format === 'unknown') {
    const plan = run.deps.writers === undefined ? undefined : await planOf(head.bytes, head.isWhole, said);
    if (plan !== undefined) return rowsOf(run, file, head, said);
    const isTable = run.deps.writers !== undefined && (await headOf(head.bytes, head.isWhole)) !== undefined;
    const reason = isTable ? `${found.reason}, or what its rows are (--kind)` : found.reason;
    return asideOf(file, 'unknown', { line: null, reason, digest: await digestOf(file) });
  }
  if (found.format === 'usage') return { takeIt: () => importUsage(run, file, found.mapping) };
  if (found.format === 'statement') return { takeIt: () => importStatement(run, file, found.statement) };
  return documentOf(run, file, found.format, await readInvoice(opened, opened.head));
}

function documentOf(
  run: ImportedFiles,
  file: string,
  format: DocumentFormat,
  read: ReadInvoice,
): Ready | Later {
  if (!read.ok)
    return read.pdf === undefined
      ? asideOf(file, format, read)
      : {
          order: 'pdf',
          begin: () => again(file, async (opened) => namedPdfOf(run, file, await readWhole(opened))),
        };
  const { issuedOn, kind, number, billingReferences } = read.invoice;
  if (billingReferences.length === 0 || !isBelowZero(read.invoice)) return { file, format, read };
  return {
    order: `credit ${issuedOn} ${kind} ${number}`,
    begin: () =>
      again(file, async (opened) => {
        const credit = await readInvoice(opened);
        return credit.ok ? { file, format, read: credit } : asideOf(file, format, credit);
      }),
  };
}

/** Reads a file once more when it is its turn: any number of them may wait. */
async function again(file: string, read: (opened: OpenedFile) => Promise<Ready>): Promise<Ready> {
  const opened = await openFile(file);
  if (typeof opened === 'string') return { takeIt: async () => unreadable(file, opened) };
  return read(opened).finally(() => opened.handle.close());
}

const namedPdfOf = (
  run: ImportedFiles,
  file: string,
  { content, digest }: { readonly content: Uint8Array; readonly digest: Buffer },
): Ready => ({ takeIt: () => importNamedPdf(run, file, content, digest) });

const asideOf = (
  file: string,
  format: string,
  { line, reason, digest }: Omit<UnreadFile, 'ok'>,
): DocumentFile => ({ file, format, read: { ok: false, line, reason, digest } });

async function rowsOf(
  run: ImportedFiles,
  file: string,
  head: FileHead,
  said: Said | EntityMapping,
): Promise<Ready | Later> {
  const rows = await importRows(run, file, head, said, async (format, reason) =>
    asideOf(file, format, { line: null, reason, digest: await digestOf(file) }),
  );
  if (!('order' in rows)) return rows;
  const { order, takeIt } = rows;
  return { order, begin: async () => ({ takeIt }) };
}

const isBelowZero = (invoice: ImportedInvoice): boolean =>
  invoice.kind === 'creditNote' || invoice.totals.payableMinor < 0n;

/** A PDF without an e-invoice: the document of the invoice that it is called by. */
async function importNamedPdf(
  run: ImportedFiles,
  file: string,
  content: Uint8Array,
  digest: Buffer,
): Promise<FileOutcome> {
  const { deps, request, target } = run;
  const { now } = request;
  const name = basename(nameOf(run, file));
  const fileId = newId(now.getTime());
  return withDocuments(deps.db, deps.files, async (tx, keep) => {
    const taken = await takeNamedPdf(tx, keep, target, { name, content, now });
    const isIn = taken.is !== 'quarantined';
    const counts = { created: 0, updated: 0, unchanged: 0, quarantined: 0, [taken.is]: 1 };
    const outcome: FileOutcome = {
      report: { file, format: 'facturx', ...counts, warnings: isIn ? [saysWhose(name, taken.number)] : [] },
      invoices: [],
      quarantine: isIn ? [] : [entryOf(file, null, 'file', taken.reason)],
      causes: isIn ? new Map() : new Map([['file', 1]]),
      kept: isIn ? 0 : 1,
    };
    await record(run, tx, outcome, { digest, id: fileId });
    if (taken.is === 'created') await keepMadeDocument(tx, fileId, taken, now);
    if (isIn) await settleFile(tx, target.resellerId, digest);
    else await keepUnread(tx, target.resellerId, fileId, { digest, line: null, reason: taken.reason }, now);
    return outcome;
  });
}

async function importUsage(run: ImportedFiles, file: string, mapping: UsageMapping): Promise<FileOutcome> {
  const { deps, request, target } = run;
  const source = {
    name: nameOf(run, file),
    digest: await digestOf(file),
    read: () => readBytes(file, () => undefined),
  };
  const { timeZone, now, sliceRows, onProgress } = request;
  const taken = await takeUsage(deps.db, source, {
    target,
    mapping,
    timeZone,
    now,
    sliceRows,
    onProgress: onProgress === undefined ? undefined : (progress) => onProgress(nameOf(run, file), progress),
  });
  if (taken === null) throw new Error('an import of a file of its own is nobody else’s');
  const { created, updated, unchanged, quarantined, warnings } = taken;
  return {
    report: { file, format: mapping.name, created, updated, unchanged, quarantined, warnings },
    invoices: [],
    quarantine: entriesOf(file, taken),
    causes: taken.causes,
    kept: taken.kept,
    isStopped: taken.state === 'stopped',
  };
}

async function importStatement(
  run: ImportedFiles,
  file: string,
  format: StatementFormat,
): Promise<FileOutcome> {
  const { deps, request, target } = run;
  const of = { resellerId: target.resellerId, now: request.now };
  const taken = await takeStatementFile(deps.db, of, format, file);
  const { digest } = taken;
  if ('reason' in taken) {
    const [aside] = await takeFiles(run, [asideOf(file, nameOfStatement(format), taken)]);
    return aside ?? unreadable(file, taken.reason);
  }
  const quarantine = taken.faults.map(({ line, reason }) => entryOf(file, line, 'line', reason));
  const outcome: FileOutcome = {
    report: taken.report,
    invoices: [],
    quarantine,
    causes: new Map(quarantine.length === 0 ? [] : [['line', quarantine.length]]),
    kept: 0,
  };
  await deps.db.transaction((tx) => record(run, tx, outcome, { digest, id: taken.fileId }));
  return outcome;
}

const record = (
  run: ImportedFiles,
  tx: Tx,
  { report, quarantine }: FileOutcome,
  of: { readonly id: string; readonly digest: Buffer },
) => {
  const { request, target } = run;
  const named = { ...report, file: nameOf(run, report.file) };
  return recordFiles(tx, target.resellerId, [{ ...of, report: named, quarantine }], request.now);
};
