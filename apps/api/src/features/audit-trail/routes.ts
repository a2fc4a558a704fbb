import {
  type AuditEventShown,
  auditPage,
  auditQueryParams,
} from '@counterfoil/contract/operator/audit-trail.ts';
import { type AuditRow, readAudit } from '../../audit/queries.ts';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { findCustomerNamed } from '../admin/queries.ts';

/** The audit trail of a provider, for its own programs. */
export function auditTrailRoutes(app: App, { db }: { readonly db: Db }): void {
  app.get(
    '/v1/admin/audit-events',
    {
      config: { access: 'program', scope: 'audit:read' },
      schema: {
        tags: ['audit trail'],
        operationId: 'listAuditEvents',
        summary: 'Who did what, in whose account, when and from where; the newest first, page by page',
        description: 'Filters are joined by and. The next page is asked for by `cursor`.',
        querystring: auditQueryParams,
        response: { 200: auditPage },
      },
    },
    async (request) => {
      const { customer, user, since, until, cursor: before, limit, ...filter } = request.query;
      const { resellerId } = programOf(request);
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return { data: [], nextCursor: null };
      const rows = await readAudit(db, {
        ...filter,
        resellerId,
        customerId: found?.customerId,
        userEmail: user,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
        before,
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      return {
        data: page.map(present),
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );
}

const present = (row: AuditRow): AuditEventShown => ({
  id: row.id,
  at: row.at.toISOString(),
  action: row.action,
  actor: row.actor,
  user: row.user_email,
  customerId: row.customer_id,
  address: row.address,
  requestId: row.request_id,
  detail: row.detail,
});
