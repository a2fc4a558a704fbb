import { t } from '../../text/common.ts';
import type { SessionStore, StoredAuth } from '../session/session-store.ts';
import type { TabLock } from '../session/tab-lock.ts';
import { ApiError } from './api-error.ts';
import { TokenRefused } from './token.ts';

/** Thrown when the session is over: nobody is signed in any more, and the sign-in page is next. */
export class SignedOut extends ApiError {
  constructor(cause?: unknown) {
    super(401, 'session.ended', t('error.sessionEnded'), {}, cause);
  }
}

export interface RefresherParts {
  readonly session: SessionStore;
  readonly lock: TabLock;
  /** Trades a refresh token at `/token`. */
  readonly trade: (refreshToken: string) => Promise<StoredAuth>;
  /** After the stored session was cleared: go to the sign-in page. */
  readonly onSignedOut: () => void;
}

export interface Refresher {
  /** The refresh under way in this tab; calls that have not started yet wait for it. */
  readonly underWay: () => Promise<unknown> | null;
  /**
   * A token other than `spent`, by at most one call to `/token` however many ask, in however many tabs.
   * @throws {SignedOut} when the refresh is refused: the session is then cleared here
   * @throws {ApiError} when the server cannot be reached: the session is kept, the call may be tried again
   */
  readonly renew: (spent: string) => Promise<StoredAuth>;
  /** Clears the stored session and leaves. */
  readonly signOut: (cause?: unknown) => SignedOut;
}

/** One refresh for all calls of a tab, and one for all tabs (specification, portal §4 'Session'). */
export function createRefresher({ session, lock, trade, onSignedOut }: RefresherParts): Refresher {
  let current: Promise<StoredAuth> | null = null;

  const signOut = (cause?: unknown): SignedOut => {
    session.clear();
    onSignedOut();
    return new SignedOut(cause);
  };

  // The answer may have been lost on its way: the same refresh token may be shown again for a few seconds.
  const tradeTwice = (refreshToken: string): Promise<StoredAuth> =>
    trade(refreshToken).catch((error: unknown) => {
      if (error instanceof ApiError && error.isPassing) return trade(refreshToken);
      throw error;
    });

  const renewUnderLock = (spent: string): Promise<StoredAuth> =>
    lock('counterfoil.refresh', async () => {
      const stored = session.auth();
      if (stored === null) throw signOut();
      // Another tab, or a call of this one that came first, has already been answered.
      if (stored.access_token !== spent) return stored;
      try {
        const fresh = await tradeTwice(stored.refresh_token);
        session.saveAuth(fresh);
        return fresh;
      } catch (cause) {
        throw cause instanceof TokenRefused ? signOut(cause) : cause;
      }
    });

  return {
    underWay: () => current,
    renew: (spent) => {
      current ??= renewUnderLock(spent).finally(() => {
        current = null;
      });
      return current;
    },
    signOut,
  };
}
