import type {
  BankEntryCandidate,
  BankEntryReason,
} from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import type { StatementEntry } from '../statement-entry.ts';
import type { Found, InvoiceState } from './candidates.ts';

/** Invoices of one customer that a credit may pay, or a payment that a debit may take back with those it had paid. */
export interface Candidate {
  readonly customerId: string;
  readonly by: BankEntryCandidate['by'];
  readonly invoices: readonly { readonly id: string; readonly number: string }[];
  /** What they ask for is the entry's amount, in its currency. */
  readonly fits: boolean;
  /** Of a debit. */
  readonly paymentId: string | null;
}

/** What is to be done with a credit. */
export type Match =
  | { readonly is: 'certain'; readonly customerId: string; readonly invoices: readonly InvoiceState[] }
  | {
      readonly is: 'suggested' | 'unmatched';
      readonly reasons: readonly BankEntryReason[];
      readonly candidates: readonly Candidate[];
    };

/** More are not offered of one customer. */
const MOST_OFFERED = 20;

/**
 * Decides what a credit pays. Certain is only: numbers of open invoices of one customer are named, all clear, and what is due of
 * them is the amount, in its currency, with nothing of it being charged. All else a person decides.
 */
export function matchCredit(
  entry: Pick<StatementEntry, 'amount' | 'isReturn' | 'isSingle'>,
  { invoices, isAmbiguous, customers }: Found,
): Match {
  const reasons = new Set<BankEntryReason>();
  if (entry.isReturn) reasons.add('returned');
  if (!entry.isSingle) reasons.add('several');
  if (invoices.length === 0) {
    const candidates = customers.flatMap((one) => offersOf(one, entry));
    for (const { by } of customers) reasons.add(by);
    if (reasons.size === 0) return { is: 'unmatched', reasons: ['nothingNamed'], candidates: [] };
    return { is: 'suggested', reasons: [...reasons], candidates };
  }
  const owners = [...new Set(invoices.map(({ customer_id }) => customer_id))];
  if (owners.length > 1) reasons.add('severalCustomers');
  if (isAmbiguous) reasons.add('ambiguous');
  for (const invoice of invoices) for (const reason of obstaclesOf(invoice, entry)) reasons.add(reason);
  if (dueOf(invoices) !== entry.amount.minor) reasons.add('amount');
  const [customerId] = owners;
  if (reasons.size === 0 && customerId !== undefined) return { is: 'certain', customerId, invoices };
  const candidates = owners.map((owner): Candidate => {
    const own = invoices.filter(({ customer_id }) => customer_id === owner);
    return candidateOf(owner, 'number', own, entry);
  });
  return { is: 'suggested', reasons: [...reasons], candidates };
}

const dueOf = (invoices: readonly InvoiceState[]): bigint =>
  invoices.reduce((sum, { due_minor }) => sum + due_minor, 0n);

function obstaclesOf(
  { status, currency, due_minor, held_minor }: InvoiceState,
  { amount }: Pick<StatementEntry, 'amount'>,
): readonly BankEntryReason[] {
  const found: BankEntryReason[] = [];
  if (status === InvoiceStatus.VOID) found.push('void');
  if (status === InvoiceStatus.DISPUTED) found.push('disputed');
  if (status === InvoiceStatus.PAID || status === InvoiceStatus.CREDITED) found.push('paid');
  if (currency !== amount.currency) found.push('currency');
  if (held_minor > 0n) found.push('charging');
  if (due_minor <= 0n && found.length === 0) found.push('paid');
  return found;
}

function candidateOf(
  customerId: string,
  by: Candidate['by'],
  invoices: readonly InvoiceState[],
  entry: Pick<StatementEntry, 'amount'>,
): Candidate {
  const fits =
    dueOf(invoices) === entry.amount.minor && invoices.every((one) => obstaclesOf(one, entry).length === 0);
  return {
    customerId,
    by,
    invoices: invoices.slice(0, MOST_OFFERED).map(({ id, number }) => ({ id, number })),
    fits,
    paymentId: null,
  };
}

/** What a customer who is known otherwise may have paid: each invoice of the amount, all that is open where it is that, else what is open. */
function offersOf(
  { customerId, by, invoices }: Found['customers'][number],
  entry: Pick<StatementEntry, 'amount'>,
): readonly Candidate[] {
  const alike = invoices.filter(({ due_minor }) => due_minor === entry.amount.minor).slice(0, 3);
  if (alike.length > 0) return alike.map((invoice) => candidateOf(customerId, by, [invoice], entry));
  return [candidateOf(customerId, by, invoices, entry)];
}
