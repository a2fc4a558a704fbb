import { buffer } from 'node:stream/consumers';
import { contentDisposition, safeFileName } from '@counterfoil/domain/text/file-name.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readSnapshot, type Snapshot } from '../../../db/cursor.ts';
import type { Db } from '../../../db/database.ts';
import { FEW_ROWS } from '../../../http/answers/whole-list.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import { signOf } from '../../../letters/figures.ts';
import { type PartSource, type PdfRenderer, streamPdf } from '../../../letters/pdf-service.ts';
import { readLogo } from '../../../letters/read-logo.ts';
import type { Letter, LetterAttachment, LetterPart } from '../../../pdf/letter/letter.ts';
import { contextFor, findInvoice, type InvoicePaperDeps } from '../context.ts';
import type { InvoiceDetailRow } from '../invoice-row.ts';
import { type PresentContext, presentInvoice } from '../present.ts';
import * as queries from '../queries.ts';
import { storedDocument } from '../stored-document.ts';
import { unitFinder } from '../usage-split.ts';
import { composeDocument, type DocumentParts, writtenFor } from './compose-document.ts';
import { isItemised, meteredLines, recordParts } from './itemised.ts';
import { type BilledLine, LineFacts } from './line-facts.ts';
import { dueMinor } from './paper-money.ts';
import { type ChargesOn, chargeRows, chargesOf, manyCharges, WidestRows } from './summary.ts';

/** Bills that stand as bars beside each other. */
const BARS = 6;

/** An invoice on paper, as the rendering process takes it. */
export interface InvoicePaper {
  readonly number: string;
  /** Undefined for an invoice of many lines: it comes as the first of the parts. */
  readonly letter: Letter | undefined;
  /** Lines of many, usage records. */
  readonly parts?: PartSource;
}

type Take = (parts: readonly LetterPart[]) => Promise<void>;
type Beside = Pick<DocumentParts, 'credits' | 'payments' | 'before'>;
type Itemised = NonNullable<DocumentParts['itemised']> & {
  readonly counted: ReturnType<typeof unitFinder>;
};

/** What all of an invoice's paper is made of. */
interface Asked {
  readonly deps: InvoicePaperDeps;
  readonly scope: CustomerScope;
  readonly id: string;
  readonly context: PresentContext;
  /** Makes it a Factur-X. */
  readonly attachment: LetterAttachment | undefined;
}

/**
 * The invoice on paper as it is made here, with its number.
 * @param attachment makes it a Factur-X
 * @throws {AppError} invoice.notFound
 */
export async function invoiceDocument(
  deps: InvoicePaperDeps,
  scope: CustomerScope,
  id: string,
  attachment?: LetterAttachment,
): Promise<InvoicePaper> {
  const { db } = deps;
  const [context, row, count] = await Promise.all([
    contextFor(deps, scope),
    findInvoice(db, scope, id),
    queries.countLines(db, scope, id, FEW_ROWS + 1),
  ]);
  const asked: Asked = { deps, scope, id, context, attachment };
  if (count > FEW_ROWS)
    return {
      number: row.number,
      letter: undefined,
      parts: (take) => readSnapshot(deps.exports, (snapshot) => sendLong(asked, snapshot, take)),
    };
  const [lines, beside] = await Promise.all([db.many(queries.allLines(scope, id)), besideOf(asked, db, row)]);
  const facts = new LineFacts(lines);
  const itemised = await itemisedOf(asked, db, facts);
  const letter = await letterOf(asked, row, beside, chargesOf(lines, facts), itemised);
  if (itemised === undefined || !isItemised(itemised.numbers)) return { number: row.number, letter };
  return {
    number: row.number,
    letter,
    parts: (take) =>
      readSnapshot(deps.exports, (snapshot) => sendRecords(asked, snapshot, { row, itemised }, take)),
  };
}

/**
 * An invoice of many lines, of one moment of the database: a file is begun once the first of them are there; they are read once for
 * what the first page says of all of them, and a second time to be drawn.
 * @throws {AppError} invoice.notFound
 */
async function sendLong(asked: Asked, snapshot: Snapshot, take: Take): Promise<void> {
  const { scope, id, context } = asked;
  const row = await findInvoice(snapshot, scope, id);
  const written = writtenFor({ row, brand: context.brand });
  const facts = new LineFacts();
  const widest = new WidestRows(facts, written);
  for await (const line of snapshot.stream(queries.allLines(scope, id))) {
    if (facts.count === 0) await take([{ kind: 'start' }]);
    facts.add(line);
    widest.add(line);
  }
  const itemised = await itemisedOf(asked, snapshot, facts);
  const beside = await besideOf(asked, snapshot, row);
  const letter = await letterOf(asked, row, beside, manyCharges(facts, widest), itemised);
  await take([{ kind: 'letter', letter }]);
  const lines = snapshot.stream(linesFor(asked, facts));
  for await (const rows of chargeRows(lines, facts, written)) await take([{ kind: 'lines', lines: rows }]);
  if (itemised !== undefined && isItemised(itemised.numbers))
    await sendRecords(asked, snapshot, { row, itemised }, take);
}

