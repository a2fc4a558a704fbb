import { Readable } from 'node:stream';
import {
  type AuditEventShown,
  type AuditExportParams,
  auditExportParams,
  auditPage,
  auditQueryParams,
} from '@counterfoil/contract/operator/access/audit-trail.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import { type AuditFilter, type AuditRow, readAudit } from '../../audit/queries.ts';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { auditCsv, beginExport } from './export.ts';

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
      const { cursor: before, limit, ...wanted } = request.query;
      const filter = await filterOf(db, programOf(request).resellerId, wanted);
      if (filter === undefined) return { data: [], nextCursor: null };
      const rows = await readAudit(db, { ...filter, before, limit: limit + 1 });
      const page = rows.slice(0, limit);
      return {
        data: page.map(present),
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    '/v1/admin/audit-events/export',
    {
      config: { access: 'program', scope: 'audit:read' },
      schema: {
        tags: ['audit trail'],
        operationId: 'exportAuditEvents',
        summary: 'The audit trail as CSV, whole or as far as the filters leave it, the newest first',
        querystring: auditExportParams,
        produces: ['text/csv'],
      },
    },
    async (request, reply) => {
      const { byteOrderMark, ...wanted } = request.query;
      const filter = await filterOf(db, programOf(request).resellerId, wanted);
      const begun = filter === undefined ? [] : await beginExport(db, filter);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition('audit-trail.csv', 'attachment'))
        .header('cache-control', 'no-store')
        .send(Readable.from(auditCsv(db, filter ?? {}, begun, byteOrderMark === 'true')));
    },
  );
}

/** @returns undefined where the customer that is named is not the reseller's */
async function filterOf(
  db: Db,
  resellerId: number,
  { customer, user, since, until, ...filter }: Omit<AuditExportParams, 'byteOrderMark'>,
): Promise<Omit<AuditFilter, 'before' | 'limit'> | undefined> {
  const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
  if (typeof found === 'string') return undefined;
  return {
    ...filter,
    resellerId,
    customerId: found?.customerId,
    userEmail: user,
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(until),
  };
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
