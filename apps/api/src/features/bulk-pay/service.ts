import type { NewIntent, PaymentIntent } from '@counterfoil/contract/paying/bulk-pay.ts';
import { isExactAsNumber, money } from '@counterfoil/domain/money/money.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import type { Db, Tx } from '../../db/database.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import type { Brand } from '../brand/service.ts';
import * as payments from '../payments/queries.ts';
import { readCredit, readTaken } from '../payments/queries.ts';
import {
  type EngineDeps,
  type GatewayAccount,
  PaymentTerms,
  refresh,
  requote,
  writeSession,
} from '../payments/service.ts';
import { checkPayable, isStillDue, partAsked } from './payable.ts';
import { presentIntent } from './present.ts';
import * as queries from './queries.ts';
import { type PricedInvoices, priceInvoices } from './quote.ts';

export interface BulkPayDeps extends EngineDeps {
  readonly publicUrl: URL;
}

/** Whose invoices are paid, under which brand, through which gateway. */
export interface Payer {
  readonly scope: CustomerScope;
  readonly brand: Brand;
  readonly account: GatewayAccount | undefined;
}

/**
 * Prices invoices and opens a session for paying them together. An open attempt that waits for its payer does not
 * hinder: it stays as it is until the session is paid.
 * @throws {AppError} for invoices that are not the customer's, cannot be paid or are not of one currency, and for an
 *   amount that cannot be paid
 */
export async function makeIntent(
  deps: BulkPayDeps,
  payer: Payer,
  { invoiceIds, amount, id: clientId }: NewIntent,
): Promise<PaymentIntent> {
  const { scope, brand, account } = payer;
  const terms = new PaymentTerms(brand, account);
  const now = deps.clock.now();
  const publicId = await deps.db.transaction(async (tx) => {
    const rows = checkPayable(invoiceIds, await queries.findPayables(tx, scope, invoiceIds));
    if (account === undefined) throw new AppError('gateway.misconfigured');
    const currency = rows[0]?.currency ?? brand.currency;
    const unused = await usableCredit(tx, scope, currency, invoiceIds);
    const { quote } = priceInvoices(rows, currency, unused, terms, partAsked(amount, rows, brand, terms));
    refuseTooMuch(quote);
    if (quote.totalMinor > 0n && !terms.takesCurrency(currency))
      throw new AppError('payment.methodCurrency', {
        text: `Payments in ${currency} are not taken here. Nothing was charged.`,
      });
    const session = { id: newId(now.getTime()), origin: 'bulk' as const, clientId: clientId ?? null, quote };
    return writeSession(tx, scope, session, now);
  });
  return present(deps, payer, await openSession(deps, scope, publicId));
}

/** Sums a page could not show exactly are none that any gateway takes at once. @throws {AppError} */
function refuseTooMuch({ lines, currency }: PricedInvoices['quote']): void {
  const sum = lines.reduce((all, { minor }) => (minor > 0n ? all + minor : all), 0n);
  if (!isExactAsNumber(money(sum, currency)))
    throw new AppError('payment.notPayable', {
      text: 'This is too much to be paid at once. Nothing was charged.',
    });
}

/** A session as it was last priced, with how its payment stands. Reads only. */
export const readIntent = async (deps: BulkPayDeps, payer: Payer, publicId: string): Promise<PaymentIntent> =>
  present(deps, payer, await openSession(deps, payer.scope, publicId));

/** The same after an open attempt was looked up, and what is not paid yet was priced again. */
export async function renewIntent(deps: BulkPayDeps, payer: Payer, publicId: string): Promise<PaymentIntent> {
  const session = await openSession(deps, payer.scope, publicId);
  const latest = await payments.findAttemptOfSession(deps.db, payer.scope, session.id);
  if (latest !== undefined) await refresh(deps, latest);
  await priceAnew(deps, payer, session.id);
  return present(deps, payer, await openSession(deps, payer.scope, publicId));
}

/** @throws {AppError} when the customer has no such session */
export async function openSession(
  deps: BulkPayDeps,
  scope: CustomerScope,
  publicId: string,
): Promise<queries.SessionRow> {
  const session = await queries.findSession(deps.db, scope, publicId);
  if (session === undefined) throw new AppError('payment.unknownIntent');
  return session;
}

async function present(
  deps: BulkPayDeps,
  { scope, brand, account }: Payer,
  session: queries.SessionRow,
): Promise<PaymentIntent> {
  const [lines, attempt, { email }] = await Promise.all([
    queries.listLines(deps.db, scope, session.id),
    payments.findAttemptOfSession(deps.db, scope, session.id),
    queries.findEmail(deps.db, scope),
  ]);
  const receiptTo = brand.settings.emailReceipt ? email : null;
  const taken = await readTaken(deps.db, attempt);
  return presentIntent({ session, lines, attempt, taken, brand, account, email: receiptTo });
}

/** Prices a session that nothing has paid or is paying, and keeps the price where it is another one. */
export const priceAnew = (deps: BulkPayDeps, payer: Payer, sessionId: string): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { scope } = payer;
    const session = await queries.lockSession(tx, scope, sessionId);
    const attempt = await payments.findAttemptOfSession(tx, scope, sessionId);
    const isDecided = attempt !== undefined && (isOpen(attempt.state) || attempt.state === 'succeeded');
    if (session.settled_ref !== null || isDecided) return;
    const { currency } = session;
    const shown = await linesShown(tx, scope, sessionId);
    const ids = shown.map(({ invoiceId }) => invoiceId);
    const rows = await queries.findPayables(tx, scope, ids);
    const unused = await usableCredit(tx, scope, currency, ids);
    const { quote } = price(payer, session, shown, rows, unused);
    if (!quote.digest.equals(session.quote_digest)) await requote(tx, scope, sessionId, quote);
  });

/** The credit that paying these invoices can use, with what an attempt holds that is ended before; minor units. */
async function usableCredit(
  tx: Tx,
  scope: CustomerScope,
  currency: string,
  ids: readonly string[],
): Promise<bigint> {
  const unused = await readCredit(tx, { customerId: scope.customerId, currency });
  return unused + (await queries.sumWaitingCredit(tx, scope, currency, ids));
}

/** An invoice of a session, and what was to be paid of it when it was last priced. */
export interface LineShown {
  readonly invoiceId: string;
  readonly minor: bigint;
}

/** A session's invoices in the order they are shown. */
export async function linesShown(db: Db, scope: CustomerScope, sessionId: string): Promise<LineShown[]> {
  const lines = await queries.listLines(db, scope, sessionId);
  return lines.flatMap(({ invoice_id: invoiceId, amount_minor: minor }) =>
    invoiceId === null ? [] : [{ invoiceId, minor }],
  );
}

/**
 * What a session costs now: invoices that were paid otherwise meanwhile are out of it. Where part payment is offered,
 * a single invoice is paid up to what was shown of it, also when more of it has become due.
 */
export function price(
  { brand, account }: Payer,
  { currency }: queries.SessionRow,
  shown: readonly LineShown[],
  found: readonly queries.PayableRow[],
  unused: bigint,
): PricedInvoices {
  const rows = shown.flatMap(
    ({ invoiceId }) => found.find((row) => row.id === invoiceId && isStillDue(row)) ?? [],
  );
  const most = brand.settings.partPayment && shown.length === 1 ? shown[0]?.minor : undefined;
  return priceInvoices(rows, currency, unused, new PaymentTerms(brand, account), most);
}
