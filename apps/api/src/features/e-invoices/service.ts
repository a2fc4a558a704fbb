import type { EInvoiceForm, EInvoiceReport } from '@counterfoil/contract/operator/billing/e-invoices.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import { authorisedCustomer, type CustomerScope } from '../../http/requests/scope.ts';
import type { RecordSource } from '../../letters/pdf-service.ts';
import type { Letter } from '../../pdf/letter/letter.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { type InvoicePaperDeps, invoiceDocument } from '../invoices/service.ts';
import { composeEInvoice } from './compose.ts';
import type { EInvoice } from './model.ts';
import { findEInvoice, findOwner, listELines } from './queries.ts';
import { checkEInvoice, type Finding } from './rules.ts';

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

/** An invoice in the terms of EN 16931, and what keeps it from being handed out. @throws {AppError} invoice.notFound */
async function check(db: Db, scope: CustomerScope, id: string): Promise<Checked> {
  const row = await findEInvoice(db, scope, id);
  if (row === undefined) throw new AppError('invoice.notFound');
  const [lines, found] = await Promise.all([
    listELines(db, scope, id),
    findCustomerBrand(db, scope.customerId, scope.resellerId),
  ]);
  const brand = brandFromRow(found);
  const settings = brand.settings.eInvoice;
  const invoice = composeEInvoice(row, lines, { companyName: brand.companyName, settings });
  const findings = checkEInvoice(invoice);
  const isCore = findings.every(({ of }) => of !== 'en16931');
  return {
    invoice,
    report: {
      isOffered: settings.isOffered,
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
export async function offeredForms(db: Db, scope: CustomerScope, id: string): Promise<EInvoiceForm[]> {
  const { isOffered, ubl, facturX } = await checkInvoice(db, scope, id);
  if (!isOffered) return [];
  return [...(ubl ? (['ubl'] as const) : []), ...(facturX ? (['facturX'] as const) : [])];
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
): Promise<{ readonly number: string; readonly letter: Letter; readonly records?: RecordSource }> {
  const invoice = await checkedFor(deps.db, scope, id, 'facturX', asking);
  const [{ writeCii }, document] = await Promise.all([
    import('./write-cii.ts'),
    invoiceDocument(deps, scope, id),
  ]);
  const attachment = { name: 'factur-x.xml', content: writeCii(invoice), profile: 'EN 16931' };
  return { ...document, letter: { ...document.letter, attachment } };
}

/** The customer of an invoice, for the provider. @throws {AppError} invoice.notFound */
export async function ownerOf(db: Db, resellerId: number | undefined, id: string): Promise<CustomerScope> {
  const owner = await findOwner(db, resellerId, id);
  if (owner === undefined) throw new AppError('invoice.notFound');
  return authorisedCustomer(owner.customer_id, owner.reseller_id, 'system');
}
