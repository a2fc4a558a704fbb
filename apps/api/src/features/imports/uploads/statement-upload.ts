import type { ImportPreview } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import { tellOfImport } from '../../../messages/import-messages.ts';
import { isKnownEntry } from '../../bank-entries/queries.ts';
import { reasonsOf } from '../report/reasons.ts';
import { readStatement, type StatementFormat } from '../statements/read-statement.ts';
import type { StatementReading, Unreadable } from '../statements/reading.ts';
import { countsInWords, createdOf, previewCredit, takeStatement } from '../statements/take-statement.ts';

/** A bank statement that was uploaded. */
export interface UploadedStatement {
  readonly id: string;
  readonly resellerId: number;
  readonly format: StatementFormat;
  readonly content: AsyncIterable<Uint8Array>;
  readonly now: Date;
}

/** Faults that are listed one by one; all are counted. */
const MOST_LISTED = 10_000;

/** Takes an uploaded statement in and ends its import. Run again after a crash it goes on where it was. */
export async function takeUploadedStatement(db: Database, upload: UploadedStatement): Promise<void> {
  const { id, resellerId, now } = upload;
  const isBegun = await db.transaction((tx) =>
    tx.execute(
      sql`update import_file set state = 'running' where id = ${id} and state in ('waiting', 'running')`,
    ),
  );
  if (isBegun === 0) return;
  const reading = await readStatement(upload.format, upload.content);
  if ('reason' in reading) {
    await db.transaction((tx) =>
      end(tx, upload, { created: 0, unchanged: 0, faults: [reading], warnings: [] }),
    );
    return;
  }
  const isStopping = async () =>
    (await db.maybeOne(sql`select 1 from import_file where id = ${id} and state = 'running'`)) === undefined;
  const { counts } = await takeStatement(db, reading, { resellerId, fileId: id, now, isStopping });
  await db.transaction(async (tx) => {
    // With those of an earlier try that broke off.
    const { n } = await tx.one<{ n: number }>(
      sql`select count(*)::int as n from bank_entry where file_id = ${id}`,
    );
    const unchanged = counts.known - (n - createdOf(counts));
    const warnings = [countsInWords({ ...counts, known: unchanged }), ...reading.warnings];
    await end(tx, upload, { created: n, unchanged, faults: reading.faults, warnings });
  });
}

interface End {
  readonly created: number;
  readonly unchanged: number;
  readonly faults: StatementReading['faults'] | readonly Unreadable[];
  readonly warnings: readonly string[];
}

async function end(
  tx: Tx,
  { id, now }: UploadedStatement,
  { created, unchanged, faults, warnings }: End,
): Promise<void> {
  // One that was stopped meanwhile stays so, with what went in.
  const ended = await tx.execute(sql`
    update import_file
       set state = case when state = 'running' then 'done' else state end, created_n = ${created}, updated_n = 0,
           corrected_n = 0, unchanged_n = ${unchanged}, quarantined_n = ${faults.length},
           warnings = ${JSON.stringify(warnings)}, finished_at = coalesce(finished_at, ${now})
     where id = ${id} and state in ('running', 'stopping', 'stopped')`);
  if (ended === 0) return;
  const rows = faults.slice(0, MOST_LISTED).map((fault) => ({ ...fault, id: newId(now.getTime()) }));
  await tx.execute(sql`delete from import_quarantine where file_id = ${id}`);
  await tx.execute(sql`
    insert into import_quarantine (id, file_id, line, reason, cause, at)
    select q.id, ${id}, q.line, q.reason, 'line', ${now}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as q(id uuid, line int, reason text)`);
  await tellOfImport(tx, id, now);
}

/** What taking a statement in would come to. Entries are looked at one by one, as if each were the first. */
export async function previewStatement(
  db: Database,
  { resellerId, format, content }: Pick<UploadedStatement, 'resellerId' | 'format' | 'content'>,
): Promise<ImportPreview> {
  const reading = await readStatement(format, content);
  const faults = 'reason' in reading ? [reading] : reading.faults;
  const entries = 'reason' in reading ? [] : reading.entries;
  const counts = { known: 0, booked: 0, suggested: 0, unmatched: 0, passedOver: 0 };
  const sums = new Map<string, bigint>();
  for (const entry of entries) {
    if (await isKnownEntry(db, resellerId, entry)) counts.known += 1;
    else if (entry.sign === 'debit') counts[entry.isReturn ? 'suggested' : 'passedOver'] += 1;
    else {
      counts[await previewCredit(db, resellerId, entry)] += 1;
      const { currency, minor } = entry.amount;
      sums.set(currency, (sums.get(currency) ?? 0n) + minor);
    }
  }
  const listed = faults.map((fault) => ({ ...fault, cause: 'line' as const }));
  return {
    created: createdOf(counts),
    updated: 0,
    unchanged: counts.known,
    quarantined: faults.length,
    amounts: [...sums].map(([currency, minor]) => ({
      currency,
      created: formatDecimal(money(minor, currency)),
      change: formatDecimal(money(0n, currency)),
    })),
    changes: [],
    reasons: reasonsOf(new Map(faults.length === 0 ? [] : [['line', faults.length]]), listed),
    warnings: [countsInWords(counts), ...('warnings' in reading ? reading.warnings : [])],
  };
}
