import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { Tx } from '../../../db/database.ts';
import type { Secrets } from '../../../secrets.ts';
import { findCustomerBrand } from '../../brand/queries.ts';
import { brandUrl } from '../../brand/service.ts';
import { openPayLink } from '../../pay-links/service.ts';
import type { Cause } from '../report/causes.ts';
import type { InvoiceReport } from '../report/report.ts';
import { describeParty, findBuyer, namesOf, type Target } from '../whose.ts';
import { contradictionsOf } from './contradictions.ts';
import { type Correction, correctInvoice } from './correct-invoice.ts';
import { applyWaitingCredits, findDoubleCredit, isCredit } from './credits.ts';
import type { ImportedInvoice } from './imported-invoice.ts';
import {
  ensureBillingPeriods,
  findAgreement,
  findByIdentity,
  findPayLink,
  type KnownInvoice,
  lockCustomer,
} from './queries.ts';
import { documentOf, storeInvoices } from './store-invoices.ts';
import { contentHashOf, type StoredInvoice, storedInvoiceOf, supplierKeyOf } from './stored-invoice.ts';

/** What taking one document needs beside the transaction. */
export interface InvoiceDeps {
  readonly secrets: Secrets;
  readonly publicUrl: URL;
  readonly now: Date;
  /** Whose it is, where the caller knows; else its buyer tells. */
  readonly customerId?: string;
  /** The identity of its issuer, where the caller knows; else its supplier tells. */
  readonly supplierKey?: string;
  /** Digest of what it says, where the caller counts more than {@link contentHashOf} does. */
  readonly contentHash?: Buffer;
  /** Has a document that differs from the one in the books take its place; without it, it is refused. */
  readonly correction?: Correction;
}

/** What became of one document. */
export type TakenInvoice =
  | {
      readonly is: 'created' | 'unchanged' | 'updated';
      /** Which one it is in the books, and whose. */
      readonly id: string;
      readonly customerId: string;
      readonly invoice: InvoiceReport;
      readonly warnings: readonly string[];
    }
  | RefusedInvoice;

interface RefusedInvoice {
  readonly is: 'quarantined';
  readonly reason: string;
  readonly cause: Cause;
  /** Addresses, numbers and names of which any would say whose it is. */
  readonly missing: readonly string[];
}

const refused = (cause: Cause, reason: string, missing: readonly string[] = []): RefusedInvoice => ({
  is: 'quarantined',
  cause,
  reason,
  missing,
});

interface Taking {
  readonly tx: Tx;
  readonly deps: InvoiceDeps;
  readonly target: Target;
  readonly invoice: ImportedInvoice;
  readonly stored: StoredInvoice;
  readonly supplierKey: string;
  readonly contentHash: Buffer;
}

/**
 * Takes one invoice or credit note into the books, whole, in the caller's transaction. Its identity is supplier,
 * kind and number: the same again changes nothing, something else under the same identity is refused.
 */
export async function takeInvoice(
  tx: Tx,
  deps: InvoiceDeps,
  target: Target,
  invoice: ImportedInvoice,
): Promise<TakenInvoice> {
  const stored = storedInvoiceOf(invoice);
  const supplierKey = deps.supplierKey ?? supplierKeyOf(invoice);
  const taking: Taking = {
    tx,
    deps,
    target,
    invoice,
    stored,
    supplierKey,
    contentHash: deps.contentHash ?? contentHashOf(invoice),
  };
  const known = await findByIdentity(tx, target.resellerId, supplierKey, invoice.kind, invoice.number);
  if (known !== undefined) return takeAgain(taking, known);
  if (invoice.kind === 'creditNote' && invoice.totals.payableMinor < 0n) {
    return refused('document', 'a credit note below zero: it is not clear who owes whom');
  }
  const customerId = deps.customerId ?? (await buyerOf(tx, target, invoice));
  if (customerId === null) {
    const { buyer } = invoice;
    return refused('buyer', `the buyer ${describeParty(buyer)} is no known customer`, namesOf(buyer));
  }
  await lockCustomer(tx, customerId);
  const double = isCreditDocument(stored)
    ? await findDoubleCredit(tx, documentOf({ ...taking, customerId, id: '' }))
    : null;
  // Somebody may have taken the document while this import waited for the customer.
  const meanwhile = await findByIdentity(tx, target.resellerId, supplierKey, invoice.kind, invoice.number);
  if (meanwhile !== undefined) return takeAgain(taking, meanwhile);
  if (double !== null) return refused('document', double);
  return store(taking, customerId);
}

