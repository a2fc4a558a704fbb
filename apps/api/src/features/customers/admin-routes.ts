import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  adminCustomer,
  customerPage,
  customerQuery,
  customerValues,
  referenceParams,
} from '@counterfoil/contract/operator/customers/admin-customers.ts';
import type { FastifyReply } from 'fastify';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { preconditionsOf } from '../../http/requests/preconditions.ts';
import { etagOf, presentCustomer } from './present.ts';
import { type CustomerRow, findCustomer, findCustomerByReference, listCustomers } from './queries.ts';
import { putCustomer, setCustomerActive } from './service.ts';

const tags = ['customers of a provider'];

/** Customers, for a provider's programs. */
export function adminCustomerRoutes(
  app: App,
  { db, clock }: { readonly db: Database; readonly clock: Clock },
): void {
  app.get(
    '/v1/admin/customers',
    {
      config: { access: 'program', scope: 'customers:read' },
      schema: {
        tags,
        operationId: 'listCustomers',
        summary: 'Customers in the order in which they were made, page by page',
        description:
          'Filters are joined by and. `label` finds names that begin so. The next page is asked for by `cursor`.',
        querystring: customerQuery,
        response: { 200: customerPage },
      },
    },
    async (request) => {
      const { cursor: after, limit, ...filter } = request.query;
      const { resellerId } = programOf(request);
      const rows = await listCustomers(db, { ...filter, resellerId, after, limit: limit + 1 });
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentCustomer),
        nextCursor: rows.length > limit ? (page.at(-1)?.customer_id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    '/v1/admin/customers/:id',
    {
      config: { access: 'program', scope: 'customers:read', refusals: ['customer.notFound'] },
      schema: {
        tags,
        operationId: 'getCustomer',
        summary: 'A customer; the header ETag says its state',
        params: idParams,
        response: { 200: envelope(adminCustomer) },
      },
    },
    async (request, reply) =>
      send(reply, 200, await findCustomer(db, programOf(request).resellerId, request.params.id)),
  );

  app.get(
    '/v1/admin/customers/by-reference/:reference',
    {
      config: { access: 'program', scope: 'customers:read', refusals: ['customer.notFound'] },
      schema: {
        tags,
        operationId: 'getCustomerByReference',
        summary: 'A customer by the provider’s own reference; the header ETag says its state',
        params: referenceParams,
        response: { 200: envelope(adminCustomer) },
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      return send(reply, 200, await findCustomerByReference(db, resellerId, request.params.reference));
    },
  );

  app.put(
    '/v1/admin/customers/by-reference/:reference',
    {
      config: {
        access: 'program',
        scope: 'customers:write',
        preconditions: true,
        refusals: ['customer.noBrand', 'precondition.failed', 'precondition.required'],
      },
      schema: {
        tags,
        operationId: 'putCustomer',
        summary: 'Makes a customer, or changes it to what is sent; the same again changes nothing',
        description: [
          'What is left out of the body is taken away. 201: made; 200: changed, or as it was.',
          'A customer that is there already and differs is changed only with `If-Match`: the `ETag` that was read, or `*` for any state. Without it 428, with another state 412. `If-None-Match: *` makes one only where there is none.',
        ].join('\n\n'),
        params: referenceParams,
        body: customerValues,
        response: { 200: envelope(adminCustomer), 201: envelope(adminCustomer) },
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const write = { reference: request.params.reference, values: request.body };
      const { row, outcome } = await db.transaction((tx) =>
        putCustomer(tx, resellerId, write, preconditionsOf(request), actedBy(request), clock.now()),
      );
      return send(reply, outcome === 'created' ? 201 : 200, row);
    },
  );

  for (const [act, isActive, summary] of [
    ['disable', false, 'Shuts a customer out of the portal and of Auto-Pay; what it owes stays owed'],
    ['enable', true, 'Lets a disabled customer in again'],
  ] as const)
    app.post(
      `/v1/admin/customers/:id/${act}`,
      {
        config: { access: 'program', scope: 'customers:write', refusals: ['customer.notFound'] },
        schema: {
          tags,
          operationId: `${act}Customer`,
          summary,
          description:
            'Nobody acts for a disabled customer in the portal, and Auto-Pay neither announces nor charges. Its pay links work, and imports go on. The same again changes nothing.',
          params: idParams,
          response: { 200: envelope(adminCustomer) },
        },
      },
      async (request, reply) => {
        const of = { resellerId: programOf(request).resellerId, customerId: request.params.id };
        const row = await db.transaction((tx) =>
          setCustomerActive(tx, of, isActive, actedBy(request), clock.now()),
        );
        return send(reply, 200, row);
      },
    );
}

/** @throws {AppError} customer.notFound where there is none */
function send<Status extends 200 | 201>(reply: FastifyReply, status: Status, row: CustomerRow | undefined) {
  if (row === undefined) throw new AppError('customer.notFound');
  return reply
    .status(status)
    .header('etag', etagOf(row))
    .send({ data: presentCustomer(row) });
}
