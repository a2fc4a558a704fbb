import type {
  BankEntry,
  BankEntryCandidate,
  BankEntryDetail,
} from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import type { Db } from '../../db/database.ts';
import type { Candidate } from './matching/match.ts';
import { type BankEntryRow, customerLabels, invoicesNow } from './queries.ts';

/** An entry as programs and commands are told of it. */
const presentBankEntry = (row: BankEntryRow): BankEntry => ({
  id: row.id,
  importId: row.file_id,
  fileName: row.file_name,
  account: row.account,
  sign: row.sign,
  amount: formatDecimal(money(row.amount_minor, row.currency)),
  currency: row.currency,
  bookedOn: row.booked_on,
  isReturn: row.is_return,
  bankReference: row.bank_reference,
  endToEndId: row.end_to_end_id,
  creditorReference: row.creditor_reference,
  remittance: row.remittance,
  partyName: row.party_name,
  partyAccount: row.party_account,
  state: row.state,
  reasons: row.reasons,
  customerId: row.customer_id,
  customer: row.customer_label,
  paymentId: row.payment_id,
  decidedBy: row.decided_by,
  decidedAt: row.decided_at?.toISOString() ?? null,
  note: row.note,
});

/** Entries with what may be meant by those that are open, and what is due of it now. */
export async function withCandidates(
  db: Db,
  rows: readonly BankEntryRow[],
): Promise<readonly BankEntryDetail[]> {
  const isOpen = ({ state }: BankEntryRow): boolean => state === 'suggested' || state === 'unmatched';
  const offered = rows.filter(isOpen).flatMap(({ candidates }) => candidates);
  const customerIds = [...new Set(offered.map(({ customerId }) => customerId))];
  const invoiceIds = offered.flatMap(({ invoices }) => invoices.map(({ id }) => id));
  const resellerIds = [...new Set(rows.map(({ reseller_id }) => reseller_id))];
  const labels = customerIds.length === 0 ? [] : await customerLabels(db, resellerIds, customerIds);
  const invoices = invoiceIds.length === 0 ? [] : await invoicesNow(db, customerIds, invoiceIds);
  const known = {
    labels: new Map(labels.map(({ customer_id, label }) => [customer_id, label])),
    invoices: new Map(invoices.map((invoice) => [invoice.id, invoice])),
  };
  return rows.map((row) => {
    const candidates = isOpen(row) ? row.candidates.flatMap((one) => candidateNow(row, one, known)) : [];
    return { ...presentBankEntry(row), candidates };
  });
}

interface Known {
  readonly labels: ReadonlyMap<string, string>;
  readonly invoices: ReadonlyMap<string, Awaited<ReturnType<typeof invoicesNow>>[number]>;
}

/** Nothing where the customer is gone. */
function candidateNow(
  row: BankEntryRow,
  candidate: Candidate,
  { labels, invoices }: Known,
): BankEntryCandidate[] {
  const { customerId, by, paymentId } = candidate;
  const customer = labels.get(customerId);
  if (customer === undefined) return [];
  const now = candidate.invoices.flatMap(({ id }) => invoices.get(id) ?? []);
  const due = now.reduce((sum, one) => sum + one.due_minor, 0n);
  const fits = now.every(({ currency }) => currency === row.currency) && due === row.amount_minor;
  return [
    {
      customerId,
      customer,
      by,
      fits: paymentId === null ? fits : candidate.fits,
      invoices: now.map(({ id, number, due_minor, currency }) => ({
        id,
        number,
        due: formatDecimal(money(due_minor, currency)),
        currency,
      })),
      paymentId,
    },
  ];
}
