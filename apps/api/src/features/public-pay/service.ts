import type {
  ConfirmationRequest,
  PayAnswer,
  PaymentInfo,
  PayRequest,
} from '@counterfoil/contract/public-pay.ts';
import { isId } from '@counterfoil/domain/ids.ts';
import { InvoiceStatus } from '@counterfoil/domain/invoice.ts';
import type { PayOnce } from '@counterfoil/gateways/port/gateway.ts';
import { AppError } from '../../app-error.ts';
import type { Tx } from '../../db/database.ts';
import type { Origin } from '../../http/origin.ts';
import type { CustomerScope } from '../../http/scope.ts';
import { sha256 } from '../../secrets.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { type Brand, brandFromRow, brandUrl } from '../brand/service.ts';
import { authorisePayLink } from '../pay-links/service.ts';
import type { GatewayAccount } from '../payments/accounts.ts';
import { answerOf } from '../payments/answer.ts';
import type { AttemptRow } from '../payments/attempts/attempt-row.ts';
import { AttemptInTheWay, type NewCharge, writeAttempt } from '../payments/attempts/charge.ts';
import type { EngineDeps } from '../payments/attempts/engine.ts';
import { refuseMisconfigured } from '../payments/attempts/not-attempted.ts';
import {
  type Asked,
  attemptOfKey,
  confirmed,
  isPayable,
  payOnce,
  refreshed,
  stillDecides,
} from '../payments/paying.ts';
import * as payments from '../payments/queries.ts';
import { refuseUnchargeable, refuseWay } from '../payments/refuse-unchargeable.ts';
import { readTaken } from '../payments/taken.ts';
import { priceAsked } from './asked-price.ts';
import { type DetailsInput, presentDetails } from './details.ts';
import { checkPayForm, methodOf } from './form.ts';
import { agreeOnce, debitOnce, presentOnce, refuseWithoutAgreement } from './one-debit.ts';
import { pausedUntil, refusePaused } from './pause.ts';
import * as queries from './queries.ts';

export interface PublicPayDeps extends EngineDeps {
  readonly publicUrl: URL;
}

export interface Opened {
  readonly scope: CustomerScope;
  readonly invoiceId: string;
  readonly brand: Brand;
  readonly account: GatewayAccount | undefined;
}

/** Payment info of a link; an open attempt whose time has come is looked into on the way. */
export async function paymentDetails(deps: PublicPayDeps, token: string): Promise<PaymentInfo> {
  const opened = await openLink(deps, token);
  const { scope, invoiceId, brand, account } = opened;
  const apiStatus = await isPayable(deps, opened);
  const latest = await payments.findLatestAttempt(deps.db, scope, invoiceId);
  const attempt = latest === undefined ? undefined : await refreshed(deps, latest);
  const row = await queries.findPayable(deps.db, scope, invoiceId);
  if (row === undefined) throw new AppError('payLink.notFound');
  const seen = await aboutAttempt(deps, opened, attempt);
  const paused = attempt && (await pausedUntil(deps.db, scope, invoiceId, deps.clock.now()));
  const bank = presentOnce(row, brand, account);
  return presentDetails({ uid: token, row, brand, account, apiStatus, ...seen, paused, bank });
}

/**
 * Pays an invoice through its link. The same request again answers the attempt there is; another one first ends
 * an abandoned 3-D Secure at the gateway. Prices are ours; the amount sent is only compared.
 * @param origin from where the holder of an account agrees to its debit
 */
export async function payPublicly(
  deps: PublicPayDeps,
  body: PayRequest,
  idempotencyKey: string | null,
  origin: Origin,
): Promise<PayAnswer> {
  const begunMs = performance.now();
  const opened = await openLink(deps, body.uid);
  const { scope, invoiceId, brand, account } = opened;
  const method = methodOf(body);
  const { kind, source } = method;
  const named = kind === 'card' ? [body.cardToken ?? ''] : [source.token, source.scheme];
  const digest = sha256(JSON.stringify([body.uid, body.invoiceAmount, body.invoiceNumber, ...named]));
  const clientKey = idempotencyKey === null ? null : `public:${invoiceId}:${idempotencyKey}`;
  const checked = () => {
    const form = checkPayForm(body, method, brand.settings);
    refuseWay(account, method);
    return form;
  };
  const before = await attemptBefore(deps, opened, { digest, clientKey }, checked);
  if (before !== undefined) return answerOf(deps.db, before, account, invoiceId);
  if (account === undefined) throw new AppError('gateway.misconfigured');
  const form = checked();
  if (!(await isPayable(deps, opened))) throw new AppError('gateway.misconfigured');
  const now = () => deps.clock.now();
  let pay: PayOnce = { token: source.token };
  const attempt = await payOnce(deps, {
    account,
    pay: () => pay,
    begunMs,
    write: async (tx) => {
      const row = await queries.lockPayable(tx, scope, invoiceId);
      refuseUnpayable(row, brand);
      await refusePaused(tx, scope, invoiceId, now());
      await refuseTwice(tx, opened, digest);
      const debit = kind === 'bank' ? debitOnce(brand, account, row.currency) : undefined;
      if (kind === 'bank') refuseWithoutAgreement(body, debit, source.scheme);
      const price = priceAsked(body, kind, row, brand, account);
      refuseUnchargeable(account, method, price, brand, brand.settings.partPayment);
      const who = { scope, origin, holder: form.holder, brand, number: row.number, price };
      const agreed = debit && (await agreeOnce(tx, { ...who, debit }, now()));
      if (agreed) pay = { token: source.token, debit: agreed.debit };
      const charge: NewCharge = {
        origin: 'public',
        lines: [{ invoiceId, amount: price.due }],
        fee: price.fee,
        amount: price.total,
        kind,
        source,
        ...(agreed && { consentId: agreed.id }),
        initiator: 'customer',
        labels: { invoice: row.number, description: `${brand.companyName} ${row.number}` },
        returnTo: (attemptId) => brandUrl(brand, deps.publicUrl, `/pay/${body.uid}?attempt=${attemptId}`),
        payLinkHash: sha256(body.uid),
        receiptEmail: brand.settings.emailReceipt ? (form.email ?? row.customer_email) : form.email,
        requestDigest: digest,
        clientKey,
      };
      return writeAttempt(tx, scope, account, charge, { secrets: deps.secrets, now: now() });
    },
    other: () => payments.findLatestAttempt(deps.db, scope, invoiceId),
  });
  refuseMisconfigured(attempt);
  return answerOf(deps.db, attempt, account, invoiceId);
}

