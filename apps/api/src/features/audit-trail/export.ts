import { csvRow } from '@counterfoil/domain/text/csv.ts';
import { type AuditFilter, type AuditRow, readAudit } from '../../audit/queries.ts';
import type { Db } from '../../db/database.ts';

/** How many lines are in memory at a time. */
const PAGE = 1_000;

const HEAD = ['when (UTC)', 'what', 'who', 'account', 'customer id', 'address', 'request id', 'detail', 'id'];

/**
 * Lines of the audit trail as CSV, the newest first, a page of the database at a time: what is written meanwhile is newer than
 * where it begins.
 * @param begun its first page, read before anything is answered
 */
export async function* auditCsv(
  db: Db,
  filter: Omit<AuditFilter, 'before' | 'limit'>,
  begun: readonly AuditRow[],
  byteOrderMark: boolean,
): AsyncGenerator<string> {
  yield (byteOrderMark ? '\ufeff' : '') + csvRow(HEAD);
  for (let page = begun; page.length > 0; ) {
    yield page.map((row) => csvRow(cellsOf(row))).join('');
    page = page.length < PAGE ? [] : await readAudit(db, { ...filter, before: page.at(-1)?.id, limit: PAGE });
  }
}

/** The lines with which an export begins. */
export const beginExport = (db: Db, filter: Omit<AuditFilter, 'before' | 'limit'>): Promise<AuditRow[]> =>
  readAudit(db, { ...filter, limit: PAGE });

const cellsOf = (row: AuditRow): readonly (string | null)[] => [
  row.at.toISOString(),
  row.action,
  row.actor ?? row.user_email,
  row.user_email,
  row.customer_id,
  row.address,
  row.request_id,
  JSON.stringify(row.detail),
  row.id,
];
