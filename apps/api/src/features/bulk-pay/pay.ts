import type { BulkPayRequest } from '@counterfoil/contract/bulk-pay.ts';
import type { PayAnswer } from '@counterfoil/contract/public-pay.ts';
import { isOpen } from '@counterfoil/domain/attempt.ts';
import { InvoiceStatus } from '@counterfoil/domain/invoice.ts';
import { isPositive } from '@counterfoil/domain/money.ts';
import { newGatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { sha256 } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import type { GatewayAccount } from '../payments/accounts.ts';
import { answerOf } from '../payments/answer.ts';
import type { AttemptRow } from '../payments/attempts/attempt-row.ts';
import { AttemptInTheWay, writeAttempt } from '../payments/attempts/charge.ts';
import { refuseMisconfigured } from '../payments/attempts/not-attempted.ts';
import { lockCredit } from '../payments/credit.ts';
import { payWithCredit } from '../payments/credit-payment.ts';
import { type Asked, attemptOfKey, isPayable, payOnce, stillDecides } from '../payments/paying.ts';
import * as payments from '../payments/queries.ts';
import { enqueueCreditReceipt } from '../payments/receipts/receipt-queue.ts';
import { refuseUnchargeable, refuseWay } from '../payments/refuse-unchargeable.ts';
import { checkBulkForm } from './form.ts';
import { type Method, methodOf, priceWith } from './method.ts';
import { settledAnswer } from './present.ts';
import * as queries from './queries.ts';
import type { PricedInvoices } from './quote.ts';
import { type BulkPayDeps, linesShown, openSession, type Payer, price, priceAnew } from './service.ts';

/**
 * Pays a session. The same request again, a second tab and the page's Back answer the attempt there is; an abandoned
 * 3-D Secure is ended first. Where the price has changed since it was shown, nothing is charged, and the session has
 * the new price.
 */
export async function payBulk(
  deps: BulkPayDeps,
  payer: Payer,
  body: BulkPayRequest,
  idempotencyKey: string | null,
): Promise<PayAnswer> {
  const begunMs = performance.now();
  const { scope, brand, account } = payer;
  const session = await openSession(deps, scope, body.uid);
  if (body.type !== undefined && body.type !== account?.module.manifest.code)
    throw new AppError('paymentMethod.otherProvider');
  const form = checkBulkForm(body, brand);
  const settled = settledAnswer(session);
  if (settled !== undefined) return settled;
  const asked: Asked = {
    digest: sha256(JSON.stringify([session.id, body.cardId ?? '', body.cardToken ?? ''])),
    clientKey: idempotencyKey === null ? null : `bulk:${session.id}:${idempotencyKey}`,
  };
  const seen = await payments.findAttemptOfSession(deps.db, scope, session.id);
  const { chosen } = form;
  const check = () => {
    if (chosen.by !== 'token') return;
    const source = { by: 'token', token: chosen.token } as const;
    refuseWay(account, { kind: 'card', source, currency: session.currency });
  };
  const before = await attemptBefore(deps, payer, session, asked, seen, check);
  if (before !== undefined) return answerOf(deps.db, before, account);

  const receiptTo = async () =>
    brand.settings.emailReceipt
      ? (form.email ?? (await queries.findEmail(deps.db, scope)).email)
      : form.email;
  if (session.total_minor === 0n) return settleByCredit(deps, payer, session, await receiptTo());

  if (account === undefined || !(await isPayable(deps, { brand, account })))
    throw new AppError('gateway.misconfigured');
  const method = await methodOf(deps, payer, account, chosen, session.currency);
  const parts: AttemptParts = { session, asked, seen, account, method, receiptEmail: await receiptTo() };
  const attempt = await toldOfChange(deps, payer, session, () =>
    payOnce(deps, {
      account,
      pay: () => method.pay,
      begunMs,
      write: (tx) => writeBulkAttempt(deps, tx, payer, parts),
      other: () => theOther(deps, payer, session, asked, seen),
    }),
  );
  refuseMisconfigured(attempt);
  return answerOf(deps.db, attempt, account);
}

/**
 * The attempt that decides this request already, if there is one. Attempts of others on these invoices are ended
 * where they wait for somebody who went away.
 * @throws {AppError} `payment.underWay` where one of them is on its way; where one has paid after all,
 *   `payment.alreadyPaid`, or `payment.quoteChanged` when something is left to be paid
 */
export async function attemptBefore(
  deps: BulkPayDeps,
  payer: Payer,
  session: queries.SessionRow,
  asked: Asked,
  latest: AttemptRow | undefined,
  check: () => void,
): Promise<AttemptRow | undefined> {
  const { scope } = payer;
  const known = await attemptOfKey(deps, scope, asked);
  if (known !== undefined) return known;
  if (latest?.state === 'succeeded') return latest;
  const own = await stillDecides(deps, latest, asked, check);
  if (own !== undefined) return own;
  for (const other of await payments.listAttemptsInTheWay(deps.db, scope, session.id)) {
    const still = await stillDecides(deps, other, asked, check);
    if (still !== undefined && isOpen(still.state)) throw new AppError('payment.underWay');
    if (still !== undefined) throw await changedTo(deps, payer, session);
  }
  return undefined;
}

/** Whose attempt was in the way: that of this session, which somebody was faster with, or another's. */
export async function theOther(
  deps: BulkPayDeps,
  { scope }: Payer,
  session: queries.SessionRow,
  asked: Asked,
  seen: AttemptRow | undefined,
): Promise<AttemptRow> {
  const own =
    (await attemptOfKey(deps, scope, asked)) ??
    (await payments.findAttemptOfSession(deps.db, scope, session.id));
  const isNews = own !== undefined && (own.id !== seen?.id || isOpen(own.state));
  if (!isNews) throw new AppError('payment.underWay');
  return own;
}

/** What was priced is not what was shown: nothing was written. */
class QuoteChanged extends Error {
  override readonly name = 'QuoteChanged';
}

/** Where the price has changed, the session gets the new one and the payer is told. */
export async function toldOfChange<T>(
  deps: BulkPayDeps,
  payer: Payer,
  session: queries.SessionRow,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QuoteChanged)) throw error;
    throw await changedTo(deps, payer, session, error);
  }
}

