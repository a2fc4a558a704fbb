import { createHash } from 'node:crypto';
import type { ImportPreview, ImportState } from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Database, Tx } from '../../../db/database.ts';
import { sql } from '../../../db/sql.ts';
import type { FileStore } from '../../../files/file-store.ts';
import { tellOfImport } from '../../../messages/import-messages.ts';
import type { Secrets } from '../../../secrets.ts';
import { withDocuments } from '../../invoices/service.ts';
import { type ReadDocument, readDocument } from '../documents/read-document.ts';
import { keepDocument, keepUnread, settleDocument, settleFile } from '../quarantine/documents.ts';
import type { Cause } from '../report/causes.ts';
import { reasonsOf } from '../report/reasons.ts';
import { keepMadeDocument, keepMadeInvoices } from '../runs/changes.ts';
import type { Target } from '../whose.ts';
import { maxDocumentBytes } from './document-bound.ts';
import type { ImportedInvoice } from './imported-invoice.ts';
import { keepPdfs } from './keep-pdfs.ts';
import { lookAtNamedPdf, saysWhose, takeNamedPdf } from './named-pdf.ts';
import { findByIdentities } from './queries.ts';
import { supplierKeyOf } from './stored-invoice.ts';
import { takeInvoice } from './take-invoice.ts';

/** What taking documents needs. */
export interface DocumentDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  /** Where the PDFs of invoices are kept. */
  readonly files: FileStore;
}

/** A document that was uploaded. */
export interface UploadedDocument {
  readonly id: string;
  /** As the file was called. */
  readonly name: string;
  readonly target: Target;
  readonly content: AsyncIterable<Uint8Array>;
  readonly now: Date;
}

type Read = ReadDocument & { readonly bytes: Buffer };

async function read(content: AsyncIterable<Uint8Array>): Promise<Read> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of content) {
    size += piece.length;
    if (size > maxDocumentBytes)
      return {
        ok: false,
        line: 1,
        reason: `larger than ${maxDocumentBytes / 1024 / 1024} MiB`,
        bytes: Buffer.alloc(0),
      };
    pieces.push(piece);
  }
  const bytes = Buffer.concat(pieces);
  return { ...(await readDocument(bytes)), bytes };
}

/** Takes a document into the books and ends its import, in one transaction; one that was stopped meanwhile stays out. */
export async function takeDocument(
  { db, secrets, publicUrl, files }: DocumentDeps,
  { id, name, target, content, now }: UploadedDocument,
): Promise<void> {
  const document = await read(content);
  const digest = createHash('sha256').update(document.bytes).digest();
  const { resellerId } = target;
  await withDocuments(db, files, async (tx, keep) => {
    const { state } = await tx.one<{ state: ImportState }>(sql`
      select state from import_file where id = ${id} for update`);
    if (state === 'stopped') return;
    if (!document.ok) {
      const { line, pdf } = document;
      const named = pdf && (await takeNamedPdf(tx, keep, target, { name, content: pdf, now }));
      if (named !== undefined && named.is !== 'quarantined') {
        await end(tx, id, { is: named.is, warnings: [saysWhose(name, named.number)] }, now);
        // What took another's place cannot give it back.
        if (named.is === 'created') await keepMadeDocument(tx, id, named, now);
        await settleFile(tx, resellerId, digest);
        return;
      }
      const reason = named?.reason ?? document.reason;
      await end(tx, id, { is: 'quarantined', cause: 'file', reason }, now);
      await keepUnread(tx, resellerId, id, { digest, line, reason }, now);
      return;
    }
    const { invoice, bytes, pdf } = document;
    const taken = await takeInvoice(tx, { secrets, publicUrl, now }, target, invoice);
    await keepPdfs(tx, keep, [{ taken, pdf }], now);
    await end(tx, id, taken, now);
    if (taken.is === 'quarantined')
      await keepDocument(tx, resellerId, id, { invoice, content: bytes }, taken, now);
    else {
      if (taken.is === 'created') await keepMadeInvoices(tx, [{ ...taken, fileId: id }], now);
      await settleDocument(tx, resellerId, invoice, digest);
    }
  });
}

/** What became of a document, as far as its import tells. */
type Taken =
  | { readonly is: 'created' | 'unchanged' | 'updated'; readonly warnings: readonly string[] }
  | { readonly is: 'quarantined'; readonly cause: Cause; readonly reason: string };