/**
 * The browser is back from a redirect, or a waiting page asks: what has become of the attempt? A link whose time is over,
 * or that was replaced while its payer was at the bank, still tells the status of what was begun through it.
 * @throws {AppError} when nobody has such a link, or the attempt is none of its
 */
export async function confirmPublicly(deps: PublicPayDeps, body: ConfirmationRequest): Promise<PayAnswer> {
  const token = body.uid ?? '';
  const proof = await authorisePayLink(deps.db, token, deps.clock.now());
  if (proof.is === 'unknown') throw new AppError('payLink.notFound');
  const { scope, invoiceId } = proof.is === 'valid' ? proof : proof.was;
  const attempt = isId(body.reqUid)
    ? await payments.findAttemptOn(deps.db, scope, invoiceId, body.reqUid)
    : undefined;
  if (attempt === undefined || (proof.is === 'expired' && !isMadeThrough(attempt, token)))
    throw new AppError('payment.unknownAttempt');
  const account = await deps.accounts.activeFor(scope.resellerId);
  const answer = await answerOf(deps.db, await confirmed(deps, attempt, body), account, invoiceId);
  return proof.is === 'valid' ? answer : statusOf(answer);
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
  const taken = await readTaken(db, attempt, invoiceId);
  const isAlone = await payments.paysNothingElse(db, scope, invoiceId, attempt.id);
  return { attempt, taken, isAlone, isTakenBack: await payments.isTakenBack(db, scope, attempt.id) };
}

/** @throws {AppError} when nobody has such a link, or its time is over */
export async function openLink(deps: PublicPayDeps, token: string): Promise<Opened> {
  const proof = await authorisePayLink(deps.db, token, deps.clock.now());
  if (proof.is === 'unknown') throw new AppError('payLink.notFound');
  if (proof.is === 'expired') throw new AppError('payLink.expired');
  const { scope, invoiceId } = proof;
  const brand = brandFromRow(await findCustomerBrand(deps.db, scope.customerId, scope.resellerId));
  return { scope, invoiceId, brand, account: await deps.accounts.activeFor(scope.resellerId) };
}

/** The attempt that decides this request already, if there is one. */
async function attemptBefore(
  deps: PublicPayDeps,
  { scope, invoiceId }: Opened,
  asked: Asked,
  check: () => void,
): Promise<AttemptRow | undefined> {
  return (
    (await attemptOfKey(deps, scope, asked)) ??
    stillDecides(deps, await payments.findLatestAttempt(deps.db, scope, invoiceId), asked, check)
  );
}

function refuseUnpayable(row: queries.PayableRow, brand: Brand): void {
  if (row.status === InvoiceStatus.CREDITED) throw new AppError('payment.credited');
  if (row.status === InvoiceStatus.PAID) throw new AppError('payment.alreadyPaid');
  const isOffered =
    brand.settings.paymentsEnabled && row.kind === 'invoice' && row.status === InvoiceStatus.OPEN;
  if (!isOffered) throw new AppError('payment.notPayable');
  if (row.due_minor <= 0n) throw new AppError('payment.alreadyPaid');
}

/**
 * A part that is paid leaves the invoice open, also where all was asked for and less was taken: nothing else keeps the
 * same call, sent again without its key, from paying the next part with the same card, or from being refused by a price
 * that it has changed itself.
 * @throws {AttemptInTheWay} the caller answers the payment that was made
 */
async function refuseTwice(tx: Tx, { scope, invoiceId, brand }: Opened, digest: Buffer): Promise<void> {
  const last = await payments.findLatestAttempt(tx, scope, invoiceId);
  if (last?.state !== 'succeeded' || !last.request_digest.equals(digest)) return;
  const taken = await readTaken(tx, last);
  const isPart = brand.settings.partPayment || (taken !== undefined && taken.minor < last.amount_minor);
  if (isPart) throw new AttemptInTheWay('this very payment was made');
}
