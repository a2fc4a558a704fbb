import {
  ACCESS_TOKEN_SECONDS,
  type AccessClaims,
  REFRESH_RETRY_SECONDS,
  type TokenAnswer,
  type TokenError,
} from '@counterfoil/contract/people/auth.ts';
import { newId, newToken } from '@counterfoil/domain/text/ids.ts';
import { recordAudit } from '../../audit/record.ts';
import type { SessionEnds } from '../../config.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { type Secrets, sha256 } from '../../secrets.ts';
import { enqueueNewSignInMail } from './mail-queue.ts';
import { mayEnter } from './may-enter.ts';
import { isNewSignIn } from './new-sign-in.ts';
import * as queries from './queries.ts';
import type { SignInMethod } from './sign-in-method.ts';
import { issueAccessToken } from './tokens/access-token.ts';

export interface AuthDeps {
  readonly db: Database;
  readonly secrets: Secrets;
  readonly clock: Clock;
  /** DEMO=1: users of a demo world may sign in. */
  readonly isDemo: boolean;
  readonly sessionEnds: SessionEnds;
}

export type { Origin } from '../../http/requests/origin.ts';

/** What a grant of `POST /token` ends with. A refusal is status 400 unless it says otherwise. */
export type TokenResult =
  | { readonly ok: true; readonly answer: TokenAnswer }
  | {
      readonly ok: false;
      readonly error: TokenError;
      readonly status?: 400 | 429;
      readonly headers?: Readonly<Record<string, string>>;
    };

const REFRESH_TOKEN_BYTES = 32;
const DAY_MS = 24 * 3_600_000;

/** A refusal in the words of RFC 6749 5.2. @param description may be shown to a person */
export const refused = (error: string, description: string): TokenResult => ({
  ok: false,
  error: { error, error_description: description },
});
const SESSION_ENDED = refused('invalid_grant', 'Your session has ended. Please sign in again');

export interface NewSignIn {
  readonly user: queries.UserRow;
  readonly method: SignInMethod;
  readonly origin: Origin;
  /** Support staff who act in the user's name. */
  readonly actor?: string;
  /** The operator this is: their own way in ends it too. */
  readonly operatorId?: string | null;
  /** Whatever would change something is refused in it. */
  readonly lookOnly?: boolean;
  /** The session ends then, however often it is renewed; else after `SESSION_MAX_DAYS`. */
  readonly endsAt?: Date;
  /** The passkey that was shown. */
  readonly passkeyId?: string;
  /** What the audit trail says beside the method. */
  readonly detail?: Readonly<Record<string, string>>;
  /** The hash of the password that was checked: it must still be the user's. */
  readonly passwordHash?: string | null;
  /** No factor was asked for because there was none: that must still be so. */
  readonly withoutFactor?: boolean;
  /** Runs in the transaction that makes the session; false refuses it. */
  readonly stands?: (tx: Tx) => Promise<boolean>;
}

/**
 * Makes a session for somebody who has been proven to be this user.
 * @returns undefined when the proof no longer holds, and for a user of a demo world outside a demo
 */
export async function openSession(deps: AuthDeps, signIn: NewSignIn): Promise<TokenAnswer | undefined> {
  const { user, method, origin, stands, actor = null } = signIn;
  if (!mayEnter(deps, user)) return undefined;
  const now = deps.clock.now();
  const refreshToken = newToken(REFRESH_TOKEN_BYTES);
  const session = newSession(deps, signIn, refreshToken, now);
  const { address, agent } = origin;
  const event = { userId: user.id, at: now.toISOString(), address, agent, method };
  // Support in the user's name is told in the audit trail and among the sessions.
  const isNew = actor === null && (await isNewSignIn(deps.db, event));
  // Almost every sign-in is neither new nor bound to anything else: then it is one statement.
  const made =
    isNew || stands !== undefined
      ? await deps.db.transaction(async (tx) => {
          if (stands !== undefined && !(await stands(tx))) return undefined;
          const inserted = await queries.insertSession(tx, session);
          if (inserted !== undefined && isNew) await enqueueNewSignInMail(tx, event);
          return inserted;
        })
      : await queries.insertSession(deps.db, session);
  if (made === undefined) return undefined;
  return tokenAnswer(deps, { user, sessionId: session.id, refreshToken, actor, brandId: made.brand_id });
}

function newSession(
  { sessionEnds }: AuthDeps,
  signIn: NewSignIn,
  refreshToken: string,
  now: Date,
): queries.NewSession {
  const { user, method, origin, actor = null, endsAt = null, passwordHash = null } = signIn;
  const { withoutFactor = false, passkeyId = null, lookOnly = false, operatorId = null } = signIn;
  const id = newId(now.getTime());
  const expiresAt = refreshExpiry(sessionEnds, now, now, endsAt);
  const { address, requestId } = origin;
  return {
    id,
    user,
    now,
    expiresAt,
    origin,
    method,
    actor,
    endsAt,
    lookOnly,
    operatorId,
    passkeyId,
    passwordHash,
    withoutFactor,
    refreshHash: sha256(refreshToken),
    audit: {
      action: 'signIn.succeeded',
      at: now,
      resellerId: user.reseller_id,
      userId: user.id,
      userEmail: user.email,
      actor,
      sessionId: id,
      address,
      requestId,
      detail: { method, ...signIn.detail },
    },
  };
}

/**
 * Refresh grant: every use gives a new token. Using a spent one again within ten seconds gives the same new one
 * (the answer was lost); later it means two hands hold the token, and the whole session ends.
 */
