import type { Db } from '../db/database.ts';
import { type Sql, sql } from '../db/sql.ts';

/** Which lines of the audit trail to read; what is left out matches all. */
export interface AuditFilter {
  /** Whose account, by address: the trail outlives users. */
  readonly userEmail?: string | undefined;
  readonly resellerId?: number | undefined;
  readonly action?: string | undefined;
  /** Who acted, as the trail names them. */
  readonly actor?: string | undefined;
  readonly customerId?: string | undefined;
  /** Included. */
  readonly since?: Date | undefined;
  /** Not included. */
  readonly until?: Date | undefined;
  /** The id of the line after which the page begins; of one that is not there, nothing comes. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface AuditRow {
  id: string;
  at: Date;
  action: string;
  reseller_id: number | null;
  user_id: string | null;
  user_email: string | null;
  actor: string | null;
  customer_id: string | null;
  session_id: string | null;
  address: string | null;
  request_id: string | null;
  detail: Record<string, unknown>;
}

/** Lines of the audit trail, newest first. */
export function auditQuery(filter: AuditFilter): Sql<AuditRow> {
  const conditions = [
    ...(filter.userEmail === undefined ? [] : [sql`user_email = ${filter.userEmail.toLowerCase()}`]),
    ...(filter.resellerId === undefined ? [] : [sql`reseller_id = ${filter.resellerId}`]),
    ...(filter.action === undefined ? [] : [sql`action = ${filter.action}`]),
    ...(filter.actor === undefined ? [] : [sql`actor = ${filter.actor}`]),
    ...(filter.customerId === undefined ? [] : [sql`customer_id = ${filter.customerId}`]),
    ...(filter.before === undefined
      ? []
      : [sql`(at, id) < (select at, id from audit_event where id = ${filter.before})`]),
    ...(filter.since === undefined ? [] : [sql`at >= ${filter.since}`]),
    ...(filter.until === undefined ? [] : [sql`at < ${filter.until}`]),
  ];
  return sql<AuditRow>`
    select id, at, action, reseller_id, user_id, user_email, actor, customer_id, session_id, address, request_id, detail
      from audit_event where ${conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)}
     order by at desc, id desc limit ${filter.limit}`;
}

export const readAudit = (db: Db, filter: AuditFilter): Promise<AuditRow[]> => db.many(auditQuery(filter));
