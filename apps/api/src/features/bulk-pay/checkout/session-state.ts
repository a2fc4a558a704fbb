import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import { InvoiceStatus } from '@counterfoil/domain/paying/invoice.ts';
import { AppError } from '../../../app-error.ts';
import * as payments from '../../payments/queries.ts';
import { type Asked, type AttemptRow, attemptOfKey, stillDecides } from '../../payments/service.ts';
import * as queries from '../queries.ts';
import { type BulkPayDeps, linesShown, type Payer, priceAnew } from '../service.ts';

/**
 * The attempt that decides this request already, if there is one. Attempts of others on these invoices are ended
 * where they wait for a payer who has left.
 * @throws {AppError} `payment.underWay` where one of them is on its way; where one has paid after all,
 *   `payment.alreadyPaid`, or `payment.quoteChanged` when something is left to be paid
 */
export async function firstAttempt(
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

/** The attempt that was in the way: a faster one of this session, or another session's. */
export async function otherAttempt(
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
export class QuoteChanged extends Error {
  override readonly name = 'QuoteChanged';
}

/** Where the price has changed, the session gets the new one and the payer is asked to look at it. */
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
