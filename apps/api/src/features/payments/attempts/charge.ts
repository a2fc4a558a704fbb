import type { Money } from '@counterfoil/domain/money/money.ts';
import { newId } from '@counterfoil/domain/text/ids.ts';
import { lendSecrets } from '@counterfoil/gateways/kit/secret-bytes.ts';
import type {
  Charge,
  ChargeLabels,
  Gateway,
  GatewayState,
  MethodKind,
  Outcome,
  PayOnce,
  SaveState,
} from '@counterfoil/gateways/port/gateway.ts';
import { newGatewayRef } from '@counterfoil/gateways/port/gateway-ref.ts';
import { AppError } from '../../../app-error.ts';
import type { Tx } from '../../../db/database.ts';
import { isUniqueViolation } from '../../../db/database.ts';
import { sql, sqlOnce, withParts } from '../../../db/sql.ts';
import type { CustomerScope } from '../../../http/requests/scope.ts';
import type { Secrets } from '../../../secrets.ts';
import type { GatewayAccount } from '../accounts.ts';
import { afterEndOf } from '../after-end/plan.ts';
import { type ChargeSource, refusalOf } from '../chargeable.ts';
import { holdCredit } from '../credit.ts';
import { isPaused } from '../pause/pause.ts';
import { type Quote, sessionParts } from '../session.ts';
import {
  type AttemptRow,
  attemptColumns,
  chargeFromRow,
  sealGatewayState,
  sealOwner,
} from './attempt-row.ts';
import { type ChargeLine, claimParts } from './claims.ts';
import { type EngineDeps, readAttempt } from './engine.ts';
import { leaseFrom } from './schedule.ts';
import { markSent, recordAnswer } from './send.ts';
import { settle } from './settle.ts';

/** Everything one attempt is written from. Amounts are ours, priced under the invoices' locks. */
export interface NewCharge {
  readonly origin: 'public' | 'bulk' | 'auto' | 'operator';
  /** The session it belongs to; one of its own is written unless given. */
  readonly sessionId?: string;
  readonly lines: readonly ChargeLine[];
  /** Part of `amount`. */
  readonly fee: Money;
  /** What the gateway is to take: the lines less `credit`, and the fee. */
  readonly amount: Money;
  /** The customer's credit that pays the rest of the lines; held until the attempt ends. */
  readonly credit?: Money;
  readonly kind: MethodKind;
  /** What it is paid with; a one-time token is looked at and not kept. */
  readonly source: ChargeSource;
  readonly initiator: 'customer' | 'merchant';
  readonly labels: Omit<ChargeLabels, 'session' | 'customer'>;
  readonly returnTo: (attemptId: string) => string;
  /** Hash of the pay link it is made through. */
  readonly payLinkHash?: Buffer;
  readonly receiptEmail: string | null;
  /** Digest of what the caller asked for, so that the same request again is known as the same. */
  readonly requestDigest: Buffer;
  readonly clientKey: string | null;
  /** What the holder of an account that is debited once has agreed to. */
  readonly consentId?: string;
  /** The saved method it is charged to, kept sealed with the attempt; absent for a one-time token. */
  readonly method?: { readonly id: string; readonly saved: GatewayState; readonly payer: GatewayState };
  /** Who owns what pays once, and from where it is paid. */
  readonly owner?: Pick<Charge, 'owner' | 'client'>;
  /** What the payer is told it is paid with; the gateway says so for what is not saved. */
  readonly methodShown?: string | null;
}

/** Another attempt holds one of the invoices, or the same key was used before: nothing was written. */
export class AttemptInTheWay extends Error {
  override readonly name = 'AttemptInTheWay';
}

/**
 * Writes session, attempt and claims, and commits with the caller's transaction: from then on a second attempt on
 * the same invoices is refused by a unique index. Only after that may the gateway be called. The caller has the
 * invoices locked.
 * @throws {AttemptInTheWay}
 * @throws {AppError} payments.paused
 */