/** Gives a session the price it has now. @returns what the payer is told instead of being charged */
export async function changedTo(
  deps: BulkPayDeps,
  payer: Payer,
  { id }: queries.SessionRow,
  cause?: Error,
): Promise<AppError> {
  const lines = await linesShown(deps.db, payer.scope, id);
  await priceAnew(deps, payer, id);
  return paidOrChanged(deps, payer, lines, cause);
}

/** What is told of a session that was paid: all of it, or less than was asked for. Reads only. */
export const paidOf = async (
  deps: BulkPayDeps,
  payer: Payer,
  { id }: queries.SessionRow,
): Promise<AppError> => paidOrChanged(deps, payer, await linesShown(deps.db, payer.scope, id));

async function paidOrChanged(
  deps: BulkPayDeps,
  payer: Payer,
  lines: Awaited<ReturnType<typeof linesShown>>,
  cause?: Error,
): Promise<AppError> {
  const ids = lines.map(({ invoiceId }) => invoiceId);
  const rows = await queries.findPayables(deps.db, payer.scope, ids);
  const isPaid = rows.length > 0 && rows.every(({ status }) => status === InvoiceStatus.PAID);
  return new AppError(isPaid ? 'payment.alreadyPaid' : 'payment.quoteChanged', { cause });
}

/** Locks a session, its invoices and the credit, and prices them. @throws {QuoteChanged} */
async function lockAndPrice(
  tx: Tx,
  payer: Payer,
  shown: queries.SessionRow,
): Promise<{ priced: PricedInvoices; rows: queries.PayableRow[]; session: queries.SessionRow }> {
  const { scope } = payer;
  const session = await queries.lockSession(tx, scope, shown.id);
  const lines = await linesShown(tx, scope, shown.id);
  const ids = lines.map(({ invoiceId }) => invoiceId);
  const rows = await queries.lockPayables(tx, scope, ids);
  const unused = await lockCredit(tx, { customerId: scope.customerId, currency: shown.currency });
  const priced = price(payer, session, lines, rows, unused);
  return { priced, rows, session };
}

