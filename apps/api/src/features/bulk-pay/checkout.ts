import type { CheckoutSession } from '@counterfoil/contract/bulk-pay.ts';
import { isOpen } from '@counterfoil/domain/attempt.ts';
import { AppError } from '../../app-error.ts';
import { sha256 } from '../../secrets.ts';
import { brandUrl } from '../brand/service.ts';
import type { AttemptRow } from '../payments/attempts/attempt-row.ts';
import { refuseMisconfigured } from '../payments/attempts/not-attempted.ts';
import { type Asked, isPayable, payOnce } from '../payments/paying.ts';
import * as payments from '../payments/queries.ts';
import { refuseWay } from '../payments/refuse-unchargeable.ts';
import { attemptBefore, changedTo, paidOf, theOther, toldOfChange, writeBulkAttempt } from './pay.ts';
import * as queries from './queries.ts';
import { type BulkPayDeps, openSession, type Payer } from './service.ts';

/** Asking for the page again is the same request. */
const askedOf = ({ id }: queries.SessionRow): Asked => ({
  digest: sha256(JSON.stringify([id, 'checkout'])),
  clientKey: null,
});

/** The session, where it may be paid on a page of the gateway. */
async function payableThere(
  deps: BulkPayDeps,
  { scope, account }: Payer,
  publicId: string,
): Promise<queries.SessionRow> {
  const session = await openSession(deps, scope, publicId);
  if (session.settled_ref !== null) throw new AppError('payment.alreadyPaid');
  refuseWay(account, { kind: 'card', source: { by: 'page' }, currency: session.currency });
  return session;
}

/**
 * Where a session is paid on a page of the gateway: on the one that is open, else by way of our own address, which opens
 * it when somebody goes there. Reads only: whoever asks again, or ahead, begins nothing.
 * @throws {AppError} as {@link openCheckout}
 */
export async function findCheckout(
  deps: BulkPayDeps,
  payer: Payer,
  publicId: string,
): Promise<CheckoutSession> {
  const session = await payableThere(deps, payer, publicId);
  const latest = await payments.findAttemptOfSession(deps.db, payer.scope, session.id);
  if (latest?.state === 'succeeded') throw await paidOf(deps, payer, session);
  if (latest !== undefined && isOpen(latest.state))
    return pageOf(deps, payer, session, latest, askedOf(session));
  const own = `/checkout?session=${encodeURIComponent(session.public_id)}`;
  return { data: session.public_id, url: brandUrl(payer.brand, deps.publicUrl, own) };
}

/**
 * Begins to pay a session on the gateway's own page. It is an attempt like any other: it claims the invoices, it is
 * found out about, and paying otherwise first ends it there. The page takes cards, so it costs what a card costs.
 * @throws {AppError} where the gateway has no such page, and where the session is paid or being paid
 */
export async function openCheckout(
  deps: BulkPayDeps,
  payer: Payer,
  publicId: string,
): Promise<CheckoutSession> {
  const begunMs = performance.now();
  const { scope, brand, account } = payer;
  const session = await payableThere(deps, payer, publicId);
  const way = { kind: 'card', source: { by: 'page' } } as const;
  const asked = askedOf(session);
  const seen = await payments.findAttemptOfSession(deps.db, scope, session.id);
  const before = await attemptBefore(deps, payer, session, asked, seen, () => undefined);
  const pageTo = (attempt: AttemptRow) => pageOf(deps, payer, session, attempt, asked);
  if (before !== undefined) return pageTo(before);
  if (account === undefined || !(await isPayable(deps, { brand, account })))
    throw new AppError('gateway.misconfigured');
  const { email } = await queries.findEmail(deps.db, scope);
  const receiptEmail = brand.settings.emailReceipt ? email : null;
  const parts = { session, asked, seen, account, method: way, receiptEmail };
  const attempt = await toldOfChange(deps, payer, session, () =>
    payOnce(deps, {
      account,
      pay: () => 'page' as const,
      begunMs,
      write: (tx) => writeBulkAttempt(deps, tx, payer, parts),
      other: () => theOther(deps, payer, session, asked, seen),
    }),
  );
  return pageTo(attempt);
}

/** Where an attempt's page is. @throws {AppError} when it has none (any more) */
async function pageOf(
  deps: BulkPayDeps,
  payer: Payer,
  session: queries.SessionRow,
  attempt: AttemptRow,
  asked: Asked,
): Promise<CheckoutSession> {
  const { state, action, remote, request_digest: digest, decline } = attempt;
  // Less may have been taken than was asked for: then something is still to be paid.
  if (state === 'succeeded') throw await changedTo(deps, payer, session);
  if (
    state === 'requiresAction' &&
    action?.do === 'redirect' &&
    remote !== null &&
    digest.equals(asked.digest)
  )
    return { data: remote, url: action.to };
  refuseMisconfigured(attempt);
  // Refused before it began, and why.
  if (state === 'notAttempted' || state === 'declined')
    throw new AppError('payment.notBegun', decline === null ? {} : { text: decline.text });
  throw new AppError(digest.equals(asked.digest) ? 'server.unavailable' : 'payment.underWay');
}
