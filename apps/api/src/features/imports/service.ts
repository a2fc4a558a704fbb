import type { Database } from '../../db/database.ts';
import { beginOpened, type Later, openUnpacked, type Ready, unreadable } from './import-file.ts';
import {
  type ImportDeps,
  type ImportedFiles,
  ImportRefused,
  type ImportRequest,
  nameOf,
} from './import-request.ts';
import { FileSets } from './invoices/file-sets.ts';
import { findMapping, readMappingFile } from './mappings/find-mapping.ts';
import { retryQuarantined } from './quarantine/retry.ts';
import type { FileOutcome, ImportReport } from './report/report.ts';
import { summaryOf } from './report/summary.ts';
import { statementMappingNamed } from './statements/read-statement.ts';
import { Unpacking } from './text/gzip.ts';
import { resolveTarget } from './whose.ts';

export { type ReadDocument, readDocument } from './documents/read-document.ts';
export { describedKind, describedKinds } from './entities/described.ts';
export type { Said } from './entities/guess.ts';
export type { DryRun } from './entities/import-rows.ts';
export { planOf } from './entities/plan.ts';
export { changesOf } from './entities/preview-entities.ts';
export { templateOf } from './entities/template.ts';
export { type ImportDeps, ImportRefused, type ImportRequest } from './import-request.ts';
export { contradictionsOf } from './invoices/contradictions.ts';
export type { ImportedInvoice } from './invoices/imported-invoice.ts';
export { storeInvoices, unstoredInvoiceOf } from './invoices/store-invoices.ts';
export { type InvoiceDeps, takeInvoice } from './invoices/take-invoice.ts';
export { correctFromQuarantine } from './quarantine/correct.ts';

/**
 * Takes files in: invoices and credit notes as UBL 2.1, CII or PDF with CII inside, and usage records. What a file is, its content tells, but where a
 * mapping is given. Invoices go in by sets ({@link FileSets}): one is in with its report, or nothing of it is. Usage records go
 * in slice by slice (`takeUsage`). The same file twice changes nothing. Invoices go before the credits that name them, whatever the order of the files.
 * Where an operator stops the import of a file, the files that have not begun are left out.
 * @returns what became of each file, in the order given
 * @throws {ImportRefused} without a reseller or customer to take things for
 * @throws {DatabaseUnavailable} when the database stops answering; files of sets before are in, run it again
 */
export async function importFiles(deps: ImportDeps, request: ImportRequest): Promise<ImportReport> {
  const target = await resolveTarget(deps.db, request);
  if (typeof target === 'string') throw new ImportRefused(target);
  const unpacking = new Unpacking();
  const names = new Map(request.names);
  const mappings = await mappingOf(deps.db, target.resellerId, request);
  return importAll({ deps, request, target, names, unpacking, ...mappings }).finally(() => unpacking.end());
}

async function importAll(run: ImportedFiles): Promise<ImportReport> {
  const outcomes = new Map<number, FileOutcome>();
  const sets = new FileSets(run, (at, outcome) => outcomes.set(at, outcome));
  try {
    return await reportAll(run, outcomes, await takeAll(run, outcomes, sets));
  } finally {
    await sets.rest();
  }
}

/** @returns which file was stopped; undefined where all were dealt with */
async function takeAll(
  run: ImportedFiles,
  outcomes: Map<number, FileOutcome>,
  sets: FileSets,
): Promise<number | undefined> {
  const later: (Later & { readonly at: number })[] = [];
  /** @returns whether the files after it are left out */
  const take = async (at: number, ready: Ready): Promise<boolean> => {
    if ('read' in ready) {
      await sets.add(at, ready);
      return false;
    }
    await sets.flush();
    const done = await ready.takeIt();
    outcomes.set(at, done);
    return done.isStopped === true;
  };
  for (const [at, file] of run.request.files.entries()) {
    const opened = await openUnpacked(run, file);
    if (typeof opened === 'string') outcomes.set(at, unreadable(file, opened));
    else {
      const begun = await beginOpened(run, opened).finally(() => opened.handle.close());
      if ('begin' in begun) later.push({ at, ...begun });
      else if (await take(at, begun)) return at;
    }
  }
  // Of two credits of one invoice the earlier wins, customers go before their invoices and PDFs after them, whatever the files are
  // called.
  for (const { at, begin } of later.sort((a, b) =>
    a.order < b.order ? -1 : a.order > b.order ? 1 : a.at - b.at,
  ))
    if (await take(at, await begin())) return at;
  await sets.flush();
  return undefined;
}

async function reportAll(
  run: ImportedFiles,
  outcomes: ReadonlyMap<number, FileOutcome>,
  stoppedAt: number | undefined,
): Promise<ImportReport> {
  const { deps, request, target } = run;
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

/** A name of the reseller's own or a ready mapping; else a file. @throws {ImportRefused} */
async function mappingOf(
  db: Database,
  resellerId: number,
  { mapping: name, format }: ImportRequest,
): Promise<Pick<ImportedFiles, 'mapping' | 'statement'>> {
  if (name === undefined) return { mapping: undefined, statement: undefined };
  const own = await findMapping(db, resellerId, name);
  const statement = own === undefined ? await statementMappingNamed(name) : undefined;
  if (typeof statement === 'string') throw new ImportRefused(statement);
  if (statement !== undefined) return { mapping: undefined, statement };
  const found = own ?? (await readMappingFile(name));
  if (typeof found === 'string') throw new ImportRefused(found);
  return { mapping: format === undefined ? found : { ...found, format }, statement };
}
