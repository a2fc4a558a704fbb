import type { EInvoiceForm, EInvoiceReport } from '@counterfoil/contract/operator/billing/e-invoices.ts';
import { AppError } from '../../app-error.ts';
import { readSnapshot, type Snapshot } from '../../db/cursor.ts';
import type { Db } from '../../db/database.ts';
import { fewRows } from '../../http/answers/whole-list.ts';
import { authorisedCustomer, type CustomerScope } from '../../http/requests/scope.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { type InvoicePaper, type InvoicePaperDeps, invoiceDocument } from '../invoices/service.ts';
import { CheckInParts } from './check-parts.ts';
import { composeEInvoice, documentPeriodOf, type SellerFacts } from './compose.ts';
import type { EInvoice } from './model.ts';
import {
  allELines,
  type EInvoiceRow,
  type ELineRow,
  findEInvoice,
  findOwner,
  spanOfLines,
} from './queries.ts';
import { checkEInvoice, type Finding } from './rules.ts';

/** Lines that are checked before others have their turn: a few milliseconds. */
const AT_ONCE = 250;

interface Checked {
  readonly invoice: EInvoice;
  readonly report: EInvoiceReport;
}

/** A PDF that the provider brought is what it is. */
const OWN_DOCUMENT: Finding = {
  rule: 'ownDocument',
  of: 'facturX',
  text: 'The provider’s own PDF is kept of this invoice, and nothing is put into it',
};

/** An invoice and who hands it out. @throws {AppError} invoice.notFound */
async function find(db: Db, scope: CustomerScope, id: string) {
  const [row, found] = await Promise.all([
    findEInvoice(db, scope, id),
    findCustomerBrand(db, scope.customerId, scope.resellerId),
  ]);
  if (row === undefined) throw new AppError('invoice.notFound');
  const { companyName, settings } = brandFromRow(found);
  return { row, facts: { companyName, settings: settings.eInvoice } };
}

/** An invoice in the terms of EN 16931, and what keeps it from being handed out. @throws {AppError} invoice.notFound */
async function check(db: Db, scope: CustomerScope, id: string): Promise<Checked> {
  const { row, facts } = await find(db, scope, id);
  const invoice = composeEInvoice(row, await db.many(allELines(scope, id)), facts);
  const findings = checkEInvoice(invoice);
  const isCore = findings.every(({ of }) => of !== 'en16931');
  return {
    invoice,
    report: {
      isOffered: facts.settings.isOffered,
      ubl: findings.length === 0,
      facturX: isCore && !row.has_document,
      findings: row.has_document ? [...findings, OWN_DOCUMENT] : [...findings],
    },
  };
}

/** What keeps an invoice from being an e-invoice, if anything does. @throws {AppError} invoice.notFound */
export const checkInvoice = async (db: Db, scope: CustomerScope, id: string): Promise<EInvoiceReport> =>
  (await check(db, scope, id)).report;

/** The forms that a customer may download. @throws {AppError} invoice.notFound */
export async function offeredForms(
  { db, exports }: Pick<InvoicePaperDeps, 'db' | 'exports'>,
  scope: CustomerScope,
  id: string,
): Promise<EInvoiceForm[]> {
  const { row, facts } = await find(db, scope, id);
  if (!facts.settings.isOffered) return [];
  const few = await fewRows(db, allELines(scope, id));
  const kept =
    few === undefined
      ? await readSnapshot(exports, (snapshot) => checkMany(snapshot, scope, row, facts))
      : new Set(checkEInvoice(composeEInvoice(row, few, facts)).map(({ of }) => of));
  return [
    ...(kept.size === 0 ? (['ubl'] as const) : []),
    ...(kept.has('en16931') || row.has_document ? [] : (['facturX'] as const)),
  ];
}

/** Which forms something keeps an invoice of many lines from; others have their turn meanwhile. */
async function checkMany(
  snapshot: Snapshot,
  scope: CustomerScope,
  row: EInvoiceRow,
  facts: SellerFacts,
): Promise<ReadonlySet<Finding['of']>> {
  const span = await spanOfLines(snapshot, scope, row.id);
  const check = new CheckInParts(row, facts, documentPeriodOf(row, [span]));
  let part: ELineRow[] = [];
  for await (const line of snapshot.stream(allELines(scope, row.id))) {
    part.push(line);
    if (part.length < AT_ONCE) continue;
    check.add(part);
    part = [];
  }
  if (part.length > 0) check.add(part);
  return check.end();
}

/** Who asks: a customer gets what the brand offers, the provider all that keeps to the rules. */
export type Asking = 'customer' | 'provider';

const refused = (findings: readonly Finding[]): AppError => {
  const [first] = findings;
  return new AppError('invoice.noEInvoice', first && { text: `${first.text} (${first.rule})` });
};

async function checkedFor(
  db: Db,
  scope: CustomerScope,
  id: string,
  form: EInvoiceForm,
  asking: Asking,
): Promise<EInvoice> {
  const { invoice, report } = await check(db, scope, id);
  if (asking === 'customer' && !(report.isOffered && report[form])) throw new AppError('invoice.noEInvoice');
  const other = form === 'ubl' ? 'facturX' : 'peppol';
  if (!report[form]) throw refused(report.findings.filter(({ of }) => of !== other));
  return invoice;
}

/**
 * The invoice as UBL. What writes it is loaded when it is asked for.
 * @throws {AppError} invoice.notFound; invoice.noEInvoice, for the provider with the first reason
 */
export async function ublOf(
  db: Db,
  scope: CustomerScope,
  id: string,
  asking: Asking,
): Promise<{ readonly number: string; readonly xml: Buffer }> {
  const invoice = await checkedFor(db, scope, id, 'ubl', asking);
  const { writeUbl } = await import('./write-ubl.ts');
  return { number: invoice.number, xml: writeUbl(invoice) };
}

/**
 * The letter of an invoice with its CII inside: a Factur-X once it is rendered.
 * @throws {AppError} invoice.notFound; invoice.noEInvoice, for the provider with the first reason
 */
export async function facturXOf(
  deps: InvoicePaperDeps,
  scope: CustomerScope,
  id: string,
  asking: Asking,
): Promise<InvoicePaper> {
  const invoice = await checkedFor(deps.db, scope, id, 'facturX', asking);
  const { writeCii } = await import('./write-cii.ts');
  const attachment = { name: 'factur-x.xml', content: writeCii(invoice), profile: 'EN 16931' };
  return invoiceDocument(deps, scope, id, attachment);
}

/** The customer of an invoice, for the provider. @throws {AppError} invoice.notFound */
export async function ownerOf(db: Db, resellerId: number | undefined, id: string): Promise<CustomerScope> {
  const owner = await findOwner(db, resellerId, id);
  if (owner === undefined) throw new AppError('invoice.notFound');
  return authorisedCustomer(owner.customer_id, owner.reseller_id, 'system');
}
