import type { BankEntryReason, BankEntryState } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import type { Db, Tx } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Candidate } from './matching/match.ts';
import type { StatementEntry } from './statement-entry.ts';

/** An entry of a bank statement as it is kept. */
export interface BankEntryRow {
  id: string;
  reseller_id: number;
  file_id: string;
  file_name: string | null;
  account: string;
  sign: 'credit' | 'debit';
  currency: string;
  amount_minor: bigint;
  booked_on: string;
  is_return: boolean;
  is_single: boolean;
  bank_reference: string;
  end_to_end_id: string;
  creditor_reference: string;
  remittance: string;
  party_name: string;
  party_account: string;
  state: BankEntryState;
  reasons: BankEntryReason[];
  candidates: Candidate[];
  customer_id: string | null;
  customer_label: string | null;
  payment_id: string | null;
  bookings: number;
  decided_by: string | null;
  decided_at: Date | null;
  note: string;
  created_at: Date;
}

const select = sql`
  select b.id, b.reseller_id, b.file_id, f.name as file_name, b.account, b.sign, b.currency, b.amount_minor, b.booked_on,
         b.is_return, b.is_single, b.bank_reference, b.end_to_end_id, b.creditor_reference, b.remittance, b.party_name,
         b.party_account, b.state, b.reasons, b.candidates, b.customer_id, c.label as customer_label, b.payment_id, b.bookings,
         b.decided_by, b.decided_at, b.note, b.created_at
    from bank_entry b left join import_file f on f.id = b.file_id
    left join reseller_customer c on c.reseller_id = b.reseller_id and c.customer_id = b.customer_id`;

/** Undefined: of all resellers. */
const ofReseller = (resellerId: number | undefined): Sql =>
  sql`(${resellerId ?? null}::int is null or b.reseller_id = ${resellerId ?? null})`;

/** @param resellerId whose it has to be; undefined: anybody's */
export const findBankEntry = (db: Db, resellerId: number | undefined, id: string) =>
  db.maybeOne<BankEntryRow>(sql`${select} where b.id = ${id} and ${ofReseller(resellerId)}`);

/** The same, locked until the transaction ends. */
export const lockBankEntry = (tx: Tx, resellerId: number | undefined, id: string) =>
  tx.maybeOne<BankEntryRow>(sql`${select} where b.id = ${id} and ${ofReseller(resellerId)} for update of b`);

export interface BankEntryFilter {
  readonly resellerId: number | undefined;
  readonly state?: BankEntryState | undefined;
  readonly sign?: 'credit' | 'debit' | undefined;
  readonly customerId?: string | undefined;
  readonly fileId?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The id after which the page begins. */
  readonly before?: string | undefined;
  readonly limit: number;
}

const equals = (column: Sql, value: string | undefined, type: 'text' | 'uuid'): Sql =>
  value === undefined ? sql`true` : sql`${column} = ${value}::${sql.raw(type)}`;

/** Entries, those taken in last first. */
export const listBankEntries = (db: Db, of: BankEntryFilter) =>
  db.many<BankEntryRow>(sql`
    ${select} where ${ofReseller(of.resellerId)} and ${equals(sql`b.state`, of.state, 'text')}
       and ${equals(sql`b.sign`, of.sign, 'text')} and ${equals(sql`b.customer_id`, of.customerId, 'uuid')}
       and ${equals(sql`b.file_id`, of.fileId, 'uuid')}
       and (${of.from ?? null}::date is null or b.booked_on >= ${of.from ?? null})
       and (${of.to ?? null}::date is null or b.booked_on <= ${of.to ?? null})
       and (${of.before ?? null}::uuid is null or b.id < ${of.before ?? null})
     order by b.id desc limit ${of.limit}`);

/** Keeps an entry that is not known yet. @returns false for one that is */
export async function insertBankEntry(
  tx: Tx,
  of: { readonly id: string; readonly resellerId: number; readonly fileId: string; readonly now: Date },
  entry: StatementEntry,
): Promise<boolean> {
  const n = await tx.execute(sql`
    insert into bank_entry (id, reseller_id, file_id, account, entry_key, sign, currency, amount_minor, booked_on, is_return,
                            is_single, bank_reference, end_to_end_id, creditor_reference, remittance, party_name,
                            party_account, state, matched_at, created_at)
    values (${of.id}, ${of.resellerId}, ${of.fileId}, ${entry.account}, ${entry.key}, ${entry.sign},
            ${entry.amount.currency}, ${entry.amount.minor}, ${entry.bookedOn}, ${entry.isReturn}, ${entry.isSingle},
            ${entry.bankReference}, ${entry.endToEndId}, ${entry.creditorReference}, ${entry.remittance},
            ${entry.partyName}, ${entry.partyAccount}, 'unmatched', ${of.now}, ${of.now})
    on conflict (reseller_id, account, entry_key) do nothing`);
  return n > 0;
}

