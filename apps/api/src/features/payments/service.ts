import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { Brand } from '../brand/service.ts';
import type { GatewayAccount } from './accounts.ts';
import { type AttemptRow, findAttemptByKey } from './attempts/attempt-row.ts';
import {
  AttemptInTheWay,
  type NewCharge,
  type PaymentSource,
  sendCharge,
  writeAttempt,
} from './attempts/charge.ts';
import { closeAttempt, type EngineDeps } from './attempts/engine.ts';
import { refuseMisconfigured } from './attempts/not-attempted.ts';
import { lookWithinMs } from './progress.ts';

// What other features use of payments besides the calls below; they import nothing else of it.
export type { GatewayAccount, GatewayAccounts } from './accounts.ts';
export { answer, answerFor } from './answer.ts';
export type { AttemptRow } from './attempts/attempt-row.ts';
export { type EngineDeps, readAttempt } from './attempts/engine.ts';
export type { ManualResolution } from './attempts/finding.ts';
export { leaseFrom, unknownPauseMs } from './attempts/schedule.ts';
export { settle } from './attempts/settle.ts';
export { billingOwner } from './billing-owner.ts';
export { isTokenOf, type Refusal } from './chargeable.ts';
export { followCredit, followCredits, lockCredit } from './credit.ts';
export { settleByCredit } from './credit-payment.ts';
export { changeInvoice } from './invoice-amounts.ts';
export { Account, type Posting, postLedger } from './ledger.ts';
export { ownerTyped } from './owner-typed.ts';
export { checkReceiptAddress } from './payer-form.ts';
export type { Price } from './price.ts';
export { confirm, lookUpNow, lookWithinMs, refresh } from './progress.ts';
export { receiptOf } from './receipts/receipt-service.ts';
export { RefundRefused, refundPayment, settleRefund } from './refunds/refund.ts';
export type { OrderKey } from './refunds/refund-key.ts';
export { settleResubmission } from './reversals/resubmissions.ts';
export { type Quote, requote, type SessionLine, writeSession } from './session.ts';
export { PaymentTerms } from './terms.ts';
export type { EventFollower } from './webhooks/follow-up.ts';
export { readBacklog } from './webhooks/inbox.ts';

/**
 * How long a payer waits for the gateway's answer before being told that the payment is being confirmed. The call goes
 * on; a webhook or a late answer is then seen at the page's next look, not after the gateway's full time-out.
 */
const ANSWER_WITHIN_MS = 8_000;

/** What a paying call asks for, so that the same again is known as the same. */
export interface Asked {
  readonly digest: Buffer;
  readonly clientKey: string | null;
}

/** A charge that was priced under the locks of what it pays. */
export interface QuotedCharge {
  readonly is: 'charge';
  readonly scope: CustomerScope;
  readonly account: GatewayAccount;
  readonly charge: NewCharge;
  /** What pays; a one-time token is never stored. */
  readonly pay: PaymentSource;
  readonly at: Date;
  /** Written with the attempt, in its transaction. */
  readonly also?: (tx: Tx, attempt: AttemptRow) => Promise<void>;
}

/** The end of a payment that needs no gateway; of `never`, none. */
export type Settled<T> = T extends unknown ? { readonly is: 'settled'; readonly as: T } : never;

/** What a payment comes to under the locks of what it pays. */
export type Quoted<T> =
  | QuotedCharge
  /** Another attempt was faster. */
  | { readonly is: 'inTheWay' }
  | Settled<T>;

/** Locks what is to be paid and prices it, in the transaction that writes the attempt. */
export type Pricing<T> = (tx: Tx) => Promise<Quoted<T>>;

export interface Attempting<T> {
  /** The attempt that decides the request already: made with the same key, or still open. */
  readonly first: () => Promise<AttemptRow | undefined>;
  /** What is owed. What it can refuse before anything is locked, it refuses before it returns. */
  readonly quote: () => Promise<Pricing<T>>;
  /** Whose attempt was in the way. */
  readonly other: () => Promise<AttemptRow | undefined>;
}

/** An attempt that `send` takes on. */
export type Attempted =
  | { readonly is: 'new'; readonly attempt: AttemptRow; readonly quoted: QuotedCharge }
  | { readonly is: 'first'; readonly attempt: AttemptRow }
  | { readonly is: 'inTheWay'; readonly attempt: AttemptRow | undefined };

/** The attempt made with this key. @throws {AppError} payment.keyReused when it was made for something else */
export async function attemptOfKey(
  deps: EngineDeps,
  scope: CustomerScope,
  { clientKey, digest }: Asked,
): Promise<AttemptRow | undefined> {
  const sameKey = clientKey === null ? undefined : await findAttemptByKey(deps.db, scope, clientKey);
  if (sameKey !== undefined && !sameKey.request_digest.equals(digest))
    throw new AppError('payment.keyReused');
  return sameKey;
}

/**
 * Ends an abandoned 3-D Secure at the gateway, so that it can never take the money beside a new attempt.
 * @param check throws where the new request will be refused anyway: then nothing is ended for it
 * @returns what decides the request already: the attempt is still open, is what was asked for, or has paid after all
 */
