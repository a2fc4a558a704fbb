import { recordAudit } from '../../audit/record.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { networkOf } from '../../http/requests/address.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { countsByAddress } from '../../limits/by-address.ts';
import { type Count, type Limiter, tooMany } from '../../limits/limiter.ts';
import { passwordLimits, refusalNotes } from '../../limits/limits.ts';
import type { Secrets } from '../../secrets.ts';
import type { SigningIn } from './queries.ts';

/** A sign-in by password that was let through to the check of the password. */
export interface PasswordTry {
  /** The password was right, or was not looked at: the try does not count. */
  release(): Promise<void>;
  /**
   * The password was wrong: the try is spent, and a line of the audit trail says so.
   * @param reason where it was right and opens nothing any more
   */
  noteRefusal(reason?: 'expiredPassword'): Promise<void>;
}

export interface PasswordTriesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly limiter: Limiter;
}

/** A try to sign in. @param user undefined when nobody has the user name: all the same happens */
export interface SignInTry {
  readonly username: string;
  readonly user: SigningIn | undefined;
  readonly origin: Origin;
}

/**
 * Takes a try before the password is looked at, so that tries at the same time cannot pass together. Where the user
 * has been before, the account has tries of its own that nobody elsewhere can use up.
 * @throws {AppError} rate.limited
 */
export async function takePasswordTry(deps: PasswordTriesDeps, signIn: SignInTry): Promise<PasswordTry> {
  const counts = countsOf(signIn);
  const taken = await deps.limiter.take(counts);
  if (!taken.ok) {
    // An attack that goes on after it was stopped leaves one line a quarter of an hour, not one a try.
    const notes = taken.full.map(
      ({ limit, of }): Count => ({ limit: refusalNotes, of: [limit.name, ...of] }),
    );
    if ((await deps.limiter.take(notes)).ok) await record(deps, signIn, 'tooManyTries');
    throw tooMany(taken.retryAfterMs);
  }
  return {
    release: () => deps.limiter.release(counts),
    noteRefusal: (reason) =>
      record(deps, signIn, reason ?? (signIn.user === undefined ? 'unknownUser' : 'wrongPassword')),
  };
}

function countsOf({ username, user, origin }: SignInTry): Count[] {
  const account = username.toLowerCase();
  const network = networkOf(origin.address);
  return [
    ...countsByAddress(passwordLimits.address, origin.address),
    user?.from_own_place === true
      ? { limit: passwordLimits.ownPlace, of: [account, network] }
      : { limit: passwordLimits.account, of: [account] },
  ];
}

/**
 * A name that nobody has may be a password in the wrong field, whatever it looks like: it is not written down. By its
 * keyed digest tries of the same name are known to be that.
 */
async function record(
  { db, clock, secrets }: PasswordTriesDeps,
  { username, user, origin }: SignInTry,
  reason: 'wrongPassword' | 'expiredPassword' | 'unknownUser' | 'tooManyTries',
): Promise<void> {
  const typed = () => secrets.digest(username.toLowerCase(), 'user-name').toString('base64url');
  await db.transaction((tx) =>
    recordAudit(tx, {
      action: 'signIn.refused',
      at: clock.now(),
      resellerId: user?.reseller_id,
      userId: user?.id,
      userEmail: user?.email,
      address: origin.address,
      requestId: origin.requestId,
      detail: { method: 'password', reason, ...(user === undefined && { nameDigest: typed() }) },
    }),
  );
}
