import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  adminPayLink,
  newPayLink,
  payLinkPage,
  payLinkQuery,
} from '@counterfoil/contract/operator/paying/admin-pay-links.ts';
import * as z from 'zod/mini';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { listPayLinks } from './admin-queries.ts';
import { endPayLink, type LinkDeps, makePayLink, presentPayLink } from './admin-service.ts';

const tags = ['pay links'];
const ofInvoice = '/v1/admin/invoices/:id/pay-link';

/** Pay links, for a provider's programs. */
export function adminPayLinkRoutes(
  app: App,
  { db, clock, ...deps }: LinkDeps & { readonly db: Database; readonly clock: Clock },
): void {
  app.get(
    '/v1/admin/pay-links',
    {
      config: { access: 'program', scope: 'invoices:read' },
      schema: {
        tags,
        operationId: 'listPayLinks',
        summary: 'The pay links of invoices, that of the newest invoice first, page by page',
        description:
          'Filters are joined by and. Links that were replaced or ended are not listed. Whoever has an address sees its invoice and can pay it.',
        querystring: payLinkQuery,
        response: { 200: payLinkPage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { customer, cursor: before, limit, ...filter } = request.query;
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return { data: [], nextCursor: null };
      const now = clock.now();
      const rows = await listPayLinks(db, {
        ...filter,
        resellerId,
        customerId: found?.customerId,
        now,
        before,
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      return {
        data: page.map((row) => presentPayLink(deps, row, now)),
        nextCursor: rows.length > limit ? (page.at(-1)?.invoice_id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.post(
    ofInvoice,
    {
      config: {
        access: 'program',
        scope: 'invoices:write',
        refusals: ['invoice.notFound', 'invoice.isCredit', 'invoice.void'],
      },
      schema: {
        tags,
        operationId: 'makePayLink',
        summary: 'Has an invoice have a pay link that works, or gives it another one',
        description:
          '200: the link that it has. 201: one that was made, in the place of one that is over, or of one that works where `replace` is true; the old one works no more.',
        params: idParams,
        body: newPayLink,
        response: { 200: envelope(adminPayLink), 201: envelope(adminPayLink) },
      },
    },
    async (request, reply) => {
      const at = { resellerId: programOf(request).resellerId, invoiceId: request.params.id };
      const act = { by: actedBy(request), now: clock.now() };
      const { link, isNew } = await db.transaction((tx) => makePayLink(tx, deps, at, request.body, act));
      return reply.status(isNew ? 201 : 200).send({ data: link });
    },
  );

  app.delete(
    ofInvoice,
    {
      config: { access: 'program', scope: 'invoices:write', refusals: ['invoice.notFound'] },
      schema: {
        tags,
        operationId: 'endPayLink',
        summary: 'Ends the pay link of an invoice at once; without one nothing changes',
        params: idParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const at = { resellerId: programOf(request).resellerId, invoiceId: request.params.id };
      await db.transaction((tx) => endPayLink(tx, at, { by: actedBy(request), now: clock.now() }));
      return reply.status(204).send(null);
    },
  );
}