export async function writeAttempt(
  tx: Tx,
  scope: CustomerScope,
  account: GatewayAccount,
  charge: NewCharge,
  { secrets, now }: { readonly secrets: Secrets; readonly now: Date },
): Promise<AttemptRow> {
  // Whoever prices a payment asks before, and says why; no way of paying gets here without.
  const refused = refusalOf(account, { kind: charge.kind, source: charge.source, total: charge.amount });
  if (refused !== undefined) throw new TypeError(`a payment that the gateway does not take: ${refused}`);
  const sessionId = charge.sessionId ?? newId(now.getTime());
  const attemptId = newId(now.getTime());
  const ref = newGatewayRef();
  const { customerId } = scope;
  const { answerWithinMs } = account.gateway.capabilities;
  const afterEnd = afterEndOf(account, charge.kind);
  const method = charge.method && {
    saved: sealGatewayState(charge.method.saved, attemptId, secrets),
    payer: sealGatewayState(charge.method.payer, attemptId, secrets),
  };
  const owner = charge.owner === undefined ? null : sealOwner(charge.owner, attemptId, secrets);
  const labels: ChargeLabels = { ...charge.labels, customer: customerId, session: attemptId };
  // Looked up, not left to the unique indexes: whoever settles the first attempt has it locked and wants the invoices
  // that we hold, so that waiting for it in an index would be a deadlock.
  if (await isTaken(tx, customerId, charge)) {
    throw new AttemptInTheWay('the key was used, or the session is being paid');
  }
  try {
    const session = { id: sessionId, origin: charge.origin, quote: quoteOf(charge) };
    // Each row after those it refers to: a cluster writes the parts one after the other, and checks their keys at once.
    const parts = [
      ...(charge.sessionId === undefined ? [sessionParts(scope, session, { now })] : []),
      sql`
      written as (
        insert into attempt as a (customer_id, id, session_id, reseller_id, gateway_account_id, gateway, direction, ref,
          client_key, request_digest, kind, initiator, currency, amount_minor, fee_minor, credit_minor, state, labels,
          return_to, pay_link_hash, receipt_email, method, consent_id, payment_method_id, method_sealed, payer_sealed, owner_sealed, next_lookup_at, sent_at, last_sent_at, answer_within_ms, after_end, updated_at)
        values (${customerId}, ${attemptId}, ${sessionId}, ${scope.resellerId}, ${account.id},
          ${account.module.manifest.id}, 'charge', ${ref}, ${charge.clientKey}, ${charge.requestDigest}, ${charge.kind},
          ${charge.initiator}, ${charge.amount.currency}, ${charge.amount.minor}, ${charge.fee.minor},
          ${charge.credit?.minor ?? 0n}, 'sending', ${JSON.stringify(labels)}, ${charge.returnTo(attemptId)},
          ${charge.payLinkHash ?? null}, ${charge.receiptEmail}, ${charge.methodShown ?? null}, ${charge.consentId ?? null}, ${charge.method?.id ?? null}, ${method?.saved ?? null}, ${method?.payer ?? null}, ${owner},
          ${leaseFrom(now, answerWithinMs)}, ${now}, ${now}, ${answerWithinMs}, ${afterEnd === null ? null : JSON.stringify(afterEnd)}::jsonb, ${now})
        returning ${attemptColumns}),
      begun as (
        insert into transition (customer_id, attempt_id, seq, from_state, to_state, cause, at)
        values (${customerId}, ${attemptId}, 0, null, 'sending', ${charge.origin}, ${now})),
      named as (
        insert into attempt_ref (ref, customer_id, attempt_id) values (${ref}, ${customerId}, ${attemptId}))`,
      claimParts(customerId, attemptId, charge.lines),
    ];
    const { currency } = charge.amount;
    // One message: the invoices are locked for no more waits than they must. A pause is looked for in the transaction that writes the
    // attempt: nothing that was begun before it slips through.
    const [paused, attempt] = await Promise.all([
      isPaused(tx, account.id),
      tx.one<AttemptRow>(sqlOnce`${withParts(parts)} select * from written`),
      holdCredit(tx, { customerId, currency }, charge.credit?.minor ?? 0n),
    ]);
    if (paused) throw new AppError('payments.paused');
    return attempt;
  } catch (error) {
    if (isUniqueViolation(error)) throw new AttemptInTheWay('an attempt is open', { cause: error });
    throw error;
  }
}

