import type { Cause } from '../report/causes.ts';
import { describeParty, namesOf } from '../whose.ts';
import { type Correction, correctInvoice } from './correct-invoice.ts';
import { applyWaitingCredits, findDoubleCredit } from './credits.ts';
import type { ImportedInvoice } from './imported-invoice.ts';
import { ensureBillingPeriods, findAgreement, type KnownInvoice, lockCustomers } from './queries.ts';
import { documentOf, storeInvoices, type UnstoredInvoice } from './store-invoices.ts';
import {
  type Buyers,
  buyersOf,
  type InBooks,
  isBackwards,
  isCreditDocument,
  type Known,
  knownOf,
  type RefusedInvoice,
  type Taking,
} from './taking.ts';

const refused = (cause: Cause, reason: string, missing: readonly string[] = []): RefusedInvoice => ({
  is: 'quarantined',
  cause,
  reason,
  missing,
});

/**
 * Takes documents that do not depend on one another; customers and the invoices that credits name are locked.
 * @param known documents that were in the books before
 * @returns what became of each, in their order
 */
export async function takeRound(
  round: readonly Taking[],
  known: Known,
  buyers: Buyers,
): Promise<readonly (InBooks | RefusedInvoice)[]> {
  const [first] = round;
  if (first === undefined) return [];
  const { tx, target, deps } = first;
  // Somebody may have taken documents while this import waited for their customers; or they are in by a round before.
  const fresh = round.filter(({ identity }) => !known.has(identity));
  const meanwhile = await knownOf(tx, target, fresh);
  const done = new Map<Taking, InBooks | RefusedInvoice>();
  const toStore: { readonly taking: Taking; readonly customerId: string }[] = [];
  for (const taking of round) {
    const { identity } = taking;
    const before = known.get(identity) ?? meanwhile.get(identity);
    const customerId = buyers.get(taking);
    if (before !== undefined) done.set(taking, await takeAgain(taking, before));
    else if (customerId === undefined) done.set(taking, withoutCustomer(taking));
    else {
      const double = isCreditDocument(taking.stored)
        ? await findDoubleCredit(tx, documentOf({ ...taking, customerId, id: '' }))
        : null;
      if (double !== null) done.set(taking, refused('document', double));
      else toStore.push({ taking, customerId });
    }
  }
  const documents = toStore.map(
    ({ customerId, taking: { invoice, stored, supplierKey, contentHash } }): UnstoredInvoice => ({
      customerId,
      resellerId: target.resellerId,
      invoice,
      stored,
      supplierKey,
      contentHash,
    }),
  );
  const inBooks = documents.length === 0 ? [] : await storeInvoices(tx, deps.secrets, documents, deps.now);
  for (const [at, { taking, customerId }] of toStore.entries()) {
    const made = inBooks[at];
    done.set(
      taking,
      made === undefined
        ? refused('busy', `${nameOf(taking.invoice)} is being taken by another import; try again`)
        : { ...made, is: 'created', customerId, token: made.token ?? null },
    );
  }
  return round.flatMap((taking) => done.get(taking) ?? []);
}

function withoutCustomer({ invoice }: Taking): RefusedInvoice {
  if (isBackwards(invoice))
    return refused('document', 'a credit note below zero: it is not clear who owes whom');
  const { buyer } = invoice;
  return refused('buyer', `the buyer ${describeParty(buyer)} is no known customer`, namesOf(buyer));
}

const nameOf = ({ kind, number }: ImportedInvoice): string =>
  `${kind === 'invoice' ? 'invoice' : 'credit note'} ${number}`;

async function takeAgain(taking: Taking, known: KnownInvoice): Promise<InBooks | RefusedInvoice> {
  const { invoice, contentHash } = taking;
  if (contentHash.equals(known.content_hash)) return inBooksAgain(taking, known, 'unchanged');
  const { correction } = taking.deps;
  if (correction !== undefined) return correct(taking, known, correction);
  const taken = `the one already taken from ${describeParty(invoice.supplier)}`;
  return refused('differs', `${nameOf(invoice)} differs from ${taken}`);
}

const inBooksAgain = ({ stored }: Taking, known: KnownInvoice, is: 'unchanged' | 'updated'): InBooks => ({
  is,
  id: known.invoice_id,
  customerId: known.customer_id,
  token: null,
  warnings: stored.warnings,
});

async function correct(
  taking: Taking,
  known: KnownInvoice,
  correction: Correction,
): Promise<InBooks | RefusedInvoice> {
  const { tx, deps, target, invoice, stored, supplierKey, contentHash } = taking;
  const { customer_id: customerId, invoice_id: id } = known;
  const buyer = (await buyersOf(tx, deps, target, [taking])).get(taking);
  if (buyer !== undefined && buyer !== customerId)
    return refused(
      'document',
      `${nameOf(invoice)} is of another customer: void it, and send one with a number of its own`,
    );
  await lockCustomers(tx, [customerId]);
  const agreementId = await findAgreement(tx, customerId, invoice.contractReference);
  const { resellerId } = target;
  const keys = { customerId, id, resellerId, supplierKey, agreementId, contentHash };
  const against = await correctInvoice(tx, { invoice, stored, keys, correction }, deps.now);
  if (against !== undefined) return refused(against.cause, `${nameOf(invoice)}: ${against.reason}`);
  await ensureBillingPeriods(tx, [{ keys, invoice }], deps.now);
  await applyWaitingCredits(tx, documentOf({ ...taking, customerId, id }), deps.now);
  return inBooksAgain(taking, known, 'updated');
}