/** The order of the paper is that of the invoice where all lines are of one class. */
const linesFor = ({ scope, id }: Asked, { classes, meteredUnits }: LineFacts) =>
  classes.length > 1 ? queries.linesByClass(scope, id, [...meteredUnits]) : queries.allLines(scope, id);

async function sendRecords(
  { scope, id, context }: Asked,
  snapshot: Snapshot,
  { row, itemised }: { readonly row: InvoiceDetailRow; readonly itemised: Itemised },
  take: Take,
): Promise<void> {
  const { numbers, counted } = itemised;
  const { brand } = context;
  const rows = snapshot.stream(queries.billedRecords(scope, id, meteredLines(itemised.lines)));
  const how = { numbers, counted, sign: signOf(brand, row.currency), timeZone: brand.timeZone };
  for await (const parts of recordParts(rows, how)) await take(parts);
}

/** What its letter says of other documents; one statement after another, as a snapshot asks for. */
async function besideOf({ scope, id, context }: Asked, db: Db, row: InvoiceDetailRow): Promise<Beside> {
  const credits = await queries.listCredits(db, scope, id);
  const payments = await queries.listPayments(db, scope, id, context.brand.timeZone);
  return { credits, payments, before: await queries.listBillsBefore(db, scope, row, BARS - 1) };
}

async function letterOf(
  { deps, scope, id, context, attachment }: Asked,
  row: InvoiceDetailRow,
  beside: Beside,
  charges: ChargesOn,
  itemised: Itemised | undefined,
): Promise<Letter> {
  const { brand } = context;
  const [logo, coming] = await Promise.all([
    readLogo(deps.db, brand.id),
    dueMinor(row) > 0n ? deps.comingCharges(scope, row.currency) : [],
  ]);
  const letter = await composeDocument({
    row,
    charges,
    ...beside,
    invoice: presentInvoice(row, context),
    brand,
    logo,
    publicUrl: deps.publicUrl,
    coming: coming.find(({ invoiceId }) => invoiceId === id),
    isOpen: scope.by === 'payLink',
    canPayOnline: brand.settings.paymentsEnabled && context.gatewayConfigured,
    ...(itemised === undefined ? {} : { itemised }),
  });
  return attachment === undefined ? letter : { ...letter, attachment };
}

/** Usage that the lines billed; undefined where they billed none, or where the brand itemises none. */
async function itemisedOf(
  { scope, id, context }: Asked,
  db: Db,
  { hasUsage, billed }: LineFacts,
): Promise<Itemised | undefined> {
  if (!hasUsage || !context.brand.settings.itemisedRecords) return undefined;
  const lines: readonly BilledLine[] = billed;
  const usage = await db.many(queries.lineUsage(scope, id));
  const numbers = await queries.listBilledNumbers(db, scope, id, meteredLines(lines));
  const counted = unitFinder(lines, usage);
  return { lines, usage: usage.map(counted), numbers, counted };
}

/**
 * Answers with an invoice as a PDF: the provider's own document where there is one, else the one that is made here.
 * @param how to be shown, or kept
 * @throws {AppError} invoice.notFound
 */
export async function sendInvoiceDocument(
  deps: InvoicePaperDeps & { readonly pdf: PdfRenderer },
  of: { readonly scope: CustomerScope; readonly invoiceId: string },
  how: 'inline' | 'attachment',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const send = (number: string) =>
    reply
      .type('application/pdf')
      .header('content-disposition', contentDisposition(`invoice_${number}.pdf`, how));
  const stored = await storedDocument(deps, of.scope, of.invoiceId);
  if (stored !== undefined)
    return send(stored.number).header('content-length', stored.file.sizeBytes).send(stored.file.content);
  const { number, letter, parts } = await invoiceDocument(deps, of.scope, of.invoiceId);
  return send(number).send(await streamPdf(deps.pdf, letter, request.raw, parts));
}

/**
 * An invoice as a file to be attached: the provider's own document where there is one, else the one that is made here.
 * @returns undefined where it has more bytes than wanted
 */
export async function invoiceFile(
  deps: InvoicePaperDeps & { readonly pdf: Pick<PdfRenderer, 'render'> },
  of: { readonly scope: CustomerScope; readonly invoiceId: string },
  mostBytes: number,
): Promise<{ readonly filename: string; readonly content: Buffer } | undefined> {
  const named = (number: string, content: Buffer) =>
    content.length > mostBytes ? undefined : { filename: safeFileName(`invoice_${number}.pdf`), content };
  const stored = await storedDocument(deps, of.scope, of.invoiceId);
  if (stored !== undefined) {
    if (stored.file.sizeBytes <= mostBytes) return named(stored.number, await buffer(stored.file.content));
    stored.file.content.destroy();
    return undefined;
  }
  const { number, letter, parts } = await invoiceDocument(deps, of.scope, of.invoiceId);
  return named(number, Buffer.from(await deps.pdf.render(letter, undefined, parts)));
}
