import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { CustomerScope } from '../../http/requests/scope.ts';
import { findDeclines } from './queries.ts';

/**
 * Whoever tries out stolen cards needs a page that tells which of them work. A link takes this many declined cards an
 * hour, more than a person has, and no more.
 */
export const DECLINES_AN_HOUR = 8;
const HOUR_MS = 3_600_000;

/** When a link takes cards again after too many of them were declined; undefined where it takes them now. */
export async function pausedUntil(
  db: Db,
  scope: CustomerScope,
  invoiceId: string,
  now: Date,
): Promise<Date | undefined> {
  const declines = await findDeclines(db, scope, invoiceId, DECLINES_AN_HOUR);
  const first = declines[DECLINES_AN_HOUR - 1];
  const until = new Date((first?.at.getTime() ?? 0) + HOUR_MS);
  return until > now ? until : undefined;
}

/** @throws {AppError} payment.paused, with Retry-After */
export async function refusePaused(
  db: Db,
  scope: CustomerScope,
  invoiceId: string,
  now: Date,
): Promise<void> {
  const until = await pausedUntil(db, scope, invoiceId, now);
  if (until === undefined) return;
  const seconds = Math.ceil((until.getTime() - now.getTime()) / 1_000);
  throw new AppError('payment.paused', { headers: { 'retry-after': String(seconds) } });
}
