import { createHash } from 'node:crypto';
import type { Db, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { ImportedInvoice } from '../invoices/imported-invoice.ts';
import { contentHashOf, supplierKeyOf } from '../invoices/stored-invoice.ts';
import type { TakenInvoice } from '../invoices/take-invoice.ts';
import { identityOfFile, nextTry, upsert } from './rows.ts';

type Refused = Extract<TakenInvoice, { readonly is: 'quarantined' }>;

/** What is larger is not kept, in bytes: its file has to be imported again. */
const MAX_DOCUMENT_BYTES = 1024 ** 2;

/**
 * What a document's entry is known by, as a UUID. One that would be booked if its buyer were known is the same whatever
 * its content; one that cannot be booked is known by its content too. The word 'ubl' in it is stored and no format: the same
 * invoice in another format is the same entry.
 */
function identityOf(invoice: ImportedInvoice, cause: Refused['cause'] | null): string {
  const isOwn = cause === 'differs' || cause === 'document';
  const hash = createHash('sha256').update(
    JSON.stringify(['ubl', supplierKeyOf(invoice), invoice.kind, invoice.number]),
  );
  if (isOwn) hash.update(contentHashOf(invoice));
  return hash.digest('hex').slice(0, 32);
}

/** Keeps a document that was not booked: its bytes, not its format. @param fileId the import that met it */
export const keepDocument = (
  tx: Tx,
  resellerId: number,
  fileId: string,
  { invoice, content }: { readonly invoice: ImportedInvoice; readonly content: Uint8Array },
  { cause, reason, missing }: Refused,
  now: Date,
): Promise<number> => {
  const record = content.length > MAX_DOCUMENT_BYTES ? null : Buffer.from(content);
  return upsert(
    tx,
    resellerId,
    fileId,
    now,
    sql`
    select 'invoice' as kind, ${identityOf(invoice, cause)}::uuid as identity, 1 as ordinal, null::int as line,
           ${cause} as cause, ${reason} as reason, ${[...missing]}::text[] as missing, ${record}::bytea as record`,
  );
};

/** Keeps word of a file of which nothing could be read. */
export const keepUnread = (
  tx: Tx,
  resellerId: number,
  fileId: string,
  {
    digest,
    line,
    reason,
  }: { readonly digest: Buffer; readonly line: number | null; readonly reason: string },
  now: Date,
): Promise<number> =>
  upsert(
    tx,
    resellerId,
    fileId,
    now,
    sql`
    select 'file' as kind, ${identityOfFile(digest)}::uuid as identity, 1 as ordinal, ${line}::int as line, 'file' as cause,
           ${reason} as reason, '{}'::text[] as missing, null::bytea as record`,
  );

/** Takes away word of a file that could not be read and can be now. @param digest sha256 of the file */
export const settleFile = (tx: Tx, resellerId: number, digest: Buffer): Promise<number> =>
  tx.execute(sql`
    delete from quarantine_entry
     where reseller_id = ${resellerId} and kind = 'file' and identity = ${identityOfFile(digest)}::uuid`);

/** A document that is in the books. */
export interface SettledDocument {
  readonly invoice: ImportedInvoice;
  /** sha256 of its file. */
  readonly digest: Buffer;
}

/** Takes documents that are in, and what was kept of their files as wholes, out of the quarantine. */
export async function settleDocuments(
  tx: Tx,
  resellerId: number,
  documents: readonly SettledDocument[],
): Promise<void> {
  if (documents.length === 0) return;
  const identities = documents.flatMap(({ invoice, digest }) => [
    identityOf(invoice, null),
    identityOfFile(digest),
  ]);
  await tx.execute(sql`
    delete from quarantine_entry where reseller_id = ${resellerId} and identity = any(${identities}::uuid[])`);
}

/** Takes a document that is in out of the quarantine. @param digest sha256 of its file */
export const settleDocument = (
  tx: Tx,
  resellerId: number,
  invoice: ImportedInvoice,
  digest: Buffer,
): Promise<void> => settleDocuments(tx, resellerId, [{ invoice, digest }]);

/** A document that waits. */
export interface HeldDocument {
  readonly id: string;
  readonly record: Buffer;
  readonly reseller_id: number;
}

/** Documents that wait, held until the transaction ends, but for those that another process has or that are settled. */
export const holdDocuments = (tx: Tx & Db, ids: readonly string[]) =>
  tx.many<HeldDocument>(sql`
    select id, record, reseller_id from quarantine_entry
     where id = any(${[...ids]}::uuid[]) and kind = 'invoice' and record is not null order by id for update skip locked`);

/** Takes entries out of the quarantine. */
export async function settleEntries(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.execute(sql`delete from quarantine_entry where id = any(${[...ids]}::uuid[])`);
}

/** Says why an entry still waits after a try. */
export const sayWhy = (tx: Tx, id: string, { cause, reason, missing }: Refused, now: Date): Promise<number> =>
  tx.execute(sql`
    update quarantine_entry
       set cause = ${cause}, reason = ${reason}, missing = ${[...missing]}::text[], tries = tries + 1, tried_at = ${now},
           next_try_at = ${nextTry(now)}
     where id = ${id}`);
