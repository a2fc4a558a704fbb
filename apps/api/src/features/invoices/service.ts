import { buffer } from 'node:stream/consumers';
import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  type Invoice,
  type InvoiceDetail,
  type InvoiceListQuery,
  invoice,
  invoiceDetail,
  invoiceLine,
} from '@counterfoil/contract/invoices.ts';
import { windowOf } from '@counterfoil/contract/paging.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { csvDecimal, csvRow } from '@counterfoil/domain/text/csv.ts';
import { contentDisposition, safeFileName } from '@counterfoil/domain/text/file-name.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { readSnapshot } from '../../db/cursor.ts';
import type { Database, Db } from '../../db/database.ts';
import { readPage } from '../../db/page.ts';
import type { Sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import { answerWhole, fewRows, type ListDeps, streamList } from '../../http/answers/whole-list.ts';
import { elementWriter } from '../../http/requests/declared-only.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { ComingCharges } from '../../letters/auto-pay-slip.ts';
import { signOf } from '../../letters/figures.ts';
import { type PdfRenderer, type RecordSource, streamPdf } from '../../letters/pdf-service.ts';
import { readLogo } from '../../letters/read-logo.ts';
import type { Letter } from '../../pdf/letter/letter.ts';
import type { Secrets } from '../../secrets.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { composeDocument } from './compose-document.ts';
import type { InvoiceDetailRow, InvoiceLineRow, InvoiceRow } from './invoice-row.ts';
import { isItemised, meteredLines, recordParts } from './itemised.ts';
import { invoiceList, type StateContext } from './lists/invoice-list.ts';
import { dueMinor } from './paper-money.ts';
import { type PresentContext, presentDetail, presentInvoice, presentLine } from './present.ts';
import * as queries from './queries.ts';
import { storedDocument } from './stored-document.ts';
import { presentUsage, splitUsage, type UsageSum, unitFinder } from './usage-split.ts';

export {
  type DocumentRow,
  findDocument,
  findDocuments,
  type KeepDocuments,
  withDocuments,
} from './keep-document.ts';
export { sampleInvoiceLetter } from './sample-letter.ts';

/** Bills that stand as bars beside each other. */
const BARS = 6;
/** Where the lines stand in an invoice that is written without them. */
const NO_LINES = '"lines":[]';

export interface InvoiceDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  readonly paymentTypeOf: (resellerId: number) => Promise<number>;
}

/** What its letter needs beside. */
export interface InvoicePaperDeps extends InvoiceDeps {
  /** Where documents of the provider's own lie. */
  readonly files: FileStore;
  readonly comingCharges: ComingCharges;
  /** Where long reads go. */
  readonly exports: Database;
}

export async function contextFor(deps: InvoiceDeps, scope: CustomerScope): Promise<PresentContext> {
  const [brand, paymentType] = await Promise.all([
    findCustomerBrand(deps.db, scope.customerId, scope.resellerId),
    deps.paymentTypeOf(scope.resellerId),
  ]);
  return {
    brand: brandFromRow(brand),
    secrets: deps.secrets,
    now: deps.clock.now(),
    gatewayConfigured: paymentType !== 0,
  };
}

/** Answers with all invoices, newest first. */
export async function answerInvoices(
  deps: InvoiceDeps & ListDeps,
  scope: CustomerScope,
  reply: FastifyReply,
): Promise<{ data: Invoice[] } | FastifyReply> {
  const context = await contextFor(deps, scope);
  const present = (row: InvoiceRow) => presentInvoice(row, context);
  return answerWhole(deps, reply, scope.customerId, {
    rows: queries.allInvoices(scope),
    present,
    item: invoice,
  });
}

/** One page of invoices as they are asked for, with the total. */
export async function pageOfInvoices(
  deps: InvoiceDeps,
  scope: CustomerScope,
  query: InvoiceListQuery,
): Promise<{ data: Invoice[]; totalCount: number }> {
  const context = await contextFor(deps, scope);
  const { order, orderDirection, search, state, ids } = query;
  const of = {
    ...stateContextOf(context),
    order,
    isDescending: orderDirection === 'desc',
    search,
    state,
    ids,
  };
  const { rows, total } = await readPage<InvoiceRow>(deps.db, invoiceList(scope, of), windowOf(query));
  return { data: rows.map((row) => presentInvoice(row, context)), totalCount: total };
}

export const stateContextOf = ({ brand, now, gatewayConfigured }: PresentContext): StateContext => ({
  today: today(brand.timeZone, now),
  takesPayments: brand.settings.paymentsEnabled && gatewayConfigured,
});

const hasUsage = (lines: readonly InvoiceLineRow[]): boolean =>
  lines.some((line) => line.usage_records > 0 || line.has_archived_usage);

async function findInvoice(db: Db, scope: CustomerScope, id: string): Promise<InvoiceDetailRow> {
  const row = await queries.findInvoice(db, scope, id);
  if (row === undefined) throw new AppError('invoice.notFound');
  return row;
}

type Read = <Row>(query: Sql<Row>) => Promise<Row[]>;

/** The usage that an invoice's lines billed, split over them. */
async function usageOf(read: Read, scope: CustomerScope, id: string): Promise<UsageSum[]> {
  const lines = await read(queries.usageLines(scope, id));
  if (lines.length === 0) return [];
  const usage = await read(queries.lineUsage(scope, id));
  return splitUsage(lines, usage.map(unitFinder(lines, usage)));
}

async function gathered<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) all.push(row);
  return all;
}

/** The same of an invoice of any length: read bit by bit. */
const longUsageOf = (exports: Database, scope: CustomerScope, id: string): Promise<UsageSum[]> =>
  readSnapshot(exports, ({ stream }) => usageOf((query) => gathered(stream(query)), scope, id));

