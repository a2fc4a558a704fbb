import type { DocumentFormat } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import type { EntityMapping } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { UsageMapping } from '@counterfoil/contract/operator/imports/usage-import.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { Secrets } from '../../secrets.ts';
import { withDocuments } from '../invoices/service.ts';
import type { Said } from './entities/guess.ts';
import { type DryRun, type FileHead, importRows, type Later } from './entities/import-rows.ts';
import { headOf } from './entities/layout.ts';
import { planOf } from './entities/plan.ts';
import type { EntityWriters } from './entities/take-entities.ts';
import type { ImportedInvoice } from './invoices/imported-invoice.ts';
import { keepPdf } from './invoices/keep-pdf.ts';
import { recordFile } from './invoices/queries.ts';
import { takeInvoice } from './invoices/take-invoice.ts';
import { findMapping, readMappingFile } from './mappings/find-mapping.ts';
import { keepDocument, keepUnread, settleDocument } from './quarantine/documents.ts';
import { retryQuarantined } from './quarantine/retry.ts';
import { entriesOf, entryOf } from './report/entries.ts';
import type { FileOutcome, ImportReport } from './report/report.ts';
import { summaryOf } from './report/summary.ts';
import { keepMadeInvoice } from './runs/changes.ts';
import { nameOfStatement, type StatementFormat, statementMappingNamed } from './statements/read-statement.ts';
import type { StatementMapping } from './statements/statement-mapping.ts';
import { takeStatementFile } from './statements/take-statement-file.ts';
import { detectFormat, headLength } from './text/detect.ts';
import { isGzip, Unpacking } from './text/gzip.ts';
import {
  digestOf,
  type OpenedFile,
  openFile,
  type ReadInvoice,
  readBytes,
  readInvoice,
} from './text/source-file.ts';
import { type Progress, takeUsage } from './usage/take-usage.ts';
import { resolveTarget, type Target } from './whose.ts';

export interface ImportDeps {
  /** Needs two connections at once. */
  readonly db: Database;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  /** Where the PDFs of invoices are kept. */
  readonly files: FileStore;
  /** Take files of rows that are no usage; without them such files are none that can be read. */
  readonly writers?: EntityWriters | undefined;
}

export interface ImportRequest {
  readonly files: readonly string[];
  /** What files are called in reports, where not by their paths. */
  readonly names?: ReadonlyMap<string, string> | undefined;
  readonly resellerId?: number | undefined;
  /** Takes what nothing in the files gives to somebody else: a customer's id, or the provider's reference of it. */
  readonly customer?: string | undefined;
  /** IANA zone of call records; undefined: that of each customer's brand. */
  readonly timeZone?: string | undefined;
  /** How rows are read: a ready mapping of usage records, a stored one of these or of anything else, or a JSON file. */
  readonly mapping?: string | undefined;
  /** What is known of files of customers, invoices and all else that is no usage. */
  readonly said?: Said | undefined;
  /** Says what would become of such files, and takes nothing of them in. */
  readonly dryRun?: DryRun | undefined;
  /** Who brings such files, for the audit trail. */
  readonly by?: ActedBy | undefined;
  /** Columns or members that the mapping names stand in this kind of file. */
  readonly format?: 'csv' | 'ndjson' | undefined;
  /** Usage records of one transaction, where not as many as usual. */
  readonly sliceRows?: number | undefined;
  /** Called often while usage records are taken in. */
  readonly onProgress?: ((file: string, progress: Progress) => Promise<void> | void) | undefined;
  /** Reseller and customer default to those of the demo world. */
  readonly isDemo: boolean;
  readonly now: Date;
}

export { type ReadDocument, readDocument } from './documents/read-document.ts';
export { describedKind, describedKinds } from './entities/described.ts';
export type { Said } from './entities/guess.ts';
export type { DryRun } from './entities/import-rows.ts';
export { planOf } from './entities/plan.ts';
export { changesOf } from './entities/preview-entities.ts';
export { templateOf } from './entities/template.ts';
export { contradictionsOf } from './invoices/contradictions.ts';
export type { ImportedInvoice } from './invoices/imported-invoice.ts';
export { storeInvoices, unstoredInvoiceOf } from './invoices/store-invoices.ts';
export { type InvoiceDeps, takeInvoice } from './invoices/take-invoice.ts';
export { correctFromQuarantine } from './quarantine/correct.ts';

/** The request cannot be carried out at all; nothing was changed. `message` is for the person who made it. */
export class ImportRefused extends Error {
  override readonly name = 'ImportRefused';
}

interface Run {
  readonly deps: ImportDeps;
  readonly request: ImportRequest;
  readonly target: Target;
  readonly mapping: UsageMapping | EntityMapping | undefined;
  /** The files are bank statements that are read so. */
  readonly statement: StatementMapping | undefined;
  /** What files are called, by their paths. */
  readonly names: Map<string, string>;
  readonly unpacking: Unpacking;
}

const nameOf = ({ names }: Run, path: string): string => names.get(path) ?? path;

/**
 * Takes files in: invoices and credit notes as UBL 2.1, CII or PDF with CII inside, and usage records. What a file is, its content tells, but where a
 * mapping is given. An invoice is one transaction: it is in with its report, or nothing of it is. Usage records go in
 * slice by slice (`takeUsage`). The same file twice changes nothing. Invoices go before the credits that name them, whatever the order of the files.
 * Where an operator stops the import of a file, the files that have not begun are left out.
 * @returns what became of each file, in the order given
 * @throws {ImportRefused} without a reseller or customer to take things for
 * @throws {DatabaseUnavailable} when the database stops answering; files before it are in, run it again
 */
