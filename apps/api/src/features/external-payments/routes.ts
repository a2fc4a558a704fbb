import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  externalPayment,
  externalPaymentPage,
  externalPaymentQuery,
  newExternalPayment,
  voidedExternalPayment,
} from '@counterfoil/contract/operator/paying/external-payments.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import { type BulkRouteDeps, bulkRoute } from '../../bulk/bulk-route.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { findCustomerNamed } from '../admin/queries.ts';
import { bulkExternalPayments } from './bulk.ts';
import { presentExternalPayment } from './present.ts';
import { findExternalPayment, listExternalPayments } from './queries.ts';
import { type Recorder, recordExternalPayment, voidExternalPayment } from './service.ts';

const recorder = (request: FastifyRequest): Recorder => ({
  resellerId: programOf(request).resellerId,
  ...actedBy(request),
});

/** Payments that a provider received outside the portal, told by its own programs. */
export function externalPaymentRoutes(
  app: App,
  { db, clock, bulk }: { readonly db: Database; readonly clock: Clock; readonly bulk: BulkRouteDeps },
): void {
  const tags = ['external payments'];
  bulkRoute(app, bulk, bulkExternalPayments, {
    path: '/v1/admin/external-payments/bulk',
    scope: 'payments:write',
    tags,
    operationId: 'recordExternalPaymentsInBulk',
    summary: 'Books many payments that came outside the portal: a line in for each, a line out for each',
    line: 'Each line is the body of `recordExternalPayment`; the same reference again books nothing.\n\n```\n{"reference":"STMT-77-3","customer":"C-1001","amount":"115.00","currency":"NZD","receivedOn":"2026-03-14","method":"bankTransfer"}\n```',
  });
  app.post(
    '/v1/admin/external-payments',
    {
      config: {
        access: 'program',
        scope: 'payments:write',
        refusals: [
          'externalPayment.noCustomer',
          'externalPayment.noInvoice',
          'externalPayment.amount',
          'externalPayment.notYet',
          'externalPayment.referenceTaken',
        ],
      },
      schema: {
        tags,
        operationId: 'recordExternalPayment',
        summary: 'Books a payment that came outside the portal; the same reference again books nothing',
        body: newExternalPayment,
        response: { 200: envelope(externalPayment), 201: envelope(externalPayment) },
      },
    },
    async (request, reply) => {
      const { payment, isNew } = await db.transaction((tx) =>
        recordExternalPayment(tx, request.body, recorder(request), clock.now()),
      );
      return reply.status(isNew ? 201 : 200).send({ data: presentExternalPayment(payment) });
    },
  );

  app.get(
    '/v1/admin/external-payments',
    {
      config: { access: 'program', scope: 'payments:read' },
      schema: {
        tags,
        operationId: 'listExternalPayments',
        summary: 'Payments that came outside the portal, the newest record first',
        querystring: externalPaymentQuery,
        response: { 200: externalPaymentPage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { customer, limit, cursor } = request.query;
      const found = customer === undefined ? undefined : await findCustomerNamed(db, customer, resellerId);
      if (typeof found === 'string') return { data: [], nextCursor: null };
      const of = { resellerId, customerId: found?.customerId, before: cursor, limit: limit + 1 };
      const rows = await listExternalPayments(db, of);
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentExternalPayment),
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    '/v1/admin/external-payments/:id',
    {
      config: { access: 'program', scope: 'payments:read', refusals: ['externalPayment.notFound'] },
      schema: {
        tags,
        operationId: 'getExternalPayment',
        summary: 'A payment that came outside the portal, and what it paid',
        params: idParams,
        response: { 200: envelope(externalPayment) },
      },
    },
    async (request) => {
      const row = await findExternalPayment(db, programOf(request).resellerId, request.params.id);
      if (row === undefined) throw new AppError('externalPayment.notFound');
      return { data: presentExternalPayment(row) };
    },
  );

  app.post(
    '/v1/admin/external-payments/:id/void',
    {
      config: { access: 'program', scope: 'payments:write', refusals: ['externalPayment.notFound'] },
      schema: {
        tags,
        operationId: 'voidExternalPayment',
        summary: 'Takes back a payment that came outside the portal; its invoices are due again',
        params: idParams,
        body: voidedExternalPayment,
        response: { 200: envelope(externalPayment) },
      },
    },
    async (request) => {
      const { note } = request.body;
      const row = await db.transaction((tx) =>
        voidExternalPayment(tx, request.params.id, note, recorder(request), clock.now()),
      );
      return { data: presentExternalPayment(row) };
    },
  );
}