export async function stillDecides(
  deps: EngineDeps,
  latest: AttemptRow | undefined,
  { digest }: Pick<Asked, 'digest'>,
  check: () => void,
): Promise<AttemptRow | undefined> {
  if (latest === undefined || !isOpen(latest.state)) return undefined;
  if (latest.state !== 'requiresAction' || latest.request_digest.equals(digest)) return latest;
  check();
  const closed = await withTimeout(lookWithinMs(deps), closeAttempt(deps, latest), latest);
  return isOpen(closed.state) || closed.state === 'succeeded' ? closed : undefined;
}

/** Whether a payment can be started: payments are on, and there is a gateway that accepts its keys; and whether they are paused. */
export async function payStatusOf(
  deps: EngineDeps,
  { brand, account }: { readonly brand: Brand; readonly account: GatewayAccount | undefined },
): Promise<{ readonly apiStatus: boolean; readonly paymentsPaused: boolean }> {
  const standing = await deps.accounts.standingOf(account);
  return {
    apiStatus: brand.settings.paymentsEnabled && standing === 'working',
    paymentsPaused: standing === 'paused',
  };
}

/** The account that takes a payment now. @throws {AppError} payments.paused, gateway.misconfigured unless a payment can be started */
export async function payableAccount(
  deps: EngineDeps,
  { brand, account }: { readonly brand: Brand; readonly account: GatewayAccount | undefined },
): Promise<GatewayAccount> {
  const standing = await deps.accounts.standingOf(account);
  if (standing === 'paused') throw new AppError('payments.paused');
  if (account === undefined || standing !== 'working' || !brand.settings.paymentsEnabled)
    throw new AppError('gateway.misconfigured');
  return account;
}

/**
 * The account whose keys its gateway accepts. A pause is looked at by what writes the payment, in the same transaction.
 * @throws {AppError} gateway.misconfigured
 */
export async function acceptedAccount(
  deps: EngineDeps,
  { brand, account }: { readonly brand: Brand; readonly account: GatewayAccount | undefined },
): Promise<GatewayAccount> {
  if (account === undefined || !brand.settings.paymentsEnabled || !(await deps.accounts.isAccepted(account)))
    throw new AppError('gateway.misconfigured');
  return account;
}

/**
 * Finds the attempt that decides a request already, else prices the payment and commits session, claims and attempt in
 * one transaction. A gateway is called only after that, by {@link send}.
 */
export async function attempt<T>(
  deps: EngineDeps,
  { first, quote, other }: Attempting<T>,
): Promise<Attempted | Settled<T>> {
  const before = await first();
  if (before !== undefined) return { is: 'first', attempt: before };
  const price = await quote();
  try {
    return await deps.db.transaction(async (tx): Promise<Attempted | Settled<T>> => {
      const quoted = await price(tx);
      if (quoted.is === 'inTheWay') throw new AttemptInTheWay('another attempt was faster');
      if (quoted.is !== 'charge') return quoted;
      const { scope, account, charge, at, also } = quoted;
      const row = await writeAttempt(tx, scope, account, charge, { secrets: deps.secrets, now: at });
      await also?.(tx, row);
      return { is: 'new', attempt: row, quoted };
    });
  } catch (error) {
    if (!(error instanceof AttemptInTheWay)) throw error;
    // Both callers are told the same.
    return { is: 'inTheWay', attempt: await other() };
  }
}

/**
 * Sends a new attempt to its gateway, once, while its payer waits; records and books what comes of it. Whoever came
 * second gets the first attempt as it is.
 * @param startedMs `performance.now()` when the request came: its payer waits no longer in all
 * @throws {AppError} gateway.misconfigured where the gateway refused our account
 */
export async function send(deps: EngineDeps, attempted: Attempted, startedMs: number): Promise<AttemptRow> {
  if (attempted.is === 'first') return attempted.attempt;
  if (attempted.attempt === undefined) throw new AttemptInTheWay('by an attempt that cannot be found');
  const sent = attempted.is === 'new' ? await sendInTime(deps, attempted, startedMs) : attempted.attempt;
  refuseMisconfigured(sent);
  return sent;
}

function sendInTime(
  deps: EngineDeps,
  { attempt: row, quoted }: Extract<Attempted, { is: 'new' }>,
  startedMs: number,
): Promise<AttemptRow> {
  const sent = sendCharge(deps, quoted.account, row, quoted.pay);
  const leftMs = Math.max(ANSWER_WITHIN_MS - (performance.now() - startedMs), 1_000);
  return withTimeout(leftMs, sent, row);
}

/**
 * The same without a payer: the gateway's answer is waited for, and an attempt that asks for an action is cancelled, so
 * that it cannot capture later.
 */
export async function sendUnattended(
  deps: EngineDeps,
  { attempt: row, quoted }: Extract<Attempted, { is: 'new' }>,
): Promise<AttemptRow> {
  const sent = await sendCharge(deps, quoted.account, row, quoted.pay);
  return sent.state === 'requiresAction' ? closeAttempt(deps, sent) : sent;
}