/** Whether an attempt was made with this key, or is open in this session. */
async function isTaken(
  tx: Tx,
  customerId: string,
  { clientKey, sessionId }: Pick<NewCharge, 'clientKey' | 'sessionId'>,
): Promise<boolean> {
  const byKey =
    clientKey === null
      ? undefined
      : await tx.maybeOne(sqlOnce`
          select 1 from attempt where customer_id = ${customerId} and client_key = ${clientKey}`);
  if (byKey !== undefined || sessionId === undefined) return byKey !== undefined;
  const open = await tx.maybeOne(sqlOnce`
    select 1 from attempt where customer_id = ${customerId} and session_id = ${sessionId} and is_open limit 1`);
  return open !== undefined;
}

/** The session of a charge that comes without one: its lines, and the fee of the kind of method it is paid with. */
function quoteOf({ lines, fee, amount, credit, kind, requestDigest }: NewCharge): Quote {
  const feeKind = kind === 'card' ? 'CARD_FEE' : 'BANK_FEE';
  return {
    currency: amount.currency,
    totalMinor: amount.minor - fee.minor,
    creditMinor: credit?.minor ?? 0n,
    digest: requestDigest,
    lines: [
      ...lines.map((line) => ({
        kind: 'invoice' as const,
        invoiceId: line.invoiceId,
        minor: line.amount.minor,
      })),
      ...(fee.minor > 0n ? [{ kind: feeKind, invoiceId: null, minor: fee.minor } as const] : []),
    ],
  };
}

/** What pays: a one-time token or saved method, which is not stored; or the gateway's own page, to which the payer goes. */
export type PaymentSource = PayOnce | { readonly saved: GatewayState } | 'page';

/**
 * Sends a committed attempt to its gateway, once, and records what came of it. Never throws for what the gateway
 * or the network does; when the database is gone afterwards, the attempt stays open and the reconciler finds out.
 */
export async function sendCharge(
  deps: EngineDeps,
  account: GatewayAccount,
  attempt: AttemptRow,
  pay: PaymentSource,
): Promise<AttemptRow> {
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  let sentAt = attempt.last_sent_at;
  // The money call comes only now. What was found absent meanwhile, and perhaps paid again, must not take money any more.
  const begins = async (gatewayState: Buffer | null): Promise<boolean> => {
    const at = await markSent(deps, attempt, gatewayState);
    sentAt = at ?? sentAt;
    return at !== undefined;
  };
  const saveState = async (gatewayState: GatewayState) => {
    if (!(await begins(sealGatewayState(gatewayState, attempt.id, deps.secrets))))
      throw new Error('the attempt has ended');
  };
  // For a saved method no adapter makes anything before its money call that it would have to keep.
  if (pay !== 'page' && 'saved' in pay && !(await mayBegin(deps, begins)))
    return (await readAttempt(deps, key).catch(() => undefined)) ?? attempt;
  const { gateway } = account;
  const answer =
    pay === 'page'
      ? openPage(gateway, chargeFromRow(attempt, deps.secrets), saveState)
      : // Numbers are this call's own from here on, however long its payer waits, and overwritten when it ends.
        lendSecrets(pay, (own) => gateway.charge(chargeFromRow(attempt, deps.secrets, own), saveState));
  const note = (outcome: Outcome): void => {
    if (outcome.is !== 'notAttempted') return;
    const { why, detail } = outcome;
    deps.log.error(
      { attempt: attempt.id, account: account.id, gateway: attempt.gateway, why, detail },
      'a gateway did not take a charge',
    );
    if (why === 'config') deps.accounts.doubt(account);
  };
  return recordAnswer(deps, attempt, {
    answer,
    doing: 'charging',
    settle: (outcome) => {
      note(outcome);
      return settle(deps, key, outcome, 'response', { last_sent_at: sentAt });
    },
  });
}

/** Whether a charge is still to be sent; one whose row cannot be reached is not, and is found out about as one that was lost. */
const mayBegin = (deps: EngineDeps, begins: (gatewayState: null) => Promise<boolean>): Promise<boolean> =>
  begins(null).catch((error: unknown) => {
    deps.log.error({ err: error }, 'a charge was not sent: its row cannot be reached');
    return false;
  });

function openPage(gateway: Gateway, charge: Charge, saveState: SaveState): Promise<Outcome> {
  if (gateway.createCheckout === undefined) throw new TypeError('the gateway has no page of its own');
  return gateway.createCheckout(charge, saveState);
}
