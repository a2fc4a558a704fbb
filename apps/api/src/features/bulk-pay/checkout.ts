import type { CheckoutSession } from '@counterfoil/contract/bulk-pay.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { recordAudit } from '../../audit/record.ts';
import { sessionOf } from '../../http/access.ts';
import { originOf } from '../../http/origin.ts';
import { sha256 } from '../../secrets.ts';
import type { AttemptRow } from '../payments/attempt-row.ts';
import { type Asked, isPayable, payOnce } from '../payments/paying.ts';
import { attemptBefore, theOther, toldOfChange, writeBulkAttempt } from './pay.ts';
import * as queries from './queries.ts';
import { type BulkPayDeps, openSession, type Payer } from './service.ts';

/**
 * Begins to pay a session on the gateway's own page. It is an attempt like any other: it claims the invoices, it is
 * found out about, and paying otherwise first ends it there. The page takes cards, so it costs what a card costs.
 * @throws {AppError} where the gateway has no such page, and where the session is paid or being paid
 */
export async function openCheckout(
  deps: BulkPayDeps,
  payer: Payer,
  request: FastifyRequest<{ Params: { id: string } }>,
): Promise<CheckoutSession> {
  const begunMs = performance.now();
  const { scope, brand, account } = payer;
  await recordSupport(deps, request);
  const session = await openSession(deps, scope, request.params.id);
  if (session.settled_ref !== null) throw new AppError('payment.alreadyPaid');
  if (account !== undefined && account.gateway.checkout === undefined)
    throw new AppError('paymentMethod.notOffered');
  const asked: Asked = { digest: sha256(JSON.stringify([session.id, 'checkout'])), clientKey: null };
  const seen = await queries.findAttemptOfSession(deps.db, scope, session.id);
  const before = await attemptBefore(deps, payer, session, asked, seen);
  if (before !== undefined) return pageOf(before, asked);
  if (account === undefined || !(await isPayable(deps, { brand, account })))
    throw new AppError('gateway.misconfigured');
  const { email } = await queries.findEmail(deps.db, scope);
  const receiptEmail = brand.settings.emailReceipt ? email : null;
  const parts = { session, asked, seen, account, method: { kind: 'card' as const }, receiptEmail };
  const attempt = await toldOfChange(deps, payer, session, () =>
    payOnce(deps, {
      ...{ account, pay: 'page', begunMs },
      write: (tx) => writeBulkAttempt(deps, tx, payer, parts),
      other: () => theOther(deps, payer, session, asked, seen),
    }),
  );
  return pageOf(attempt, asked);
}

/** Where an attempt's page is. @throws {AppError} when it has none (any more) */
function pageOf(
  { state, action, remote, request_digest: digest }: AttemptRow,
  asked: Asked,
): CheckoutSession {
  if (state === 'succeeded') throw new AppError('payment.alreadyPaid');
  if (
    state === 'requiresAction' &&
    action?.do === 'redirect' &&
    remote !== null &&
    digest.equals(asked.digest)
  )
    return { data: remote, url: action.to };
  // Refused before it began: the keys, or what was asked for.
  if (state === 'notAttempted' || state === 'declined') throw new AppError('gateway.misconfigured');
  throw new AppError(digest.equals(asked.digest) ? 'server.unavailable' : 'payment.underWay');
}

/** A reading call by its method, and so not on record by itself: but it begins a payment. */
async function recordSupport(deps: BulkPayDeps, request: FastifyRequest): Promise<void> {
  const { resellerId, userId, email: userEmail, actor, sessionId } = sessionOf(request);
  if (actor === null) return;
  const { address, requestId } = originOf(request);
  await deps.db.transaction((tx) =>
    recordAudit(tx, {
      ...{ action: 'support.request', at: deps.clock.now(), resellerId, address, requestId },
      ...{ userId, userEmail, actor, sessionId, customerId: request.customerScope?.customerId },
      detail: { call: `GET ${request.routeOptions.url ?? ''}` },
    }),
  );
}
