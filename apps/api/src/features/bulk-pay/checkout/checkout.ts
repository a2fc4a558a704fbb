import type { CheckoutSession } from '@counterfoil/contract/paying/bulk-pay.ts';
import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { AppError } from '../../../app-error.ts';
import { sha256 } from '../../../secrets.ts';
import { brandUrl } from '../../brand/service.ts';
import { findAttemptOfSession } from '../../payments/queries.ts';
import {
  type Asked,
  type AttemptRow,
  acceptedAccount,
  attempt,
  PaymentTerms,
  type Pricing,
  send,
} from '../../payments/service.ts';
import * as queries from '../queries.ts';
import { type BulkPayDeps, openSession, type Payer } from '../service.ts';
import { quoteCharge, type SessionCharge } from './session-quote.ts';
import { changedTo, firstAttempt, otherAttempt, paidOf, toldOfChange } from './session-state.ts';

/** Asking for the page again is the same request. */
const askedOf = ({ id }: queries.SessionRow): Asked => ({
  digest: sha256(JSON.stringify([id, 'checkout'])),
  clientKey: null,
});

/** The session, where it may be paid on a page of the gateway. */
async function payableThere(
  deps: BulkPayDeps,
  { scope, brand, account }: Payer,
  publicId: string,
): Promise<queries.SessionRow> {
  const session = await openSession(deps, scope, publicId);
  if (session.settled_ref !== null) throw new AppError('payment.alreadyPaid');
  new PaymentTerms(brand, account).refuse({
    kind: 'card',
    source: { by: 'page' },
    currency: session.currency,
  });
  return session;
}

/**
 * Where a session is paid on a page of the gateway: on the one that is open, else by way of our own address, which opens
 * it when the payer goes there. Reads only: asking again, or ahead, opens no page.
 * @throws {AppError} as {@link openCheckout}
 */
export async function findCheckout(
  deps: BulkPayDeps,
  payer: Payer,
  publicId: string,
): Promise<CheckoutSession> {
  const session = await payableThere(deps, payer, publicId);
  const latest = await findAttemptOfSession(deps.db, payer.scope, session.id);
  if (latest?.state === 'succeeded') throw await paidOf(deps, payer, session);
  if (latest !== undefined && isOpen(latest.state))
    return pageOf(deps, payer, session, latest, askedOf(session));
  const own = `/checkout?session=${encodeURIComponent(session.public_id)}`;
  return { data: session.public_id, url: brandUrl(payer.brand, deps.publicUrl, own) };
}

/**
 * Starts to pay a session on the gateway's own page. It is an attempt like any other: it claims the invoices, it is
 * looked up, and paying otherwise first ends it there. The page takes cards, so it costs what a card costs.
 * @throws {AppError} where the gateway has no such page, and where the session is paid or being paid
 */
export async function openCheckout(
  deps: BulkPayDeps,
  payer: Payer,
  publicId: string,
): Promise<CheckoutSession> {
  const startedMs = performance.now();
  const session = await payableThere(deps, payer, publicId);
  const asked = askedOf(session);
  const seen = await findAttemptOfSession(deps.db, payer.scope, session.id);
  const attempted = await toldOfChange(deps, payer, session, () =>
    attempt(deps, {
      first: () => firstAttempt(deps, payer, session, asked, seen, () => undefined),
      quote: () => quote(deps, payer, { session, asked, seen }),
      other: () => otherAttempt(deps, payer, session, asked, seen),
    }),
  );
  const sent = await send(deps, attempted, startedMs);
  return pageOf(deps, payer, session, sent, asked);
}

async function quote(
  deps: BulkPayDeps,
  payer: Payer,
  { session, asked, seen }: Pick<SessionCharge, 'session' | 'asked' | 'seen'>,
): Promise<Pricing<never>> {
  const account = await acceptedAccount(deps, payer);
  const { email } = await queries.findEmail(deps.db, payer.scope);
  const receiptEmail = payer.brand.settings.emailReceipt ? email : null;
  const method = { kind: 'card', source: { by: 'page' } } as const;
  return quoteCharge(deps, payer, { session, asked, seen, account, method, pay: 'page', receiptEmail });
}

/** Where an attempt's page is. @throws {AppError} when it has none (any more) */
async function pageOf(
  deps: BulkPayDeps,
  payer: Payer,
  session: queries.SessionRow,
  sent: AttemptRow,
  asked: Asked,
): Promise<CheckoutSession> {
  const { state, action, remote, request_digest: digest, decline } = sent;
  // Less may have been taken than was asked for: then something is still to be paid.
  if (state === 'succeeded') throw await changedTo(deps, payer, session);
  if (
    state === 'requiresAction' &&
    action?.do === 'redirect' &&
    remote !== null &&
    digest.equals(asked.digest)
  )
    return { data: remote, url: action.to };
  // Refused before it began, and why.
  if (state === 'notAttempted' || state === 'declined')
    throw new AppError('payment.notBegun', decline === null ? {} : { text: decline.text });
  throw new AppError(digest.equals(asked.digest) ? 'server.unavailable' : 'payment.underWay');
}
