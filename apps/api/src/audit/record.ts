import { newId } from '@counterfoil/domain/text/ids.ts';
import type { Tx } from '../db/database.ts';
import { type Sql, sql, sqlOnce } from '../db/sql.ts';

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
  | 'user.changed'
  | 'user.invited'
  | 'user.resetMailed'
  | 'user.disabled'
  | 'user.enabled'
  | 'user.memberAdded'
  | 'user.memberRemoved'
  | 'user.removed'
  | 'demo.removed'
  | 'reseller.added'
  | 'reseller.changed'
  | 'customer.added'
  | 'customer.changed'
  | 'customer.disabled'
  | 'customer.enabled'
  | 'customer.removed'
  | 'service.removed'
  | 'brand.added'
  | 'brand.changed'
  | 'paymentMethod.added'
  | 'paymentMethod.changed'
  | 'paymentMethod.removed'
  | 'paymentMethod.defaultSet'
  | 'consent.given'
  | 'consent.revoked'
  | 'payment.refunded'
  | 'payment.resolved'
  | 'backup.restored'
  | 'secretKey.rotated'
  | 'payments.paused'
  | 'payments.resumed'
  | 'externalPayment.recorded'
  | 'externalPayment.voided'
  | 'bankEntry.booked'
  | 'bankEntry.dismissed'
  | 'bankEntry.reopened'
  | 'invoice.added'
  | 'invoice.changed'
  | 'invoice.corrected'
  | 'invoice.documentStored'
  | 'invoice.documentRemoved'
  | 'payLink.rotated'
  | 'payLink.ended'
  | 'need.snoozed'
  | 'need.shownAgain'
  | 'mail.resent'
  | 'mail.dismissed'
  | 'job.retried'
  | 'job.dropped'
  | 'round.wanted'
  | 'webhookEvent.retried'
  | 'webhookEvent.dismissed'
  | 'webhookEndpoint.added'
  | 'webhookEndpoint.changed'
  | 'webhookEndpoint.removed'
  | 'webhookEndpoint.secretRotated'
  | 'webhookEndpoint.tested'
  | 'webhookEndpoint.redelivered'
  | 'gateway.set'
  | 'gateway.disabled'
  | 'gateway.enabled'
  | 'gateway.verificationAsked'
  | 'gateway.verified'
  | 'operator.added'
  | 'operator.changed'
  | 'operator.disabled'
  | 'operator.enabled'
  | 'operator.reset'
  | 'operator.invited'
  | 'operator.invitationWithdrawn'
  | 'operator.passwordReset'
  | 'operator.removed'
  | 'operator.ssoSet'
  | 'operator.ssoRemoved'
  | 'operator.ssoBound'
  | 'operator.ssoRefused'
  | 'operator.passkeyAdded'
  | 'operator.passkeyRenamed'
  | 'operator.passkeyRemoved'
  | 'operator.joined'
  | 'operator.signedIn'
  | 'operator.signInRefused'
  | 'operator.signedOut'
  | 'operator.sessionsEnded'
  | 'apiKey.added'
  | 'apiKey.rotated'
  | 'apiKey.revoked'
  | 'privacy.exported'
  | 'privacy.erased'
  | 'retention.applied'
  | 'usageMapping.set'
  | 'usageMapping.removed'
  | 'recordType.unitSet'
  | 'import.added'
  | 'import.columnsSet'
  | 'import.started'
  | 'import.stopped'
  | 'import.discarded'
  | 'import.undone'
  | 'quarantine.retried'
  | 'quarantine.corrected'
  | 'quarantine.dropped'
  | 'month.closed'
  | 'month.reopened'
  | 'month.archived'
  | 'month.unarchived'
  | 'sso.refused'
  | 'sso.set'
  | 'sso.removed'
  | `${'service' | 'recordType'}.${'added' | 'changed'}`
  | `${EntityKind}.${'added' | 'changed' | 'removed'}`;

/** Things of customers that a provider's programs keep by references of their own. */
export type EntityKind = 'agreement' | 'billingPeriod' | 'serviceItem' | 'bundle' | 'charge' | 'adjustment';

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
  await tx.execute(sqlOnce`${auditLine(event)}`);
}

/** The statement that writes a line. @param from `from …` of which the line comes once a row; without it, once */
export const auditLine = (event: AuditEvent, from: Sql = sql``): Sql => sql`
  insert into audit_event (id, at, action, reseller_id, user_id, user_email, actor, customer_id, session_id,
                           address, request_id, detail)
  select ${newId(event.at.getTime())}::uuid, ${event.at}::timestamptz, ${event.action}::text,
         ${event.resellerId ?? null}::integer, ${event.userId ?? null}::uuid, ${event.userEmail ?? null}::text,
         ${event.actor ?? null}::text, ${event.customerId ?? null}::uuid, ${event.sessionId ?? null}::uuid,
         ${event.address ?? null}::text, ${event.requestId ?? null}::text,
         ${JSON.stringify(event.detail ?? {})}::jsonb ${from}`;

/** Writes several lines in one statement. */
export async function recordAuditLines(tx: Tx, events: readonly AuditEvent[]): Promise<void> {
  if (events.length === 0) return;
  const each = <T>(member: (event: AuditEvent) => T): T[] => events.map(member);
  await tx.execute(sql`
    insert into audit_event (id, at, action, reseller_id, user_id, user_email, actor, customer_id, session_id, address,
                             request_id, detail)
    select * from unnest(
      ${each(({ at }) => newId(at.getTime()))}::uuid[], ${each(({ at }) => at)}::timestamptz[],
      ${each(({ action }) => action)}::text[], ${each(({ resellerId }) => resellerId ?? null)}::int[],
      ${each(({ userId }) => userId ?? null)}::uuid[], ${each(({ userEmail }) => userEmail ?? null)}::text[],
      ${each(({ actor }) => actor ?? null)}::text[], ${each(({ customerId }) => customerId ?? null)}::uuid[],
      ${each(({ sessionId }) => sessionId ?? null)}::uuid[], ${each(({ address }) => address ?? null)}::text[],
      ${each(({ requestId }) => requestId ?? null)}::text[],
      ${each(({ detail }) => JSON.stringify(detail ?? {}))}::jsonb[])`);
}
