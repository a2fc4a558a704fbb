import { userInfo } from 'node:os';
import { type AuditEvent, recordAudit } from '../audit/record.ts';
import type { Db, Tx } from '../db/database.ts';
import { sql } from '../db/sql.ts';

/** Who runs this command, as the audit trail names them. */
export function commandActor(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    // Containers run under numbers that no account belongs to.
    return `cli:${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Writes what a command changed into the audit trail, in the transaction that changes it. */
export const recordCommand = (
  tx: Tx,
  at: Date,
  event: Omit<AuditEvent, 'at' | 'actor' | 'sessionId' | 'address' | 'requestId'>,
): Promise<void> => recordAudit(tx, { ...event, at, actor: commandActor() });

/** A user as the audit trail names one. */
export async function userSubject(
  db: Db,
  email: string,
): Promise<Pick<AuditEvent, 'userId' | 'userEmail' | 'resellerId'>> {
  const userEmail = email.trim().toLowerCase();
  const row = await db.maybeOne<{ id: string; reseller_id: number }>(
    sql`select id, reseller_id from app_user where email = ${userEmail}`,
  );
  return { userEmail, userId: row?.id, resellerId: row?.reseller_id };
}

/** The reseller of a brand. */
export async function resellerOfBrand(db: Db, brandId: number): Promise<number | undefined> {
  const row = await db.maybeOne<{ reseller_id: number | null }>(
    sql`select reseller_id from brand where id = ${brandId}`,
  );
  return row?.reseller_id ?? undefined;
}
