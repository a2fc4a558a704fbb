import type { AdminImport, AdminImportDetail } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { isStatementFormat } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { UNDO_DAYS } from './changes.ts';
import type { ImportRow } from './queries.ts';

const DAY_MS = 86_400_000;

const undoUntil = ({ finished_at: at }: ImportRow): Date | null =>
  at === null ? null : new Date(at.getTime() + UNDO_DAYS * DAY_MS);

/** Whether it has ended with something in the books, all of the file or what went in before it was stopped. */
const hasTakenIn = ({ state }: ImportRow): boolean => state === 'done' || state === 'stopped';

/**
 * Why an import that has ended cannot be undone, as far as its own row tells; undefined where it may.
 * What was billed or changed since is known only when it is tried.
 */
export function obstacleOf(row: ImportRow, now: Date): string | undefined {
  if (row.state === 'undone') return 'It is undone already';
  if (!hasTakenIn(row)) return 'It has not ended, or nothing of it was taken in';
  if (row.created_n === 0) return 'It made nothing new';
  if (isStatementFormat(row.format))
    return 'Entries of a bank statement are reopened and dismissed one by one';
  if (row.corrected_n === null) return 'It ended before what imports make was kept';
  if (row.corrected_n > 0)
    return row.corrected_n === 1
      ? 'It corrected a record, whose former content is not kept'
      : `It corrected ${row.corrected_n} records, whose former content is not kept`;
  const until = undoUntil(row);
  if (until === null || until <= now) return `It ended more than ${UNDO_DAYS} days ago`;
  return undefined;
}

/** An import as programs are told of it. */
export function presentImport(row: ImportRow, now: Date): AdminImport {
  const against = hasTakenIn(row) ? (obstacleOf(row, now) ?? row.undo_refused) : null;
  const isOpen = hasTakenIn(row) && obstacleOf(row, now) === undefined;
  return {
    id: row.id,
    fileName: row.name,
    format: row.format,
    state: row.state,
    addedBy: row.added_by,
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
    rowsRead: Number(row.read_n),
    rowsMerged: Number(row.merged_n),
    created: row.created_n,
    updated: row.updated_n,
    unchanged: row.unchanged_n,
    quarantined: row.quarantined_n,
    waiting: row.waiting,
    units: row.units,
    price: row.price,
    warnings: row.warnings,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    undoUntil: isOpen ? (undoUntil(row)?.toISOString() ?? null) : null,
    notUndoneBecause: against ?? null,
    undone: row.undone_n,
  };
}

/** The same with what its dry run found. */
export const presentImportDetail = (row: ImportRow, now: Date): AdminImportDetail => ({
  ...presentImport(row, now),
  preview: row.preview,
  columns: row.columns === null || row.head === null ? null : { mapping: row.columns, ...row.head },
});