function refuseChanged(priced: PricedInvoices, shown: queries.SessionRow): void {
  if (!priced.quote.digest.equals(shown.quote_digest) || priced.lines.length === 0) throw new QuoteChanged();
}

export interface AttemptParts {
  readonly session: queries.SessionRow;
  readonly asked: Asked;
  /** The session's last attempt when the request came. */
  readonly seen: AttemptRow | undefined;
  readonly account: GatewayAccount;
  readonly method: Pick<Method, 'kind' | 'source' | 'method' | 'methodShown'>;
  readonly receiptEmail: string | null;
}

/** Prices under the locks and writes the attempt. @throws {QuoteChanged} @throws {AttemptInTheWay} */
export async function writeBulkAttempt(
  deps: BulkPayDeps,
  tx: Tx,
  payer: Payer,
  { session: shown, asked, seen, account, method, receiptEmail }: AttemptParts,
): Promise<AttemptRow> {
  const { scope, brand } = payer;
  const { priced, rows, session } = await lockAndPrice(tx, payer, shown);
  const latest = await payments.findAttemptOfSession(tx, scope, shown.id);
  if (latest?.id !== seen?.id || latest?.state === 'succeeded')
    throw new AttemptInTheWay('the session was paid meanwhile');
  if (rows.some((row) => row.is_held)) throw new AttemptInTheWay('one of the invoices is being paid');
  if (session.settled_ref !== null) throw new QuoteChanged();
  refuseChanged(priced, shown);
  const cost = priceWith(priced, method.kind, payer);
  const { fee, total } = cost;
  refuseUnchargeable(account, method, cost, brand, brand.settings.partPayment && rows.length === 1);
  const numbers = priced.lines.map(({ invoiceId }) => rows.find(({ id }) => id === invoiceId)?.number ?? '');
  const { invoiceLabelPlural } = brand.settings;
  const named = numbers.length > 3 ? `${numbers.length} ${invoiceLabelPlural}` : numbers.join(', ');
  return writeAttempt(
    tx,
    scope,
    account,
    {
      origin: 'bulk',
      sessionId: shown.id,
      initiator: 'customer',
      kind: method.kind,
      source: method.source,
      methodShown: method.methodShown ?? null,
      ...(method.method === undefined ? {} : { method: method.method }),
      lines: priced.lines,
      credit: priced.credit,
      fee,
      amount: total,
      labels: { invoice: numbers.join(','), description: `${brand.companyName} ${named}` },
      returnTo: () => brandUrl(brand, deps.publicUrl, `/payment-result?req_uid=${shown.public_id}`),
      receiptEmail,
      requestDigest: asked.digest,
      clientKey: asked.clientKey,
    },
    { secrets: deps.secrets, now: deps.clock.now() },
  );
}

/** Pays all of a session with credit: no gateway, no fee, no attempt. */
async function settleByCredit(
  deps: BulkPayDeps,
  payer: Payer,
  shown: queries.SessionRow,
  to: string | null,
): Promise<PayAnswer> {
  const { customerId } = payer.scope;
  const at = deps.clock.now();
  return toldOfChange(deps, payer, shown, () =>
    deps.db.transaction(async (tx) => {
      const { priced, rows, session } = await lockAndPrice(tx, payer, shown);
      // Two clicks: the second finds what the first has done.
      const settled = settledAnswer(session);
      if (settled !== undefined) return settled;
      if (rows.some((row) => row.is_held)) throw new AppError('payment.underWay');
      refuseChanged(priced, shown);
      if (isPositive(priced.total)) throw new QuoteChanged();
      const ref = newGatewayRef();
      const { currency } = session;
      await payWithCredit(tx, { customerId, sessionId: shown.id, currency, lines: priced.lines, at });
      await tx.execute(sql`
        update pay_session set settled_ref = ${ref}, settled_at = ${at}
         where customer_id = ${customerId} and id = ${shown.id}`);
      await enqueueCreditReceipt(tx, { customerId, sessionId: shown.id, to }, at);
      return { status: 'succeeded', reference: ref, at: at.toISOString() } as const;
    }),
  );
}
