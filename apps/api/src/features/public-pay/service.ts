import type {
  ConfirmationRequest,
  PayAnswer,
  PaymentInfo,
  PayRequest,
} from '@counterfoil/contract/paying/public-pay.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import { forCustomer } from '../../db/row-security/for-customer.ts';
import type { RequestNumbers } from '../../http/numbers/request-numbers.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { sha256 } from '../../secrets.ts';
import { authorisePayLink, type PayLinkGrant } from '../pay-links/service.ts';
import * as payments from '../payments/queries.ts';
import {
  type AttemptRow,
  answer,
  attempt,
  attemptOfKey,
  confirm,
  payStatusOf,
  refresh,
  send,
  stillDecides,
} from '../payments/service.ts';
import { type DetailsInput, presentDetails } from './details.ts';
import { type Opened, type PublicPayDeps, throughLink } from './link.ts';
import { presentOnce } from './one-debit.ts';
import { parse, type Submission } from './parse.ts';
import { pausedUntil } from './pause.ts';
import * as queries from './queries.ts';
import { quote } from './quote.ts';

/** Payment info of a link; an open attempt whose time has come is looked into on the way. */
export const paymentDetails = (deps: PublicPayDeps, token: string): Promise<PaymentInfo> =>
  throughLink(deps, token, (opened) => detailsOf(deps, opened, token));

async function detailsOf(deps: PublicPayDeps, opened: Opened, token: string): Promise<PaymentInfo> {
  const { scope, invoiceId, brand, account } = opened;
  const status = await payStatusOf(deps, opened);
  const latest = await payments.findLatestAttempt(deps.db, scope, invoiceId);
  const attempted = latest === undefined ? undefined : await refresh(deps, latest);
  const row = await queries.findPayable(deps.db, scope, invoiceId);
  if (row === undefined) throw new AppError('payLink.notFound');
  const seen = await aboutAttempt(deps, opened, attempted);
  const paused = attempted && (await pausedUntil(deps.db, scope, invoiceId, deps.clock.now()));
  const bank = presentOnce(row, brand, account);
  return presentDetails({ uid: token, row, brand, account, ...status, ...seen, paused, bank });
}

/**
 * Pays an invoice through its link. The same request again answers the attempt there is; another one first ends an
 * abandoned 3-D Secure at the gateway.
 * @param origin from where the holder of an account agrees to its debit
 * @param numbers of the request; what is not handed on is its own to overwrite
 */
export async function payPublicly(
  deps: PublicPayDeps,
  body: PayRequest,
  idempotencyKey: string | null,
  origin: Origin,
  numbers: RequestNumbers,
): Promise<PayAnswer> {
  const startedMs = performance.now();
  return throughLink(deps, body.uid, async (opened) =>
    pay(deps, parse(deps, { opened, startedMs }, body, idempotencyKey, origin, numbers)),
  );
}

async function pay(deps: PublicPayDeps, submission: Submission): Promise<PayAnswer> {
  const { scope, invoiceId, account, startedMs } = submission;
  const attempted = await attempt(deps, {
    first: () => firstAttempt(deps, submission),
    quote: () => quote(deps, submission),
    other: () => payments.findLatestAttempt(deps.db, scope, invoiceId),
  });
  const sent = await send(deps, attempted, startedMs);
  return answer(deps.db, sent, account, invoiceId);
}

/** The attempt that decides this request already, if there is one. */
async function firstAttempt(
  deps: PublicPayDeps,
  { scope, invoiceId, asked, form }: Submission,
): Promise<AttemptRow | undefined> {
  return (
    (await attemptOfKey(deps, scope, asked)) ??
    stillDecides(deps, await payments.findLatestAttempt(deps.db, scope, invoiceId), asked, form)
  );
}

/**
 * The browser is back from a redirect, or a waiting page asks: what has become of the attempt? A link whose time is over,
 * or that was replaced while its payer was at the bank, still tells the status of a payment made through it.
 * @throws {AppError} for an unknown link, and for an attempt that was not made through it
 */
export async function confirmPublicly(deps: PublicPayDeps, body: ConfirmationRequest): Promise<PayAnswer> {
  const proof = await authorisePayLink(deps.db, body.uid ?? '', deps.clock.now());
  if (proof.is === 'unknown') throw new AppError('payLink.notFound');
  const grant = proof.is === 'valid' ? proof : proof.was;
  return forCustomer(grant.scope.customerId, async () => {
    const told = await confirmOn(deps, grant, body, proof.is);
    return proof.is === 'valid' ? told : statusOf(told);
  });
}

async function confirmOn(
  deps: PublicPayDeps,
  { scope, invoiceId }: PayLinkGrant,
  body: ConfirmationRequest,
  is: 'valid' | 'expired',
): Promise<PayAnswer> {
  const attempt = isId(body.reqUid)
    ? await payments.findAttemptOn(deps.db, scope, invoiceId, body.reqUid)
    : undefined;
  if (attempt === undefined || (is === 'expired' && !isMadeThrough(attempt, body.uid ?? '')))
    throw new AppError('payment.unknownAttempt');
  const account = await deps.accounts.activeFor(scope.resellerId);
  return answer(deps.db, await confirm(deps, attempt, body), account, invoiceId);
}

const isMadeThrough = ({ pay_link_hash: hash }: AttemptRow, token: string): boolean =>
  hash?.equals(sha256(token)) === true;

/** How a payment stands without what the invoice, or the card, has in it. */
const statusOf = ({
  amount: _amount,
  asked: _asked,
  stillDue: _due,
  keptAsCredit: _kept,
  method: _method,
  redirectToUrl: _to,
  ...status
}: PayAnswer): PayAnswer => status;

/** What the details tell of a link's attempt: what it has brought, and whether it is for this invoice alone. */
export async function aboutAttempt(
  { db }: Pick<PublicPayDeps, 'db'>,
  { scope, invoiceId }: Opened,
  attempt: AttemptRow | undefined,
): Promise<Pick<DetailsInput, 'attempt' | 'taken' | 'isAlone' | 'isTakenBack'>> {
  if (attempt?.state !== 'succeeded')
    return { attempt, taken: undefined, isAlone: false, isTakenBack: false };
  const taken = await payments.readTaken(db, attempt, invoiceId);
  const isAlone = await payments.paysNothingElse(db, scope, invoiceId, attempt.id);
  return { attempt, taken, isAlone, isTakenBack: await payments.isTakenBack(db, scope, attempt.id) };
}
