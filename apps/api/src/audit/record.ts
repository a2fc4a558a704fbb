import { newId } from '@counterfoil/domain/ids.ts';
import type { Tx } from '../db/database.ts';
import { sqlOnce } from '../db/sql.ts';

/** What people do that others may ask about later. A change adds its name here. */
export type AuditAction =
  | 'signIn.succeeded'
  | 'signIn.refused'
  | 'signOut'
  | 'session.reuse'
  | 'session.endedElsewhere'
  | 'passkey.added'
  | 'passkey.removed'
  | 'passkey.copied'
  | 'password.changed'
  | 'password.reset'
  | 'secondFactor.on'
  | 'secondFactor.replaced'
  | 'secondFactor.off'
  | 'secondFactor.newCodes'
  | 'secondFactor.removed'
  | 'registration.finished'
  | 'loginCode.made'
  | 'loginCode.used'
  | 'loginCode.refused'
  | 'support.request'
  | 'user.added'
  | 'user.invited'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.memberAdded'
  | 'user.memberRemoved'
  | 'reseller.added'
  | 'reseller.changed'
  | 'customer.added'
  | 'brand.added'
  | 'brand.changed'
  | 'gateway.set'
  | 'gateway.disabled'
  | 'sso.refused'
  | 'sso.set'
  | 'sso.removed';

/** One line of the audit trail. What is not known stays away; no secret ever stands in it. */
export interface AuditEvent {
  readonly action: AuditAction;
  readonly at: Date;
  readonly resellerId?: number | undefined;
  /** In whose account. */
  readonly userId?: string | undefined;
  readonly userEmail?: string | undefined;
  /** Who acted in the user's name: support staff, or whoever ran a command. */
  readonly actor?: string | null | undefined;
  readonly customerId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly address?: string | undefined;
  readonly requestId?: string | undefined;
  readonly detail?: Readonly<Record<string, string | number | boolean | null>> | undefined;
}

/** Writes a line of the audit trail, in the transaction of what it tells of. */
export async function recordAudit(tx: Tx, event: AuditEvent): Promise<void> {
  await tx.execute(sqlOnce`
    insert into audit_event (id, at, action, reseller_id, user_id, user_email, actor, customer_id, session_id,
                             address, request_id, detail)
    values (${newId(event.at.getTime())}, ${event.at}, ${event.action}, ${event.resellerId ?? null},
            ${event.userId ?? null}, ${event.userEmail ?? null}, ${event.actor ?? null}, ${event.customerId ?? null},
            ${event.sessionId ?? null}, ${event.address ?? null}, ${event.requestId ?? null},
            ${JSON.stringify(event.detail ?? {})}::jsonb)`);
}
