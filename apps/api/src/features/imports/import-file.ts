import { basename } from 'node:path';
import type { DocumentFormat } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { withDocuments } from '../invoices/service.ts';
import type { Said } from './entities/guess.ts';
import { type FileHead, importRows, type Later } from './entities/import-rows.ts';
import { headOf } from './entities/layout.ts';
import { planOf } from './entities/plan.ts';
import { type ImportedFiles, nameOf } from './import-request.ts';
import type { ImportedInvoice } from './invoices/imported-invoice.ts';
import { keepPdf } from './invoices/keep-pdf.ts';
import { saysWhose, takeNamedPdf } from './invoices/named-pdf.ts';
import { recordFile } from './invoices/queries.ts';
import { takeInvoice } from './invoices/take-invoice.ts';
import { keepDocument, keepUnread, settleDocument, settleFile } from './quarantine/documents.ts';
import { entriesOf, entryOf } from './report/entries.ts';
import type { FileOutcome } from './report/report.ts';
import { keepMadeDocument, keepMadeInvoice } from './runs/changes.ts';
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
} from './text/source-file.ts';
import { takeUsage } from './usage/take-usage.ts';

/** A file, unpacked where it is packed. @returns it and where it lies; or the reason it cannot be read */
export async function openUnpacked(
  run: ImportedFiles,
  file: string,
): Promise<(OpenedFile & { readonly path: string }) | string> {
  const opened = await openFile(file);
  if (typeof opened === 'string') return opened;
  const head = new Uint8Array(2);
  await opened.handle.read(head, 0, head.length, 0);
  if (!isGzip(head)) return { ...opened, path: file };
  await opened.handle.close();
  const unpacked = await run.unpacking.unpack(file);
  if ('reason' in unpacked) return `packed with gzip, and ${unpacked.reason}`;
  run.names.set(unpacked.path, nameOf(run, file));
  const inside = await openFile(unpacked.path);
  return typeof inside === 'string' ? inside : { ...inside, path: unpacked.path };
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

/** Takes a file in, or says in which order it goes after the others. */
export async function importOpened(
  run: ImportedFiles,
  file: string,
  { handle, size }: OpenedFile,
): Promise<FileOutcome | Later> {
  const { mapping } = run;
  if (mapping !== undefined && !('entity' in mapping)) return importUsage(run, file, mapping);
  if (run.statement !== undefined) return importStatement(run, file, run.statement);
  const head = new Uint8Array(Math.min(size, headLength));
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  const [start, isWhole] = [head.subarray(0, bytesRead), size <= headLength];
  const said = mapping ?? run.request.said ?? {};
  if ('entity' in said || said.kind !== undefined) return rowsOf(run, file, { bytes: start, isWhole }, said);
  const format = await detectFormat(start, isWhole);
  if (format.format === 'unknown') {
    const plan = run.deps.writers === undefined ? undefined : await planOf(start, isWhole, said);
    if (plan !== undefined) return rowsOf(run, file, { bytes: start, isWhole }, said);
    const isTable = run.deps.writers !== undefined && (await headOf(start, isWhole)) !== undefined;
    const reason = isTable ? `${format.reason}, or what its rows are (--kind)` : format.reason;
    return quarantineWhole(run, file, 'unknown', null, reason, await digestOf(file));
  }
  if (format.format === 'usage') return importUsage(run, file, format.mapping);
  if (format.format === 'statement') return importStatement(run, file, format.statement);
  const read = await readInvoice(handle, size);
  if (!read.ok)
    return read.pdf === undefined
      ? quarantineWhole(run, file, format.format, read.line, read.reason, read.digest)
      : importNamedPdf(run, file, read.pdf, read.digest);
  if (read.invoice.billingReferences.length > 0 && isBelowZero(read.invoice)) {
    const { issuedOn, kind, number } = read.invoice;
    return {
      order: `credit ${issuedOn} ${kind} ${number}`,
      takeIt: () => importCredit(run, file, format.format),
    };
  }
  return importInvoice(run, file, format.format, read);
}

const rowsOf = (run: ImportedFiles, file: string, head: FileHead, said: Said | EntityMapping) =>
  importRows(run, file, head, said, async (format, reason) =>
    quarantineWhole(run, file, format, null, reason, await digestOf(file)),
  );

const isBelowZero = (invoice: ImportedInvoice): boolean =>
  invoice.kind === 'creditNote' || invoice.totals.payableMinor < 0n;

async function importCredit(run: ImportedFiles, file: string, format: DocumentFormat): Promise<FileOutcome> {
  const opened = await openFile(file);
  if (typeof opened === 'string') return unreadable(file, opened);
  const read = await readInvoice(opened.handle, opened.size).finally(() => opened.handle.close());
  if (!read.ok) return quarantineWhole(run, file, format, read.line, read.reason, read.digest);
  return importInvoice(run, file, format, read);
}

async function importInvoice(
  run: ImportedFiles,
  file: string,
  format: DocumentFormat,
  read: Extract<ReadInvoice, { readonly ok: true }>,
): Promise<FileOutcome> {
  const { invoice, digest } = read;
  const { deps, request, target } = run;
  const { secrets, publicUrl } = deps;
  return withDocuments(deps.db, deps.files, async (tx, keep) => {
    const taken = await takeInvoice(tx, { secrets, publicUrl, now: request.now }, target, invoice);
    const counts = { created: 0, updated: 0, unchanged: 0, quarantined: 0, [taken.is]: 1 };
    const isIn = taken.is !== 'quarantined';
    const outcome: FileOutcome = {
      report: { file, format, ...counts, warnings: isIn ? taken.warnings : [] },
      invoices: isIn ? [taken.invoice] : [],
      quarantine: isIn ? [] : [entryOf(file, null, taken.cause, taken.reason)],
      causes: isIn ? new Map() : new Map([[taken.cause, 1]]),
      kept: isIn ? 0 : 1,
    };
    const fileId = await record(run, tx, outcome, digest);
    const { resellerId } = target;
    await keepPdf(tx, keep, taken, read.pdf, request.now);
    if (taken.is === 'created') await keepMadeInvoice(tx, fileId, taken, request.now);
    if (isIn) await settleDocument(tx, resellerId, invoice, digest);
    else await keepDocument(tx, resellerId, fileId, read, taken, request.now);
    return outcome;
  });
}

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
    await record(run, tx, outcome, digest, fileId);
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
  if ('reason' in taken)
    return quarantineWhole(run, file, nameOfStatement(format), taken.line, taken.reason, digest);
  const quarantine = taken.faults.map(({ line, reason }) => entryOf(file, line, 'line', reason));
  const outcome: FileOutcome = {
    report: taken.report,
    invoices: [],
    quarantine,
    causes: new Map(quarantine.length === 0 ? [] : [['line', quarantine.length]]),
    kept: 0,
  };
  await deps.db.transaction((tx) => record(run, tx, outcome, digest, taken.fileId));
  return outcome;
}

async function quarantineWhole(
  run: ImportedFiles,
  file: string,
  format: string,
  line: number | null,
  reason: string,
  digest: Buffer,
): Promise<FileOutcome> {
  const report = { file, format, created: 0, updated: 0, unchanged: 0, quarantined: 1, warnings: [] };
  const quarantine = [entryOf(file, line, 'file', reason)];
  const outcome: FileOutcome = { report, invoices: [], quarantine, causes: new Map([['file', 1]]), kept: 1 };
  const { resellerId } = run.target;
  await run.deps.db.transaction(async (tx) => {
    const fileId = await record(run, tx, outcome, digest);
    await keepUnread(tx, resellerId, fileId, { digest, line, reason }, run.request.now);
  });
  return outcome;
}

const record = (
  run: ImportedFiles,
  tx: Parameters<typeof recordFile>[0],
  { report, quarantine }: FileOutcome,
  digest: Buffer,
  id?: string,
) => {
  const { request, target } = run;
  const named = { ...report, file: nameOf(run, report.file) };
  const times = { startedAt: request.now, finishedAt: request.now };
  return recordFile(tx, target.resellerId, named, digest, quarantine, times, id);
};
