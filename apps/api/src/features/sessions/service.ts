import type { MySession, SessionMethod } from '@counterfoil/contract/people/sessions.ts';
import { recordAudit } from '../../audit/record.ts';
import type { Database, Tx } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { SessionScope } from '../../http/requests/scope.ts';
import * as queries from './queries.ts';
import { deviceOf } from './user-agent.ts';

export { deviceOf } from './user-agent.ts';

export interface SessionsDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Where a request came from, for the audit trail. */
export interface AskedFrom {
  readonly address: string;
  readonly requestId: string;
}

/** Where the user is signed in, this session first. */
export async function mySessions(deps: SessionsDeps, own: SessionScope): Promise<MySession[]> {
  const rows = await queries.listOwnSessions(deps.db, own, deps.clock.now());
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastUsedAt: row.last_used_at.toISOString(),
    address: row.address,
    ...deviceOf(row.agent),
    method: methodOf(row),
    current: row.id === own.sessionId,
    support: row.actor,
  }));
}

const methods: Readonly<Record<string, SessionMethod>> = {
  password: 'password',
  sso: 'sso',
  passkey: 'passkey',
};

const methodOf = ({ actor, method }: queries.OwnSessionRow): SessionMethod =>
  actor === null ? (methods[method] ?? 'support') : 'support';

/** Ends one of the user's sessions at once. @returns false when they have no such session */
export async function endSession(
  deps: SessionsDeps,
  own: SessionScope,
  sessionId: string,
  from: AskedFrom,
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const ended = await queries.endOwnSession(tx, own, sessionId, now);
    if (ended === 0) return false;
    await record(tx, own, from, now, { ended: sessionId });
    return true;
  });
}

/** Ends all of the user's sessions but this one. */
export async function endOtherSessions(
  deps: SessionsDeps,
  own: SessionScope,
  from: AskedFrom,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const ended = await queries.endOtherSessions(tx, own, now);
    if (ended > 0) await record(tx, own, from, now, { ended });
  });
}

const record = (
  tx: Tx,
  own: SessionScope,
  from: AskedFrom,
  at: Date,
  detail: Readonly<Record<string, string | number>>,
) =>
  recordAudit(tx, {
    action: 'session.endedElsewhere',
    at,
    resellerId: own.resellerId,
    userId: own.userId,
    userEmail: own.email,
    actor: own.actor,
    sessionId: own.sessionId,
    ...from,
    detail,
  });