const isCreditDocument = (stored: StoredInvoice): boolean => isCredit({ payableMinor: stored.payable });

const nameOf = ({ kind, number }: ImportedInvoice): string =>
  `${kind === 'invoice' ? 'invoice' : 'credit note'} ${number}`;

const buyerOf = async (tx: Tx, target: Target, { buyer }: ImportedInvoice): Promise<string | null> =>
  (await findBuyer(tx, target.resellerId, buyer)) ?? target.defaultCustomerId;

async function takeAgain(taking: Taking, known: KnownInvoice): Promise<TakenInvoice> {
  const { invoice, contentHash } = taking;
  if (!contentHash.equals(known.content_hash)) {
    const { correction } = taking.deps;
    if (correction !== undefined) return correct(taking, known, correction);
    const taken = `the one already taken from ${describeParty(invoice.supplier)}`;
    return refused('differs', `${nameOf(invoice)} differs from ${taken}`);
  }
  return reportAgain(taking, known, 'unchanged');
}

async function reportAgain(
  taking: Taking,
  known: KnownInvoice,
  is: 'unchanged' | 'updated',
): Promise<TakenInvoice> {
  const link = await findPayLink(taking.tx, known.customer_id, known.invoice_id);
  const token =
    link === undefined ? undefined : openPayLink(taking.deps.secrets, link.token_sealed, known.invoice_id);
  return {
    is,
    id: known.invoice_id,
    customerId: known.customer_id,
    invoice: await reportOf(taking, known.customer_id, token),
    warnings: contradictionsOf(taking.invoice).map((found) => found.text),
  };
}

async function correct(taking: Taking, known: KnownInvoice, correction: Correction): Promise<TakenInvoice> {
  const { tx, deps, target, invoice, stored, supplierKey, contentHash } = taking;
  const { customer_id: customerId, invoice_id: id } = known;
  const buyer = deps.customerId ?? (await buyerOf(tx, target, invoice));
  if (buyer !== null && buyer !== customerId)
    return refused(
      'document',
      `${nameOf(invoice)} is of another customer: void it, and send one with a number of its own`,
    );
  await lockCustomer(tx, customerId);
  const agreementId = await findAgreement(tx, customerId, invoice.contractReference);
  const { resellerId } = target;
  const keys = { customerId, id, resellerId, supplierKey, agreementId, contentHash };
  const against = await correctInvoice(tx, { invoice, stored, keys, correction }, deps.now);
  if (against !== undefined) return refused(against.cause, `${nameOf(invoice)}: ${against.reason}`);
  await ensureBillingPeriods(tx, [{ keys, invoice }], deps.now);
  await applyWaitingCredits(tx, documentOf({ ...taking, customerId, id }), deps.now);
  return reportAgain(taking, known, 'updated');
}

async function store(taking: Taking, customerId: string): Promise<TakenInvoice> {
  const { tx, deps, target, invoice, stored, supplierKey, contentHash } = taking;
  const document = { customerId, resellerId: target.resellerId, invoice, stored, supplierKey, contentHash };
  const [done] = await storeInvoices(tx, deps.secrets, [document], deps.now);
  if (done === undefined)
    return refused('busy', `${nameOf(invoice)} is being taken by another import; try again`);
  const { id, token, warnings } = done;
  return { is: 'created', id, customerId, invoice: await reportOf(taking, customerId, token), warnings };
}

async function reportOf(
  taking: Taking,
  customerId: string,
  token: string | undefined,
): Promise<InvoiceReport> {
  const { tx, deps, target, invoice, stored } = taking;
  const brand = await findCustomerBrand(tx, customerId, target.resellerId);
  return {
    number: invoice.number,
    customerId,
    kind: invoice.kind,
    currency: invoice.currency,
    total: formatDecimal(money(stored.payable, invoice.currency)),
    payLink:
      token === undefined ? null : brandUrl({ mainHost: brand.main_host }, deps.publicUrl, `/pay/${token}`),
  };
}
