import type { ErrorCode } from '@counterfoil/contract/errors.ts';
import type { TokenAnswer } from '@counterfoil/contract/people/auth.ts';
import { LOGIN_CODE_SECONDS, SUPPORT_SESSION_SECONDS } from '@counterfoil/contract/people/login-as.ts';
import { newToken } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Tx } from '../../db/database.ts';
import type { Origin } from '../../http/requests/origin.ts';
import { sha256 } from '../../secrets.ts';
import { findUser, lockUser, type UserRow } from '../auth/queries.ts';
import { type AuthDeps, openSession } from '../auth/service.ts';
import * as queries from './queries.ts';

export { endSessionsOfOperator } from './queries.ts';

const CODE_BYTES = 32;

export interface WantedLoginCode {
  readonly userId: string;
  /** The customer to be seen first; undefined: the user's first. */
  readonly customerId: string | undefined;
  /** Who will act in the user's name, in words. */
  readonly actor: string;
  readonly reason: string;
  /** Whatever would change something is refused. */
  readonly lookOnly?: boolean;
  /** How long the session lasts, at most as long as where nothing is said. */
  readonly seconds?: number;
  /** The operator who asks for it: shut out, they lose the session too. */
  readonly operatorId?: string | undefined;
}

/**
 * Makes a code that signs somebody of support in as a user, once.
 * @returns 256 bits in base64url; only their hash is kept
 */
export async function makeLoginCode(
  tx: Tx,
  wanted: WantedLoginCode,
  now: Date,
): Promise<{ code: string; expiresAt: Date }> {
  const code = newToken(CODE_BYTES);
  const expiresAt = new Date(now.getTime() + LOGIN_CODE_SECONDS * 1000);
  const { userId, customerId = null, actor, reason } = wanted;
  const { lookOnly = false, seconds = SUPPORT_SESSION_SECONDS, operatorId = null } = wanted;
  await queries.insertLoginCode(tx, {
    hash: sha256(code),
    userId,
    customerId,
    actor,
    reason,
    now,
    expiresAt,
    lookOnly,
    seconds,
    operatorId,
  });
  return { code, expiresAt };
}

/**
 * Opens a session of support by a one-time code; of many tries at once exactly one succeeds. Both people, and every
 * refusal, stand in the audit trail.
 * @throws {AppError} loginCode.unknown, loginCode.used or loginCode.expired
 */
export async function signInByCode(deps: AuthDeps, code: string, origin: Origin): Promise<TokenAnswer> {
  const hash = sha256(code);
  const found = await queries.findLoginCode(deps.db, hash);
  const user = found === undefined ? undefined : await findUser(deps.db, found.user_id);
  const answer =
    found === undefined || user === undefined ? undefined : await open(deps, hash, found, user, origin);
  return answer ?? refuse(deps, hash, origin);
}

async function open(
  deps: AuthDeps,
  hash: Buffer,
  code: queries.LoginCodeRow,
  user: UserRow,
  origin: Origin,
): Promise<TokenAnswer | undefined> {
  const now = deps.clock.now();
  const { actor, reason, customer_id, look_only: lookOnly, session_seconds: seconds } = code;
  const { operator_id: operatorId } = code;
  return openSession(deps, {
    user,
    method: 'code',
    actor,
    operatorId,
    origin,
    detail: { reason },
    lookOnly,
    endsAt: new Date(now.getTime() + seconds * 1000),
    async stands(tx) {
      // The user first, as everywhere: two orders of locking would wait for each other.
      if ((await lockUser(tx, user.id)) === undefined) return false;
      if (operatorId !== null && !(await queries.lockMaker(tx, operatorId))) return false;
      if ((await queries.spendLoginCode(tx, hash, now)) === 0) return false;
      await recordAudit(tx, {
        action: 'loginCode.used',
        at: now,
        resellerId: user.reseller_id,
        userId: user.id,
        actor,
        userEmail: user.email,
        customerId: customer_id ?? undefined,
        detail: { reason },
        address: origin.address,
        requestId: origin.requestId,
      });
      return true;
    },
  });
}

async function refuse(deps: AuthDeps, hash: Buffer, origin: Origin): Promise<never> {
  const found = await queries.findLoginCode(deps.db, hash);
  const user = found === undefined ? undefined : await findUser(deps.db, found.user_id);
  const why = refusalOf(found);
  await deps.db.transaction((tx) =>
    recordAudit(tx, {
      action: 'loginCode.refused',
      at: deps.clock.now(),
      detail: { why },
      resellerId: user?.reseller_id,
      userId: found?.user_id,
      userEmail: user?.email,
      actor: found?.actor,
      address: origin.address,
      requestId: origin.requestId,
    }),
  );
  throw new AppError(why);
}

function refusalOf(found: queries.LoginCodeRow | undefined): ErrorCode {
  if (found === undefined) return 'loginCode.unknown';
  // A code of a user, or of an operator, who has been shut out since is over too.
  return found.used_at === null ? 'loginCode.expired' : 'loginCode.used';
}