async function end(tx: Tx, id: string, taken: Taken, now: Date): Promise<void> {
  const count = (is: Taken['is']): number => (taken.is === is ? 1 : 0);
  await tx.execute(sql`
    update import_file
       set state = 'done', created_n = ${count('created')}, updated_n = ${count('updated')}, corrected_n = 0,
           unchanged_n = ${count('unchanged')}, quarantined_n = ${count('quarantined')},
           warnings = ${JSON.stringify(taken.is === 'quarantined' ? [] : taken.warnings)}, finished_at = ${now}
     where id = ${id}`);
  if (taken.is === 'quarantined')
    await tx.execute(sql`
      insert into import_quarantine (id, file_id, line, reason, cause, at)
      values (${newId(now.getTime())}, ${id}, null, ${taken.reason}, ${taken.cause}, ${now})`);
  await tellOfImport(tx, id, now);
}

/** Takes a transaction back whose outcome is wanted. */
class TakenBack extends Error {
  override readonly name = 'TakenBack';
  readonly preview: ImportPreview;

  constructor(preview: ImportPreview) {
    super('a dry run is taken back');
    this.preview = preview;
  }
}

/** What taking a document in would come to: it is taken in, and all of that is taken back. */
export async function previewDocument(
  { db, secrets, publicUrl }: Omit<DocumentDeps, 'files'>,
  { name, target, content, now }: Omit<UploadedDocument, 'id'>,
): Promise<ImportPreview> {
  const document = await read(content);
  if (!document.ok) {
    const { line, pdf } = document;
    const named = pdf && (await lookAtNamedPdf(db, target, name, pdf));
    if (named !== undefined && named.is !== 'quarantined')
      return previewOf({ is: named.is, warnings: [saysWhose(name, named.number)] }, null);
    return previewOf({ is: 'quarantined', cause: 'file', reason: named?.reason ?? document.reason }, line);
  }
  const { invoice } = document;
  try {
    return await db.transaction(async (tx) => {
      const taken = await takeInvoice(tx, { secrets, publicUrl, now }, target, invoice);
      const preview = previewOf(taken, null, invoice);
      const differs = taken.is === 'quarantined' && taken.cause === 'differs';
      throw new TakenBack(differs ? { ...preview, changes: await changesOf(tx, target, invoice) } : preview);
    });
  } catch (error) {
    if (error instanceof TakenBack) return error.preview;
    throw error;
  }
}

const signed = (invoice: ImportedInvoice): bigint =>
  invoice.kind === 'creditNote' ? -invoice.totals.payableMinor : invoice.totals.payableMinor;

const decimal = (minor: bigint, currency: string): string => formatDecimal(money(minor, currency));

function previewOf(taken: Taken, line: number | null, invoice?: ImportedInvoice): ImportPreview {
  const count = (is: Taken['is']): number => (taken.is === is ? 1 : 0);
  const { currency } = invoice ?? {};
  return {
    created: count('created'),
    updated: count('updated'),
    unchanged: count('unchanged'),
    quarantined: count('quarantined'),
    amounts:
      invoice === undefined || currency === undefined || taken.is !== 'created'
        ? []
        : [{ currency, created: decimal(signed(invoice), currency), change: decimal(0n, currency) }],
    changes: [],
    reasons: taken.is === 'quarantined' ? reasonsOf(new Map([[taken.cause, 1]]), [{ ...taken, line }]) : [],
    warnings: taken.is === 'quarantined' ? [] : [...taken.warnings],
  };
}

/** What is in the books beside what the document says. */
async function changesOf(
  tx: Tx,
  { resellerId }: Target,
  invoice: ImportedInvoice,
): Promise<ImportPreview['changes']> {
  const { kind, number } = invoice;
  const identities = await findByIdentities(tx, resellerId, [
    { supplierKey: supplierKeyOf(invoice), kind, number },
  ]);
  const [known] = identities.values();
  if (known === undefined) return [];
  const row = await tx.one<{ payable_minor: bigint; currency: string; due_on: string | null }>(sql`
    select payable_minor, currency, due_on from invoice
     where customer_id = ${known.customer_id} and id = ${known.invoice_id}`);
  const members = [
    [
      'payable',
      `${decimal(row.payable_minor, row.currency)} ${row.currency}`,
      `${decimal(signed(invoice), invoice.currency)} ${invoice.currency}`,
    ],
    ['dueOn', row.due_on ?? '–', invoice.dueOn ?? '–'],
  ] as const;
  const found = members.filter(([, was, is]) => was !== is);
  return (found.length > 0 ? found : ([['content', 'other', 'as in the file']] as const)).map(
    ([member, was, is]) => ({ what: invoice.number, member, was, is }),
  );
}
