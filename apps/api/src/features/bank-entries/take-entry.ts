import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { parseDay, today } from '@counterfoil/domain/time/dates.ts';
import type { Logger } from 'pino';
import type { ActedBy } from '../../audit/acted-by.ts';
import type { Database, Db, Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { recordExternalPayment } from '../external-payments/service.ts';
import { findCandidates, lockInvoiceStates } from './matching/candidates.ts';
import { type Candidate, type Match, matchCredit } from './matching/match.ts';
import { findReturned } from './matching/returned.ts';
import {
  type BankEntryRow,
  insertBankEntry,
  isKnownEntry,
  keepBooking,
  keepMatch,
  listToMatch,
  lockBankEntry,
  postponeMatch,
} from './queries.ts';
import type { StatementEntry } from './statement-entry.ts';

/** What became of an entry. `passedOver`: a debit that takes nothing back, such as a bill of the provider's own. */
export type TakenEntry = 'known' | 'booked' | 'suggested' | 'unmatched' | 'passedOver';

/** Whose statement it is, and which import brings it. */
export interface TakingEntry {
  readonly resellerId: number;
  readonly fileId: string;
  readonly now: Date;
}

/** As the audit trail and the payment name who books what is certain. */
export const MATCHER = 'bank statement';

/**
 * Takes an entry of a statement in, in the caller's transaction: it is kept, and booked where it is certain what it pays. One that
 * is known changes nothing.
 */
export async function takeEntry(tx: Tx, of: TakingEntry, entry: StatementEntry): Promise<TakenEntry> {
  const { resellerId, now } = of;
  if (entry.sign === 'debit') return takeDebit(tx, of, entry);
  const id = newId(now.getTime());
  if (!(await insertBankEntry(tx, { ...of, id }, entry))) return 'known';
  return matchAgain(tx, resellerId, id, now);
}

async function takeDebit(tx: Tx, of: TakingEntry, entry: StatementEntry): Promise<TakenEntry> {
  const candidates = await findReturned(tx, of.resellerId, entry);
  if (!entry.isReturn && candidates.length === 0)
    return (await isKnownEntry(tx, of.resellerId, entry)) ? 'known' : 'passedOver';
  const id = newId(of.now.getTime());
  if (!(await insertBankEntry(tx, { ...of, id }, entry))) return 'known';
  const state = candidates.length > 0 ? 'suggested' : 'unmatched';
  await keepMatch(tx, id, state, { reasons: ['returned'], candidates }, of.now);
  return state;
}

/** What an entry pays, as the books are now. Changes nothing. */
export const matchOf = async (db: Db, resellerId: number, entry: StatementEntry): Promise<Match> =>
  matchCredit(entry, await findCandidates(db, resellerId, entry));

/** Matches a kept credit, and books it where that is certain. */
async function matchAgain(
  tx: Tx,
  resellerId: number,
  id: string,
  now: Date,
): Promise<'booked' | 'suggested' | 'unmatched'> {
  const row = await lockBankEntry(tx, resellerId, id);
  if (row === undefined) throw new Error(`entry ${id} is gone`);
  const match = await settled(tx, row, await matchOf(tx, resellerId, entryOf(row)), now);
  if (match.is !== 'certain') {
    await keepMatch(tx, id, match.is, match, now);
    return match.is;
  }
  const { customerId, invoices } = match;
  const numbers = invoices.map(({ number }) => number);
  const { payment } = await bookCredit(
    tx,
    row,
    { customerId, invoices: numbers, note: '', by: { actor: MATCHER } },
    now,
  );
  // Invoices are locked since they were looked at; anything left over is a fault of ours, and nothing of it stays.
  if (payment.to_credit_minor !== 0n) throw new Error(`entry ${id} would be booked for more than is due`);
  const candidates = [candidateOf(match)];
  await keepBooking(tx, id, { customerId, paymentId: payment.id, by: null, note: '', candidates }, now);
  return 'booked';
}

/** A match that is certain, looked at again with its invoices locked; and not before its day has come at the customer's brand. */
async function settled(tx: Tx, row: BankEntryRow, match: Match, now: Date): Promise<Match> {
  if (match.is !== 'certain') return match;
  const { customerId } = match;
  const ids = match.invoices.map(({ id }) => id);
  const invoices = await lockInvoiceStates(tx, customerId, ids);
  const again = matchCredit(entryOf(row), { invoices, isAmbiguous: false, customers: [] });
  if (again.is !== 'certain') return again;
  const { timeZone } = brandFromRow(await findCustomerBrand(tx, customerId, row.reseller_id));
  if (row.booked_on <= today(timeZone, now)) return again;
  return { is: 'suggested', reasons: ['notYet'], candidates: [candidateOf(again)] };
}

const candidateOf = ({ customerId, invoices }: Extract<Match, { is: 'certain' }>): Candidate => ({
  customerId,
  by: 'number',
  invoices: invoices.map(({ id, number }) => ({ id, number })),
  fits: true,
  paymentId: null,
});

/** Who books an entry to what. */
export interface CreditBooking {
  /** Our id, or the provider's own reference. */
  readonly customerId: string;
  /** Undefined: the open ones, the longest due first. */
  readonly invoices: readonly string[] | undefined;
  readonly note: string;
  readonly by: ActedBy;
}

/** Books a credit as a payment from outside. @throws {AppError} externalPayment.* */
export function bookCredit(
  tx: Tx,
  row: BankEntryRow,
  { customerId, invoices, note, by }: CreditBooking,
  now: Date,
): ReturnType<typeof recordExternalPayment> {
  const wanted = {
    customer: customerId,
    reference: referenceOf(row),
    amount: formatDecimal(money(row.amount_minor, row.currency)),
    currency: row.currency,
    receivedOn: row.booked_on,
    method: 'bankTransfer' as const,
    invoices: invoices === undefined ? undefined : [...invoices],
    note,
  };
  return recordExternalPayment(tx, wanted, { resellerId: row.reseller_id, ...by }, now);
}

/** How the payment is called, also for the customer: as the bank calls it, and by the entry's id, for banks' references repeat. */
function referenceOf({ id, bank_reference, end_to_end_id, booked_on, bookings }: BankEntryRow): string {
  const name = (bank_reference || end_to_end_id || booked_on).slice(0, 60);
  return `${name} #${id.slice(-12)}${bookings === 0 ? '' : `-${bookings + 1}`}`;
}

/** The entry as its statement said it. */
export const entryOf = (row: BankEntryRow): StatementEntry => ({
  account: row.account,
  key: Buffer.alloc(0),
  sign: row.sign,
  amount: money(row.amount_minor, row.currency),
  bookedOn: parseDay(row.booked_on),
  isReturn: row.is_return,
  isSingle: row.is_single,
  bankReference: row.bank_reference,
  endToEndId: row.end_to_end_id,
  creditorReference: row.creditor_reference,
  remittance: row.remittance,
  partyName: row.party_name,
  partyAccount: row.party_account,
  line: 0,
});

/** Between two looks at an entry that waits, how long it is looked at again, and how many at once. */
const AGAIN_AFTER_MS = 10 * 60_000;
const WAITS_DAYS = 60;
const AT_ONCE = 200;
const DAY_MS = 86_400_000;

/** Between two rounds of {@link matchWaiting}. */
export const MATCH_EVERY_MS = 60_000;

/**
 * Looks again at credits that wait, for invoices come after payments too, and books those that are certain by now. One that
 * cannot be looked at holds up no other.
 */
export async function matchWaiting({
  db,
  clock,
  log,
}: {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<void> {
  const now = clock.now();
  const before = new Date(now.getTime() - AGAIN_AFTER_MS);
  const since = new Date(now.getTime() - WAITS_DAYS * DAY_MS);
  for (const { id, reseller_id } of await listToMatch(db, { before, since, limit: AT_ONCE })) {
    const look = db.transaction(async (tx) => {
      const row = await lockBankEntry(tx, reseller_id, id);
      const isOpen =
        row !== undefined &&
        row.decided_at === null &&
        (row.state === 'suggested' || row.state === 'unmatched');
      if (isOpen) await matchAgain(tx, reseller_id, id, now);
    });
    await look.catch(async (error: unknown) => {
      log.error({ err: error, entry: id }, 'a bank entry could not be matched; it comes round again');
      await db.transaction((tx) => postponeMatch(tx, id, now));
    });
  }
}
