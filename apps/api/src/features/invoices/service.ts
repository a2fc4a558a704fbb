import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  type Invoice,
  type InvoiceDetail,
  type InvoiceDetailQuery,
  type InvoiceLine,
  type InvoiceLinesQuery,
  type InvoiceListQuery,
  invoice,
  invoiceDetail,
  invoiceLine,
} from '@counterfoil/contract/invoices.ts';
import { windowOf } from '@counterfoil/contract/paging.ts';
import { money } from '@counterfoil/domain/money/money.ts';
import { formatShown } from '@counterfoil/domain/money/shown.ts';
import { csvDecimal, csvRow } from '@counterfoil/domain/text/csv.ts';
import { today } from '@counterfoil/domain/time/time-zone.ts';
import type { FastifyReply } from 'fastify';
import { readSnapshot } from '../../db/cursor.ts';
import type { Database } from '../../db/database.ts';
import { readPage } from '../../db/page.ts';
import type { Sql } from '../../db/sql.ts';
import { answerWhole, fewRows, type ListDeps, streamList } from '../../http/answers/whole-list.ts';
import { elementWriter } from '../../http/requests/declared-only.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { contextFor, findInvoice, type InvoiceDeps, type InvoicePaperDeps } from './context.ts';
import type { InvoiceLineRow, InvoiceRow } from './invoice-row.ts';
import { invoiceList, type StateContext } from './lists/invoice-list.ts';
import { type PresentContext, presentDetail, presentInvoice, presentLine } from './present.ts';
import * as queries from './queries.ts';
import { presentUsage, splitUsage, type UsageSum, unitFinder } from './usage-split.ts';

export { contextFor, type InvoiceDeps, type InvoicePaperDeps } from './context.ts';
export {
  type DocumentRow,
  findDocument,
  findDocuments,
  type KeepDocuments,
  withDocuments,
} from './keep-document.ts';
export {
  type InvoicePaper,
  invoiceDocument,
  invoiceFile,
  sendInvoiceDocument,
} from './paper/invoice-paper.ts';
export { sampleInvoiceLetter } from './paper/sample-letter.ts';

/** Where the lines stand in an invoice that is written without them. */
const NO_LINES = '"lines":[]';

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

/** One page of the lines of an invoice, with their number. @throws {AppError} invoice.notFound */
export async function pageOfLines(
  { db }: InvoiceDeps,
  scope: CustomerScope,
  id: string,
  query: InvoiceLinesQuery,
): Promise<{ data: InvoiceLine[]; totalCount: number }> {
  const [{ currency }, { rows, total }] = await Promise.all([
    findInvoice(db, scope, id),
    readPage<InvoiceLineRow>(db, queries.lineList(scope, id, query.ids), windowOf(query)),
  ]);
  return { data: rows.map((line) => presentLine(line, currency)), totalCount: total };
}

/**
 * Answers with one invoice, its lines and usage.
 * @param query more lines than `linesMost`, and their usage, are left out; or all but the usage
 * @throws {AppError} invoice.notFound
 */
export async function answerInvoice(
  deps: InvoiceDeps & ListDeps,
  scope: CustomerScope,
  id: string,
  { linesMost, only }: InvoiceDetailQuery,
  reply: FastifyReply,
): Promise<{ data: InvoiceDetail } | FastifyReply> {
  const { db } = deps;
  const isUsageAlone = only === 'usage';
  const linesLeftOut =
    isUsageAlone ||
    (linesMost !== undefined && (await queries.countLines(db, scope, id, linesMost + 1)) > linesMost);
  const [context, row, few] = await Promise.all([
    contextFor(deps, scope),
    findInvoice(db, scope, id),
    linesLeftOut ? [] : fewRows(db, queries.allLines(scope, id)),
  ]);
  const [credits, payments, sums] = await Promise.all([
    queries.listCredits(db, scope, id),
    queries.listPayments(db, scope, id, context.brand.timeZone),
    few === undefined || isUsageAlone
      ? longUsageOf(deps.exports, scope, id)
      : hasUsage(few)
        ? usageOf((query) => db.many(query), scope, id)
        : [],
  ]);
  const usage = presentUsage(sums, row.currency);
  const parts = { lines: few ?? [], linesLeftOut, credits, usage, payments };
  const detail = presentDetail(row, parts, context);
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

/** The usage table as CSV. @returns the invoice's number, the content, and how many rows it has beside its head */
export async function invoiceUsageCsv(
  deps: InvoicePaperDeps,
  scope: CustomerScope,
  id: string,
): Promise<{ number: string; csv: string; rows: number }> {
  const [{ brand }, row] = await Promise.all([contextFor(deps, scope), findInvoice(deps.db, scope, id)]);
  const sums = await longUsageOf(deps.exports, scope, id);
  const { moneyDigits } = brand.settings;
  const decimal = (minor: bigint) => csvDecimal(formatShown(money(minor, row.currency), moneyDigits));
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