export async function importFiles(deps: ImportDeps, request: ImportRequest): Promise<ImportReport> {
  const target = await resolveTarget(deps.db, request);
  if (typeof target === 'string') throw new ImportRefused(target);
  const unpacking = new Unpacking();
  const names = new Map(request.names);
  const mappings = await mappingOf(deps.db, target.resellerId, request);
  return importAll({ deps, request, target, names, unpacking, ...mappings }).finally(() => unpacking.end());
}

async function importAll(run: Run): Promise<ImportReport> {
  const { deps, request, target } = run;
  const outcomes = new Map<number, FileOutcome>();
  const later: (Later & { readonly at: number; readonly file: string })[] = [];
  let stoppedAt: number | undefined;
  for (const [at, file] of request.files.entries()) {
    if (stoppedAt !== undefined) break;
    const opened = await openUnpacked(run, file);
    if (typeof opened === 'string') outcomes.set(at, unreadable(file, opened));
    else {
      const { path } = opened;
      const done = await importOpened(run, path, opened).finally(() => opened.handle.close());
      if ('takeIt' in done) later.push({ at, file: path, ...done });
      else {
        outcomes.set(at, done);
        if (done.isStopped) stoppedAt = at;
      }
    }
  }
  // Of two credits of one invoice the earlier wins, and customers go before their invoices, whatever the files are called.
  for (const { at, takeIt } of later.sort((a, b) =>
    a.order < b.order ? -1 : a.order > b.order ? 1 : a.at - b.at,
  )) {
    if (stoppedAt !== undefined) break;
    const done = await takeIt();
    outcomes.set(at, done);
    if (done.isStopped) stoppedAt = at;
  }
  const inOrder = [...outcomes].sort(([a], [b]) => a - b).map(([, outcome]) => outcome);
  // What came now may be what something earlier waited for.
  const { resellerId } = target;
  const retried = await retryQuarantined(deps, { only: 'due', resellerId, now: request.now });
  const named = <One extends { readonly file: string }>(one: One): One => ({
    ...one,
    file: nameOf(run, one.file),
  });
  return {
    files: inOrder.map(({ report }) => named(report)),
    invoices: [...inOrder.flatMap((outcome) => outcome.invoices), ...retried.invoices],
    quarantine: inOrder.flatMap(({ quarantine }) => quarantine.map(named)),
    summary: summaryOf(inOrder, retried.taken),
    stopped:
      stoppedAt === undefined
        ? null
        : {
            file: request.files[stoppedAt] ?? '',
            notBegun: request.files.filter((_, at) => !outcomes.has(at)),
          },
  };
}

/** A file, unpacked where it is packed. @returns it and where it lies; or the reason it cannot be read */
async function openUnpacked(
  run: Run,
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

/** A name of the reseller's own or a ready mapping; else a file. @throws {ImportRefused} */
async function mappingOf(
  db: Database,
  resellerId: number,
  { mapping: name, format }: ImportRequest,
): Promise<Pick<Run, 'mapping' | 'statement'>> {
  if (name === undefined) return { mapping: undefined, statement: undefined };
  const own = await findMapping(db, resellerId, name);
  const statement = own === undefined ? await statementMappingNamed(name) : undefined;
  if (typeof statement === 'string') throw new ImportRefused(statement);
  if (statement !== undefined) return { mapping: undefined, statement };
  const found = own ?? (await readMappingFile(name));
  if (typeof found === 'string') throw new ImportRefused(found);
  return { mapping: format === undefined ? found : { ...found, format }, statement };
}

function unreadable(file: string, reason: string): FileOutcome {
  const report = { file, format: null, created: 0, updated: 0, unchanged: 0, quarantined: 1, warnings: [] };
  return {
    report,
    invoices: [],
    quarantine: [entryOf(file, null, 'file', reason)],
    causes: new Map([['file', 1]]),
    kept: 0,
  };
}

async function importOpened(
  run: Run,
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
  if (!read.ok) return quarantineWhole(run, file, format.format, read.line, read.reason, read.digest);
  if (read.invoice.billingReferences.length > 0 && isBelowZero(read.invoice)) {
    const { issuedOn, kind, number } = read.invoice;
    return {
      order: `credit ${issuedOn} ${kind} ${number}`,
      takeIt: () => importCredit(run, file, format.format),
    };
  }
  return importInvoice(run, file, format.format, read);
}

const rowsOf = (run: Run, file: string, head: FileHead, said: Said | EntityMapping) =>
  importRows(run, file, head, said, async (format, reason) =>
    quarantineWhole(run, file, format, null, reason, await digestOf(file)),
  );

const isBelowZero = (invoice: ImportedInvoice): boolean =>
  invoice.kind === 'creditNote' || invoice.totals.payableMinor < 0n;

async function importCredit(run: Run, file: string, format: DocumentFormat): Promise<FileOutcome> {
  const opened = await openFile(file);
  if (typeof opened === 'string') return unreadable(file, opened);
  const read = await readInvoice(opened.handle, opened.size).finally(() => opened.handle.close());
  if (!read.ok) return quarantineWhole(run, file, format, read.line, read.reason, read.digest);
  return importInvoice(run, file, format, read);
}

async function importInvoice(
  run: Run,
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

async function importUsage(run: Run, file: string, mapping: UsageMapping): Promise<FileOutcome> {
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

async function importStatement(run: Run, file: string, format: StatementFormat): Promise<FileOutcome> {
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
  run: Run,
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
  run: Run,
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
