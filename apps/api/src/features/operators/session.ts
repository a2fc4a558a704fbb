import {
  OPERATOR_IDLE_SECONDS,
  OPERATOR_SESSION_SECONDS,
  type OperatorSession,
  roleScopes,
} from '@counterfoil/contract/operator/access/operators.ts';
import { newId, newToken } from '@counterfoil/domain/text/ids.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditAction, recordAudit } from '../../audit/record.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import { networkOf } from '../../http/requests/address.ts';
import type { Origin } from '../../http/requests/origin.ts';
import type { OperatorScope } from '../../http/requests/scope.ts';
import type { Limiter } from '../../limits/limiter.ts';
import { type Secrets, sha256 } from '../../secrets.ts';
import * as queries from './queries.ts';

export interface OperatorDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly secrets: Secrets;
  readonly limiter: Limiter;
  readonly publicUrl: URL;
  /** Whether there is a mail server: else links are shown to who asks for them. */
  readonly sendsMail: boolean;
  /** DEMO=1: operators of a demo world's resellers may sign in. */
  readonly isDemo: boolean;
}

export interface SignedIn {
  readonly operator: queries.OperatorRow;
  /** What the cookie holds. */
  readonly token: string;
}

/** Binds the sealed secret of an authenticator app to its operator. */
export const secretContext = (operatorId: string): string => `operator:${operatorId}`;

const TOKEN_BYTES = 32;
const tokenForm = /^[\w-]{43}$/;
/** How exactly the time of last use is kept: not every call writes. */
const TOUCH_MS = 60_000;

/** The prefix keeps other hosts of the domain from setting it; browsers take it under https only. */
const cookieName = (publicUrl: URL): string =>
  publicUrl.protocol === 'https:' ? '__Host-operator' : 'operator';

const cookieOptions = (publicUrl: URL) =>
  ({
    path: '/',
    httpOnly: true,
    // Links from elsewhere open the console signed out of what they ask for, and no other site's page sends it.
    sameSite: 'strict',
    secure: publicUrl.protocol === 'https:',
  }) as const;

export const setCookie = (reply: FastifyReply, publicUrl: URL, token: string): FastifyReply =>
  reply.setCookie(cookieName(publicUrl), token, {
    ...cookieOptions(publicUrl),
    maxAge: OPERATOR_SESSION_SECONDS,
  });

export const clearCookie = (reply: FastifyReply, publicUrl: URL): FastifyReply =>
  reply.clearCookie(cookieName(publicUrl), cookieOptions(publicUrl));

/** As the audit trail names an operator who acts. */
export const actorOf = ({ email }: { readonly email: string }): string => `operator:${email}`;

/** Whether this process lets an operator in at all: those of a demo world in a demo only. */
export const mayEnter = (
  { isDemo }: Pick<OperatorDeps, 'isDemo'>,
  operator: Pick<queries.OperatorRow, 'is_demo'>,
): boolean => isDemo || !operator.is_demo;

/** How an operator was proven; the passkey's removal ends the session. */
export interface Way {
  readonly method: queries.SignInMethod;
  readonly passkeyId?: string | null;
}

/** Makes a session of an operator who has been proven. @returns what the cookie holds; only its hash is kept */
export async function openSession(
  tx: Tx,
  operator: queries.OperatorRow,
  origin: Origin,
  now: Date,
  { method, passkeyId = null }: Way = { method: 'password' },
): Promise<string> {
  const token = newToken(TOKEN_BYTES);
  const id = newId(now.getTime());
  await queries.insertSession(tx, {
    id,
    hash: sha256(token),
    operatorId: operator.id,
    now,
    expiresAt: expiryOf(now, now),
    address: origin.address,
    network: networkOf(origin.address),
    agent: origin.agent,
    method,
    passkeyId,
  });
  const detail = passkeyId === null ? { method } : { method, passkey: passkeyId };
  await recordOwn(tx, { ...operator, session_id: id }, 'operator.signedIn', origin, now, detail);
  return token;
}