export async function refresh(deps: AuthDeps, token: string, origin: Origin): Promise<TokenResult> {
  const now = deps.clock.now();
  const rotated = await deps.db.transaction((tx) => rotate(tx, deps, token, now, origin));
  if (rotated === undefined) return SESSION_ENDED;
  const user = await queries.findUser(deps.db, rotated.userId);
  if (user === undefined || !mayEnter(deps, user)) return SESSION_ENDED;
  const { sessionId, token: refreshToken, actor } = rotated;
  const { brand_id: brandId } = await queries.firstBrand(deps.db, user.id, user.reseller_id);
  return { ok: true, answer: await tokenAnswer(deps, { user, sessionId, refreshToken, actor, brandId }) };
}

interface Rotated {
  readonly sessionId: string;
  readonly userId: string;
  readonly actor: string | null;
  readonly token: string;
}

async function rotate(
  tx: Tx,
  { secrets, sessionEnds }: Pick<AuthDeps, 'secrets' | 'sessionEnds'>,
  token: string,
  now: Date,
  origin: Origin,
): Promise<Rotated | undefined> {
  const hash = sha256(token);
  const row = await queries.lockRefreshToken(tx, hash);
  if (row === undefined || row.ended_at !== null) return undefined;
  const found = { sessionId: row.session_id, userId: row.user_id, actor: row.actor };
  if (row.spent_at !== null) {
    const sinceMs = now.getTime() - row.spent_at.getTime();
    if (sinceMs <= REFRESH_RETRY_SECONDS * 1000 && row.successor_sealed !== null) {
      return { ...found, token: secrets.open(row.successor_sealed, row.session_id) };
    }
    await endAndRecord(tx, row.session_id, 'reuse', now, origin);
    return undefined;
  }
  // The days may have been more when the token was made.
  const latest = refreshExpiry(sessionEnds, row.issued_at, row.created_at, row.ends_at);
  if (row.expires_at <= now || latest <= now) {
    await queries.endSession(tx, row.session_id, 'expired', now);
    return undefined;
  }
  const expiresAt = refreshExpiry(sessionEnds, now, row.created_at, row.ends_at);
  const successor = await insertFreshToken(tx, row.session_id, now, expiresAt);
  await queries.spendRefreshToken(tx, hash, secrets.seal(successor, row.session_id), now);
  await queries.forgetOldSuccessors(
    tx,
    row.session_id,
    new Date(now.getTime() - REFRESH_RETRY_SECONDS * 1000),
  );
  await queries.touchSession(tx, row.session_id, now, expiresAt);
  return { ...found, token: successor };
}

/** Ends the session at once: its access token is refused from the next request on. */
export async function signOut(deps: AuthDeps, sessionId: string, origin: Origin): Promise<void> {
  await deps.db.transaction((tx) => endAndRecord(tx, sessionId, 'logout', deps.clock.now(), origin));
}

/** Ends the session a refresh token belongs to, for a browser whose access token is already gone. */
export async function signOutByRefreshToken(deps: AuthDeps, token: string, origin: Origin): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const row = await queries.lockRefreshToken(tx, sha256(token));
    if (row !== undefined) await endAndRecord(tx, row.session_id, 'logout', deps.clock.now(), origin);
  });
}

/** Ends a session that lives, and says so in the audit trail. */
async function endAndRecord(
  tx: Tx,
  sessionId: string,
  reason: 'logout' | 'reuse',
  now: Date,
  { address, requestId }: Origin,
): Promise<void> {
  if ((await queries.endSession(tx, sessionId, reason, now)) === 0) return;
  const who = await queries.personOfSession(tx, sessionId);
  await recordAudit(tx, {
    action: reason === 'reuse' ? 'session.reuse' : 'signOut',
    at: now,
    sessionId,
    address,
    requestId,
    resellerId: who.reseller_id,
    userId: who.user_id,
    userEmail: who.email,
    actor: who.actor,
  });
}

async function insertFreshToken(tx: Tx, sessionId: string, now: Date, expiresAt: Date): Promise<string> {
  const token = newToken(REFRESH_TOKEN_BYTES);
  await queries.insertRefreshToken(tx, sha256(token), sessionId, now, expiresAt);
  return token;
}

/**
 * When a refresh token ends that is issued at a time.
 * @param endsAt when the session ends whatever happens, where that is not `maxDays` after its sign-in
 */
const refreshExpiry = (ends: SessionEnds, issuedAt: Date, signedInAt: Date, endsAt: Date | null): Date => {
  const idle = issuedAt.getTime() + ends.idleDays * DAY_MS;
  const end = endsAt?.getTime() ?? signedInAt.getTime() + ends.maxDays * DAY_MS;
  return new Date(Math.min(idle, end));
};

interface Answering {
  readonly user: queries.UserRow;
  readonly sessionId: string;
  readonly refreshToken: string;
  readonly actor: string | null;
  readonly brandId: number;
}

async function tokenAnswer(deps: AuthDeps, answering: Answering): Promise<TokenAnswer> {
  const { user, sessionId, refreshToken, actor, brandId } = answering;
  const claims: Omit<AccessClaims, 'exp'> = {
    sub: user.id,
    sid: sessionId,
    BrandId: brandId,
    resellername: user.reseller_name,
    DisplayName: user.display_name,
    ...(actor === null ? {} : { act: { sub: actor } }),
  };
  return {
    access_token: await issueAccessToken(claims, deps.secrets, deps.clock),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
  };
}
