import type { BulkPayRequest } from '@counterfoil/contract/paying/bulk-pay.ts';
import type { PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { AppError } from '../../app-error.ts';
import type { RequestNumbers } from '../../http/numbers/request-numbers.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { sha256 } from '../../secrets.ts';
import { enteredNumbers, enteredOf, namesOf } from '../entries/service.ts';
import { findAttemptOfSession } from '../payments/queries.ts';
import {
  type Asked,
  type AttemptRow,
  acceptedAccount,
  answer,
  attempt,
  PaymentTerms,
  type Pricing,
  send,
} from '../payments/service.ts';
import { quoteByCredit, quoteCharge } from './checkout/session-quote.ts';
import { firstAttempt, otherAttempt, toldOfChange } from './checkout/session-state.ts';
import { type BulkForm, checkBulkForm } from './form.ts';
import { methodOf, sourceOf } from './method.ts';
import { settledAnswer } from './present.ts';
import * as queries from './queries.ts';
import { type BulkPayDeps, openSession, type Payer } from './service.ts';

/** A request to pay a session, as it was sent. */
interface Submission {
  readonly session: queries.SessionRow;
  readonly form: BulkForm;
  readonly asked: Asked;
  /** The session's last attempt when the request came. */
  readonly seen: AttemptRow | undefined;
  /** Refuses a token that cannot pay. @throws {AppError} */
  readonly check: () => void;
}

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
  origin: Origin,
  numbers: RequestNumbers,
): Promise<PayAnswer> {
  const startedMs = performance.now();
  const submission = await parse(deps, payer, body, idempotencyKey, numbers);
  if ('settled' in submission) return submission.settled;
  const { session, asked, seen, check } = submission;
  const attempted = await toldOfChange(deps, payer, session, () =>
    attempt(deps, {
      first: () => firstAttempt(deps, payer, session, asked, seen, check),
      quote: () => quote(deps, payer, submission, origin),
      other: () => otherAttempt(deps, payer, session, asked, seen),
    }),
  );
  if (attempted.is === 'settled') return attempted.as;
  const sent = await send(deps, attempted, startedMs);
  return answer(deps.db, sent, payer.account);
}

/**
 * Reads a request to pay a session.
 * @returns `settled` for a session that credit has paid
 * @throws {AppError} for another provider's form, what the form lacks, and no such session
 */
async function parse(
  deps: BulkPayDeps,
  { scope, brand, account }: Payer,
  body: BulkPayRequest,
  idempotencyKey: string | null,
  numbers: RequestNumbers,
): Promise<Submission | { readonly settled: PayAnswer }> {
  const session = await openSession(deps, scope, body.uid);
  if (body.type !== undefined && body.type !== account?.module.manifest.code)
    throw new AppError('paymentMethod.otherProvider');
  const terms = new PaymentTerms(brand, account);
  terms.refuseNumbersAsTokens({ cardToken: body.cardToken });
  const typed = enteredOf(body.cardToken, body);
  const isBesideOther = body.cardId !== undefined || typed.token !== '' || typed.fields !== undefined;
  const entered = {
    ...typed,
    numbers: enteredNumbers({ numbers, secrets: deps.secrets }, terms, 'card', body, {
      isBesideOther,
      fields: typed.fields,
    }),
  };
  const form = checkBulkForm(body, entered, brand);
  const settled = settledAnswer(session);
  if (settled !== undefined) return { settled };
  const asked = {
    digest: sha256(JSON.stringify([session.id, body.cardId ?? '', ...namesOf(entered)])),
    clientKey: idempotencyKey === null ? null : `bulk:${session.id}:${idempotencyKey}`,
  };
  const { chosen } = form;
  const check = () => {
    if (chosen.by !== 'token') return;
    const source = sourceOf(chosen.entered);
    terms.refuse({ kind: 'card', source, currency: session.currency });
  };
  return { session, form, asked, seen: await findAttemptOfSession(deps.db, scope, session.id), check };
}

/**
 * What is owed of a session and the fee of the method, or what credit pays alone.
 * @throws {AppError} gateway.misconfigured, and for a method that cannot pay
 */
async function quote(
  deps: BulkPayDeps,
  payer: Payer,
  { session, form, asked, seen }: Submission,
  origin: Origin,
): Promise<Pricing<PayAnswer>> {
  const { scope, brand } = payer;
  const receiptTo = async () =>
    brand.settings.emailReceipt
      ? (form.email ?? (await queries.findEmail(deps.db, scope)).email)
      : form.email;
  if (session.total_minor === 0n) return quoteByCredit(deps, payer, session, await receiptTo());
  const account = await acceptedAccount(deps, payer);
  const method = await methodOf(deps, payer, account, form.chosen, session.currency);
  const { pay } = method;
  const receiptEmail = await receiptTo();
  const client = { ip: origin.address, userAgent: origin.agent };
  return quoteCharge(deps, payer, { session, asked, seen, account, method, pay, receiptEmail, client });
}
