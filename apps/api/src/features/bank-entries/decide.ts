import type { BankEntryBooking } from '@counterfoil/contract/operator/paying/bank-entries.ts';
import { formatDecimal, money } from '@counterfoil/domain/money/money.ts';
import { AppError } from '../../app-error.ts';
import type { ActedBy } from '../../audit/acted-by.ts';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Db, Tx } from '../../db/database.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { findExternalPayment } from '../external-payments/queries.ts';
import { voidExternalPayment } from '../external-payments/service.ts';
import { type BankEntryRow, findBankEntry, keepBooking, keepDecision, lockBankEntry } from './queries.ts';
import { bookCredit } from './take-entry.ts';

/** Which entry, and whose it has to be; undefined: anybody's. */
export interface BankEntryAt {
  readonly resellerId: number | undefined;
  readonly id: string;
}

/** Who decides, and when. */
export interface BankEntryAct {
  readonly by: ActedBy;
  readonly now: Date;
}

/** @throws {AppError} bankEntry.notFound */
export async function bankEntryNamed(db: Db, { resellerId, id }: BankEntryAt): Promise<BankEntryRow> {
  const row = await findBankEntry(db, resellerId, id);
  if (row === undefined) throw new AppError('bankEntry.notFound');
  return row;
}

async function locked(tx: Tx, { resellerId, id }: BankEntryAt): Promise<BankEntryRow> {
  const row = await lockBankEntry(tx, resellerId, id);
  if (row === undefined) throw new AppError('bankEntry.notFound');
  return row;
}

/**
 * Books an entry by a person's word: a credit as a payment from outside to a customer's invoices, a debit by taking such a payment
 * back. The same again changes nothing.
 * @throws {AppError} bankEntry.*, externalPayment.*
 */
export async function bookEntry(
  tx: Tx,
  at: BankEntryAt,
  wanted: BankEntryBooking,
  act: BankEntryAct,
): Promise<BankEntryRow> {
  const row = await locked(tx, at);
  const { note } = wanted;
  const booked = await (row.sign === 'credit'
    ? bookToCustomer(tx, row, wanted, act)
    : takeBack(tx, row, wanted, act));
  if (booked === 'asBefore') return row;
  await keepBooking(tx, row.id, { ...booked, by: act.by.actor, note }, act.now);
  const detail = { 'after.state': 'booked', payment: booked.paymentId, ...(note !== '' && { note }) };
  await record(tx, row, 'bankEntry.booked', act, detail, booked.customerId);
  return bankEntryNamed(tx, at);
}

type Booked = { readonly customerId: string; readonly paymentId: string } | 'asBefore';

async function bookToCustomer(
  tx: Tx,
  row: BankEntryRow,
  { customer, invoices, note }: BankEntryBooking,
  { by, now }: BankEntryAct,
): Promise<Booked> {
  if (customer === undefined) throw new AppError('bankEntry.noCustomer');
  const found = await findCustomerNamed(tx, customer, row.reseller_id);
  if (typeof found === 'string') throw new AppError('externalPayment.noCustomer');
  const { customerId } = found;
  if (row.state === 'booked' && row.customer_id === customerId && (await pays(tx, row, invoices)))
    return 'asBefore';
  refuseDecided(row);
  const { payment } = await bookCredit(tx, row, { customerId, invoices, note, by }, now);
  return { customerId, paymentId: payment.id };
}

/** Whether the payment it is booked as pays these invoices and no others. */
async function pays(tx: Tx, row: BankEntryRow, numbers: readonly string[] | undefined): Promise<boolean> {
  if (numbers === undefined) return true;
  const payment = await findExternalPayment(tx, row.reseller_id, row.payment_id ?? '');
  const paid = new Set(payment?.shares.map(({ number }) => number));
  return paid.size > 0 && [...paid].every((number) => numbers.includes(number));
}

async function takeBack(
  tx: Tx,
  row: BankEntryRow,
  { payment: paymentId, note }: BankEntryBooking,
  { by, now }: BankEntryAct,
): Promise<Booked> {
  if (paymentId === undefined) throw new AppError('bankEntry.noPayment');
  const { reseller_id: resellerId } = row;
  const payment = await findExternalPayment(tx, resellerId, paymentId);
  if (payment === undefined) throw new AppError('externalPayment.notFound');
  if (row.state === 'booked' && row.payment_id === payment.id) return 'asBefore';
  refuseDecided(row);
  if (
    payment.amount_minor !== row.amount_minor ||
    payment.currency !== row.currency ||
    payment.voided_at !== null
  )
    throw new AppError('bankEntry.otherAmount');
  const why = note === '' ? `returned by the bank on ${row.booked_on}` : note;
  await voidExternalPayment(tx, payment.id, why, { resellerId, ...by }, now);
  return { customerId: payment.customer_id, paymentId: payment.id };
}

function refuseDecided({ state }: BankEntryRow): void {
  if (state === 'booked' || state === 'dismissed') throw new AppError('bankEntry.decided');
}

/** Says that an entry is none of the customers' payments. The same again changes nothing. @throws {AppError} bankEntry.* */
export async function dismissEntry(
  tx: Tx,
  at: BankEntryAt,
  note: string,
  act: BankEntryAct,
): Promise<BankEntryRow> {
  const row = await locked(tx, at);
  if (row.state === 'dismissed') return row;
  refuseDecided(row);
  await keepDecision(tx, row.id, { state: 'dismissed', by: act.by.actor, note }, act.now);
  await record(tx, row, 'bankEntry.dismissed', act, { 'after.state': 'dismissed', note });
  return bankEntryNamed(tx, at);
}

/**
 * Opens a decided entry again: the payment that a credit was booked as is taken back. It is not booked by itself any more. One that
 * is open changes nothing.
 * @throws {AppError} bankEntry.*
 */
export async function reopenEntry(
  tx: Tx,
  at: BankEntryAt,
  note: string,
  act: BankEntryAct,
): Promise<BankEntryRow> {
  const row = await locked(tx, at);
  if (row.state === 'suggested' || row.state === 'unmatched') return row;
  if (row.state === 'booked') {
    if (row.sign === 'debit' || row.payment_id === null) throw new AppError('bankEntry.notReopened');
    await voidExternalPayment(tx, row.payment_id, note, { resellerId: row.reseller_id, ...act.by }, act.now);
  }
  await keepDecision(tx, row.id, { state: 'suggested', by: act.by.actor, note }, act.now);
  await record(
    tx,
    row,
    'bankEntry.reopened',
    act,
    { 'after.state': 'suggested', note },
    row.customer_id ?? undefined,
  );
  return bankEntryNamed(tx, at);
}

const record = (
  tx: Tx,
  row: BankEntryRow,
  action: AuditAction,
  { by, now }: BankEntryAct,
  detail: Readonly<Record<string, string>>,
  customerId?: string,
): Promise<void> =>
  recordAudit(tx, {
    action,
    at: now,
    resellerId: row.reseller_id,
    customerId,
    ...by,
    detail: {
      entry: row.id,
      amount: formatDecimal(money(row.amount_minor, row.currency)),
      currency: row.currency,
      'before.state': row.state,
      ...detail,
    },
  });
