import type { Db, Tx } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';

export interface NewLoginCode {
  readonly hash: Buffer;
  readonly userId: string;
  readonly customerId: string | null;
  readonly actor: string;
  readonly reason: string;
  readonly now: Date;
  readonly expiresAt: Date;
  readonly lookOnly: boolean;
  /** How long the session lasts. */
  readonly seconds: number;
  /** The operator who made it; null: a program or a command. */
  readonly operatorId: string | null;
}

export const insertLoginCode = (tx: Tx, code: NewLoginCode) =>
  tx.execute(sql`
    insert into login_code
      (hash, user_id, customer_id, actor, reason, created_at, expires_at, look_only, session_seconds, operator_id)
    values (${code.hash}, ${code.userId}, ${code.customerId}, ${code.actor}, ${code.reason}, ${code.now},
            ${code.expiresAt}, ${code.lookOnly}, ${code.seconds}, ${code.operatorId})`);

export interface LoginCodeRow {
  user_id: string;
  customer_id: string | null;
  actor: string;
  reason: string;
  expires_at: Date;
  used_at: Date | null;
  look_only: boolean;
  session_seconds: number;
  operator_id: string | null;
}

export const findLoginCode = (db: Db, hash: Buffer) =>
  db.maybeOne<LoginCodeRow>(sql`
    select user_id, customer_id, actor, reason, expires_at, used_at, look_only, session_seconds, operator_id
      from login_code where hash = ${hash}`);

/** Uses a code up. @returns 1, or 0 when another use came first or it is too old */
export const spendLoginCode = (tx: Tx, hash: Buffer, now: Date) =>
  tx.execute(sql`
    update login_code set used_at = ${now} where hash = ${hash} and used_at is null and expires_at > ${now}`);

/** Whether the user belongs to the customer. */
export const isMember = async (db: Db, userId: string, customerId: string): Promise<boolean> =>
  (await db.maybeOne(sql`
    select 1 from membership where user_id = ${userId} and customer_id = ${customerId}`)) !== undefined;

/** Whether the operator who made a code may still act; what shuts them out waits until the session is there to be ended. */
export const lockMaker = async (tx: Tx, operatorId: string): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select 1 from operator where id = ${operatorId} and disabled_at is null for no key update`)) !==
  undefined;

/** Ends what an operator has open in users' names, and codes that were not used yet. @returns how many sessions */
export async function endSessionsOfOperator(tx: Tx, operatorId: string, now: Date): Promise<number> {
  await tx.execute(sql`delete from login_code where operator_id = ${operatorId} and used_at is null`);
  return tx.execute(sql`
    update user_session set ended_at = ${now}, end_reason = 'operator'
     where operator_id = ${operatorId} and ended_at is null`);
}
