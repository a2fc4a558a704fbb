import type { ImportPreview } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { type EntityMapping, entityNames } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { ActedBy } from '../../../audit/acted-by.ts';
import type { BulkOutcome } from '../../../bulk/bulk.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import type { Cause } from '../report/causes.ts';
import { entriesOf } from '../report/entries.ts';
import type { FileOutcome } from '../report/report.ts';
import { otherThanText } from '../text/detect.ts';
import { digestOf, readBytes } from '../text/source-file.ts';
import type { Progress } from '../usage/take-usage.ts';
import type { Said } from './guess.ts';
import { openQuestions, type Plan, planOf } from './plan.ts';
import { previewEntities } from './preview-entities.ts';
import { type EntityWriters, takeEntities } from './take-entities.ts';

/** Is told what would become of a file, and of each of its rows before. */
export interface DryRun {
  readonly onRows: (file: string, outcomes: readonly BulkOutcome[]) => void;
  readonly onEnd: (file: string, kind: string, preview: ImportPreview) => void;
}

/** What is taken in after the other files. */
interface PlannedRows {
  /** Of two, the one that comes first in the alphabet goes first. */
  readonly order: string;
  readonly takeIt: () => Promise<FileOutcome>;
}

/** The beginning of a file. */
export interface FileHead {
  readonly bytes: Uint8Array;
  /** Whether it is all of it. */
  readonly isWhole: boolean;
}

/** An import by command, as far as rows need it. */
interface RowsRun {
  readonly deps: { readonly db: Database; readonly writers?: EntityWriters | undefined };
  readonly request: {
    readonly by?: ActedBy | undefined;
    readonly now: Date;
    readonly dryRun?: DryRun | undefined;
    readonly onProgress?: ((file: string, progress: Progress) => Promise<void> | void) | undefined;
  };
  readonly target: { readonly resellerId: number };
  /** What files are called, by their paths. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Plans the import of a file of customers, invoices or anything else that is no usage.
 * @param refuse sets the file aside as a whole
 */
export async function importRows<Refused>(
  run: RowsRun,
  file: string,
  { bytes, isWhole }: FileHead,
  said: Said | EntityMapping,
  refuse: (format: string, reason: string) => Promise<Refused>,
): Promise<Refused | PlannedRows> {
  if (bytes.length === 0) return refuse('unknown', 'the file is empty');
  const other = otherThanText(bytes, new TextDecoder().decode(bytes.subarray(0, 16)));
  if (other !== null) return refuse('unknown', other);
  const plan = await planOf(bytes, isWhole, said);
  if (plan === undefined) return refuse('unknown', 'its first line does not name its columns');
  if (plan.questions.length > 0) return refuse(plan.kind.name, openQuestions(plan.questions));
  const rank = `${entityNames.indexOf(plan.kind.name)}`.padStart(2, '0');
  return { order: `${rank} ${plan.kind.name}`, takeIt: () => importPlanned(run, file, plan) };
}

/** The time since the import began is that of a clock that cannot be set. */
function clockFrom(now: Date): Clock {
  const began = performance.now();
  return { now: () => new Date(now.getTime() + Math.round(performance.now() - began)) };
}

async function importPlanned(run: RowsRun, file: string, { kind, mapping }: Plan): Promise<FileOutcome> {
  const { deps, request, target, names } = run;
  const name = names.get(file) ?? file;
  const { by = { actor: 'import' }, now, dryRun, onProgress } = request;
  if (deps.writers === undefined) throw new Error('nothing takes files of rows');
  const entityDeps = { db: deps.db, clock: clockFrom(now) };
  const options = {
    resellerId: target.resellerId,
    by,
    kind,
    mapping,
    writer: deps.writers(kind.bulk),
    onProgress: (rows: number) => onProgress?.(name, { step: 'merging', rows }),
  };
  const read = () => readBytes(file, () => undefined);
  if (dryRun !== undefined) {
    const preview = await previewEntities(entityDeps, read(), options, (rows) => dryRun.onRows(name, rows));
    dryRun.onEnd(name, kind.name, preview);
    const { created, updated, unchanged, quarantined, warnings, reasons } = preview;
    return {
      report: { file, format: kind.name, created, updated, unchanged, quarantined, warnings },
      invoices: [],
      quarantine: [],
      causes: new Map(reasons.map(({ cause, count }) => [cause as Cause, count])),
      kept: 0,
    };
  }
  const source = { name, digest: await digestOf(file), read };
  const taken = await takeEntities(entityDeps, source, { ...options, now });
  if (taken === null) throw new Error('an import of a file of its own is nobody else’s');
  const { created, updated, unchanged, quarantined, warnings } = taken;
  return {
    report: { file, format: kind.name, created, updated, unchanged, quarantined, warnings },
    invoices: [],
    quarantine: entriesOf(file, taken),
    causes: taken.causes,
    kept: taken.kept,
    isStopped: taken.state === 'stopped',
  };
}