const expiryOf = (signedInAt: Date, usedAt: Date): Date =>
  new Date(
    Math.min(
      signedInAt.getTime() + OPERATOR_SESSION_SECONDS * 1000,
      usedAt.getTime() + OPERATOR_IDLE_SECONDS * 1000,
    ),
  );

/** The living session of a request's cookie; undefined where there is none. */
export async function sessionOfCookie(
  deps: Pick<OperatorDeps, 'db' | 'clock' | 'publicUrl' | 'isDemo'>,
  request: FastifyRequest,
): Promise<queries.SessionRow | undefined> {
  const token = request.cookies[cookieName(deps.publicUrl)];
  if (token === undefined || !tokenForm.test(token)) return undefined;
  const now = deps.clock.now();
  const found = await queries.findSession(deps.db, sha256(token), now);
  if (found === undefined || !mayEnter(deps, found)) return undefined;
  if (now.getTime() - found.last_used_at.getTime() > TOUCH_MS)
    await deps.db.transaction((tx) =>
      queries.touchSession(tx, found.session_id, now, expiryOf(found.signed_in_at, now)),
    );
  return found;
}

/** What the console is told of who is signed in. */
export async function presentOperator(
  { db, isDemo }: Pick<OperatorDeps, 'db' | 'isDemo'>,
  operator: Pick<queries.OperatorRow, 'email' | 'display_name' | 'role' | 'reseller_id'>,
): Promise<OperatorSession> {
  const { email, display_name: displayName, role, reseller_id: resellerId } = operator;
  const resellers = await queries.resellersOf(db, resellerId, isDemo);
  return { email, displayName, role, scopes: [...roleScopes[role]], resellerId, resellers };
}

/** Signs an operator out here. */
export async function signOut(deps: OperatorDeps, scope: OperatorScope, origin: Origin): Promise<void> {
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    if ((await queries.endSession(tx, scope.operatorId, scope.sessionId, 'logout', now)) === 0) return;
    await recordOwn(tx, rowOf(scope), 'operator.signedOut', origin, now);
  });
}

/** Ends another session of the same operator. @returns false where there is none */
export async function endSessionOf(
  deps: OperatorDeps,
  scope: OperatorScope,
  id: string,
  origin: Origin,
): Promise<boolean> {
  const now = deps.clock.now();
  return deps.db.transaction(async (tx) => {
    if ((await queries.endSession(tx, scope.operatorId, id, 'elsewhere', now)) === 0) return false;
    await recordOwn(tx, rowOf(scope), 'operator.sessionsEnded', origin, now, { session: id });
    return true;
  });
}

/** An operator's session, as the audit trail is told of it. */
export const rowOf = (scope: OperatorScope) => ({
  email: scope.email,
  reseller_id: scope.resellerId,
  session_id: scope.sessionId,
});

/** A line of the audit trail about what an operator did with their own sign-in. */
export const recordOwn = (
  tx: Tx,
  operator: Pick<queries.OperatorRow, 'email' | 'reseller_id'> & { readonly session_id?: string },
  action: Extract<AuditAction, `operator.${string}`>,
  { address, requestId }: Origin,
  at: Date,
  detail: Readonly<Record<string, string>> = {},
): Promise<void> =>
  recordAudit(tx, {
    action,
    at,
    resellerId: operator.reseller_id ?? undefined,
    userEmail: operator.email,
    actor: actorOf(operator),
    sessionId: operator.session_id,
    address,
    requestId,
    detail,
  });

/** A sign-in that was refused. A name that no operator has may be a password in the wrong field: it is known again by its keyed digest alone. */
export const recordRefusal = (
  { db, clock, secrets }: Pick<OperatorDeps, 'db' | 'clock' | 'secrets'>,
  operator: queries.OperatorRow | undefined,
  email: string,
  { address, requestId }: Origin,
  reason: string,
): Promise<void> =>
  db.transaction((tx) =>
    recordAudit(tx, {
      action: 'operator.signInRefused',
      at: clock.now(),
      resellerId: operator?.reseller_id ?? undefined,
      userEmail: operator?.email,
      address,
      requestId,
      detail: {
        reason,
        ...(operator === undefined && {
          nameDigest: secrets.digest(email, 'user-name').toString('base64url'),
        }),
      },
    }),
  );