/** Whether an entry of this key is known. */
export const isKnownEntry = async (
  db: Db,
  resellerId: number,
  { account, key }: StatementEntry,
): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from bank_entry where reseller_id = ${resellerId} and account = ${account} and entry_key = ${key}`)) !==
  undefined;

/** Says what matching has found for an entry that stays open. */
export const keepMatch = (
  tx: Tx,
  id: string,
  state: 'suggested' | 'unmatched',
  found: { readonly reasons: readonly string[]; readonly candidates: readonly Candidate[] },
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    update bank_entry
       set state = ${state}, reasons = ${[...found.reasons]}::text[], candidates = ${JSON.stringify(found.candidates)}::jsonb,
           matched_at = ${now}
     where id = ${id}`);

/** Says by which payment an entry was booked. @param by the person; null: nobody had to decide */
export const keepBooking = (
  tx: Tx,
  id: string,
  booked: {
    readonly customerId: string;
    readonly paymentId: string;
    readonly by: string | null;
    readonly note: string;
    readonly candidates?: readonly Candidate[];
  },
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    update bank_entry
       set candidates = coalesce(${booked.candidates === undefined ? null : JSON.stringify(booked.candidates)}::jsonb, candidates),
           state = 'booked', customer_id = ${booked.customerId}, payment_id = ${booked.paymentId}, bookings = bookings + 1,
           reasons = case when ${booked.by}::text is null then '{}' else reasons end, note = ${booked.note},
           decided_by = ${booked.by}, decided_at = ${booked.by === null ? null : now}, matched_at = ${now}
     where id = ${id}`);

/** Open credits that no person has decided, those that were matched longest ago first. */
export const listToMatch = (
  db: Db,
  of: { readonly before: Date; readonly since: Date; readonly limit: number },
) =>
  db.many<{ id: string; reseller_id: number }>(sql`
    select id, reseller_id from bank_entry
     where state in ('suggested', 'unmatched') and sign = 'credit' and decided_at is null
       and matched_at < ${of.before} and created_at > ${of.since}
     order by matched_at limit ${of.limit}`);

/** An entry that could not be looked at waits as long as one that was. */
export const postponeMatch = (tx: Tx, id: string, now: Date): Promise<number> =>
  tx.execute(sql`update bank_entry set matched_at = ${now} where id = ${id}`);

/** Says that a person dismissed an entry, or opened it again. */
export const keepDecision = (
  tx: Tx,
  id: string,
  is: { readonly state: 'dismissed' | 'suggested'; readonly by: string; readonly note: string },
  now: Date,
): Promise<number> =>
  tx.execute(sql`
    update bank_entry
       set state = ${is.state}, customer_id = null, payment_id = null, note = ${is.note}, decided_by = ${is.by},
           decided_at = ${now}
     where id = ${id}`);

/** What is due of invoices now, and the names of their customers. */
export const invoicesNow = (db: Db, customerIds: readonly string[], ids: readonly string[]) =>
  db.many<{ id: string; number: string; due_minor: bigint; currency: string }>(sql`
    select id, number, due_minor, currency from invoice
     where customer_id = any(${[...customerIds]}::uuid[]) and id = any(${[...ids]}::uuid[])`);

/** Names of customers of these resellers. */
export const customerLabels = (db: Db, resellerIds: readonly number[], ids: readonly string[]) =>
  db.many<{ customer_id: string; label: string }>(sql`
    select customer_id, label from reseller_customer
     where reseller_id = any(${[...resellerIds]}::int[]) and customer_id = any(${[...ids]}::uuid[])`);

/** Enough to see how many; counting more would cost more than it tells. */
const COUNTED = 10_000;

/** How many entries of a reseller a person has to decide, and the money, by currency, most first. */
export const suggestedTotals = (db: Db, resellerId: number) =>
  db.many<{ currency: string; count: number; minor: bigint; oldest: Date }>(sql`
    select currency, count(*)::int as count, sum(amount_minor)::bigint as minor, min(created_at) as oldest
      from (select currency, amount_minor, created_at from bank_entry
             where reseller_id = ${resellerId} and state = 'suggested' limit ${COUNTED}) as b
     group by currency order by 3 desc, 1`);

/** The same entries, most money first, then the oldest. */
export const suggestedEntries = (db: Db, resellerId: number, limit: number) =>
  db.many<BankEntryRow>(sql`
    ${select} where b.reseller_id = ${resellerId} and b.state = 'suggested'
     order by b.amount_minor desc, b.created_at, b.id limit ${limit}`);