/** Answers with one invoice, its lines and usage. @throws {AppError} invoice.notFound */
export async function answerInvoice(
  deps: InvoiceDeps & ListDeps,
  scope: CustomerScope,
  id: string,
  reply: FastifyReply,
): Promise<{ data: InvoiceDetail } | FastifyReply> {
  const { db } = deps;
  const [context, row, few] = await Promise.all([
    contextFor(deps, scope),
    findInvoice(db, scope, id),
    fewRows(db, queries.allLines(scope, id)),
  ]);
  const [credits, payments, sums] = await Promise.all([
    queries.listCredits(db, scope, id),
    queries.listPayments(db, scope, id, context.brand.timeZone),
    few === undefined
      ? longUsageOf(deps.exports, scope, id)
      : hasUsage(few)
        ? usageOf((query) => db.many(query), scope, id)
        : [],
  ]);
  const usage = presentUsage(sums, row.currency);
  const detail = presentDetail(row, { lines: few ?? [], credits, usage, payments }, context);
  if (few !== undefined) return { data: detail };
  const write = elementWriter(invoiceLine);
  // The members stand in the order of the schema, the lines among them.
  const [before = '', after = ''] = elementWriter(envelope(invoiceDetail))({ data: detail }).split(NO_LINES);
  return streamList(deps, reply, scope.customerId, {
    rows: queries.allLines(scope, id),
    write: (line) => write(presentLine(line, row.currency)),
    head: `${before}"lines":[`,
    tail: `]${after}`,
  });
}

/** The invoice on paper as it is made here, with its number. @throws {AppError} invoice.notFound */
export async function invoiceDocument(
  deps: InvoicePaperDeps,
  scope: CustomerScope,
  id: string,
): Promise<{ readonly number: string; readonly letter: Letter; readonly records?: RecordSource }> {
  const { db, publicUrl } = deps;
  const context = await contextFor(deps, scope);
  const { brand } = context;
  const row = await findInvoice(db, scope, id);
  const lines = await db.many(queries.allLines(scope, id));
  const credits = await queries.listCredits(db, scope, id);
  const [payments, before, logo, coming] = await Promise.all([
    queries.listPayments(db, scope, id, brand.timeZone),
    queries.listBillsBefore(db, scope, row, BARS - 1),
    readLogo(db, brand.id),
    dueMinor(row) > 0n ? deps.comingCharges(scope, row.currency) : [],
  ]);
  const itemised = brand.settings.itemisedRecords ? await readItemised(db, scope, id, lines) : undefined;
  const invoice = presentInvoice(row, context);
  const letter = await composeDocument({
    row,
    lines,
    credits,
    payments,
    before,
    invoice,
    brand,
    logo,
    publicUrl,
    coming: coming.find(({ invoiceId }) => invoiceId === id),
    isOpen: scope.by === 'payLink',
    canPayOnline: brand.settings.paymentsEnabled && context.gatewayConfigured,
    ...(itemised === undefined ? {} : { itemised }),
  });
  if (itemised === undefined || !isItemised(itemised.numbers)) return { number: row.number, letter };
  const metered = meteredLines(lines);
  const how = {
    numbers: itemised.numbers,
    sign: signOf(brand, row.currency),
    timeZone: brand.timeZone,
    counted: itemised.counted,
  };
  return {
    number: row.number,
    letter,
    records: (take) =>
      readSnapshot(deps.exports, async (snapshot) => {
        const rows = snapshot.stream(queries.billedRecords(scope, id, metered));
        for await (const parts of recordParts(rows, how)) await take(parts);
      }),
  };
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
  const { number, letter, records } = await invoiceDocument(deps, of.scope, of.invoiceId);
  return send(number).send(await streamPdf(deps.pdf, letter, request.raw, records));
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
  const { number, letter, records } = await invoiceDocument(deps, of.scope, of.invoiceId);
  return named(number, Buffer.from(await deps.pdf.render(letter, undefined, records)));
}

/** Usage that the lines billed; undefined where they billed none. */
async function readItemised(db: Db, scope: CustomerScope, id: string, lines: readonly InvoiceLineRow[]) {
  if (!hasUsage(lines)) return undefined;
  const [usage, numbers] = await Promise.all([
    db.many(queries.lineUsage(scope, id)),
    queries.listBilledNumbers(db, scope, id, meteredLines(lines)),
  ]);
  const counted = unitFinder(lines, usage);
  return { usage: usage.map(counted), numbers, counted };
}

/** The usage table as CSV. @returns the invoice's number, the content, and how many rows it has beside its head */
export async function invoiceUsageCsv(
  deps: InvoicePaperDeps,
  scope: CustomerScope,
  id: string,
): Promise<{ number: string; csv: string; rows: number }> {
  const row = await findInvoice(deps.db, scope, id);
  const sums = await longUsageOf(deps.exports, scope, id);
  const decimal = (minor: bigint) => csvDecimal(formatDecimal(money(minor, row.currency)));
  const head = ['Service Item', 'Service', 'Record Type', 'Quantity', 'Amount', 'Tax', 'Total', 'Unit'];
  const rows = sums.map((sum) => [
    sum.serviceItem,
    sum.service,
    sum.recordType,
    csvDecimal(sum.quantity),
    decimal(sum.amountMinor),
    decimal(sum.taxMinor),
    decimal(sum.amountMinor + sum.taxMinor),
    sum.unit ?? '',
  ]);
  return { number: row.number, csv: [head, ...rows].map(csvRow).join(''), rows: rows.length };
}
