import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { SessionScope } from '../../http/requests/scope.ts';

type Own = Pick<SessionScope, 'userId' | 'sessionId'>;

export interface OwnSessionRow {
  id: string;
  created_at: Date;
  last_used_at: Date;
  address: string | null;
  agent: string | null;
  method: string;
  actor: string | null;
}

/** The user's living sessions: the one asked from first, then by last use. */
export const listOwnSessions = (db: Db, own: Own, now: Date) =>
  db.many<OwnSessionRow>(sql`
    select id, created_at, last_used_at, address, agent, method, actor
      from user_session
     where user_id = ${own.userId} and ended_at is null and expires_at > ${now}
     order by id = ${own.sessionId} desc, last_used_at desc, id desc`);

/** Ends one of the user's living sessions. @returns 1, or 0 when there is none of that id */
export const endOwnSession = (tx: Tx, own: Own, sessionId: string, now: Date) =>
  tx.execute(sql`
    update user_session set ended_at = ${now}, end_reason = 'elsewhere'
     where id = ${sessionId} and user_id = ${own.userId} and ended_at is null and expires_at > ${now}`);

/** Ends all of the user's sessions but the one asked from. @returns how many lived */
export const endOtherSessions = (tx: Tx, own: Own, now: Date) =>
  tx.execute(sql`
    update user_session set ended_at = ${now}, end_reason = 'elsewhere'
     where user_id = ${own.userId} and id <> ${own.sessionId} and ended_at is null and expires_at > ${now}`);
