import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  customerAutoPay,
  customerMethod,
  customerMethodParams,
  endRequest,
} from '@counterfoil/contract/operator/customers/customer-methods.ts';
import * as z from 'zod/mini';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { autoPayForProvider, endAutoPay, endMethod, methodsForProvider } from './admin-service.ts';
import type { MethodDeps } from './method-row.ts';

const path = '/v1/admin/customers/:id';

/** What a provider may know of its customers' saved methods and Auto-Pay, and end of them. */
export function customerMethodRoutes(app: App, deps: MethodDeps): void {
  const tags = ['payment methods of customers'];
  app.get(
    `${path}/payment-methods`,
    {
      config: { access: 'program', scope: 'payments:read', refusals: ['customer.notFound'] },
      schema: {
        tags,
        operationId: 'listCustomerMethods',
        summary: 'Saved cards and bank accounts of a customer, without their numbers',
        params: idParams,
        response: { 200: envelope(z.array(customerMethod)) },
      },
    },
    async (request) => {
      const at = { resellerId: programOf(request).resellerId, customerId: request.params.id };
      return { data: [...(await methodsForProvider(deps, at))] };
    },
  );

  app.post(
    `${path}/payment-methods/:methodId/remove`,
    {
      config: {
        access: 'program',
        scope: 'payments:write',
        refusals: ['customer.notFound', 'paymentMethod.notFound', 'paymentMethod.inUse'],
      },
      schema: {
        tags,
        operationId: 'removeCustomerMethod',
        summary: 'Removes a saved method of a customer, for a reason; it is never charged again',
        description:
          'The first remaining one becomes the default, which Auto-Pay takes. The same again changes nothing.',
        params: customerMethodParams,
        body: endRequest,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { id: customerId, methodId } = request.params;
      const at = { resellerId: programOf(request).resellerId, customerId };
      await endMethod(deps, at, methodId, request.body.reason, actedBy(request));
      return reply.status(204).send(null);
    },
  );

  app.get(
    `${path}/auto-pay`,
    {
      config: { access: 'program', scope: 'payments:read', refusals: ['customer.notFound'] },
      schema: {
        tags,
        operationId: 'getCustomerAutoPay',
        summary: 'Whether due invoices of a customer are charged by themselves, and what was agreed to',
        params: idParams,
        response: { 200: envelope(customerAutoPay) },
      },
    },
    async (request) => {
      const at = { resellerId: programOf(request).resellerId, customerId: request.params.id };
      return { data: await autoPayForProvider(deps.db, at) };
    },
  );

  app.post(
    `${path}/auto-pay/end`,
    {
      config: {
        access: 'program',
        scope: 'payments:write',
        refusals: ['customer.notFound', 'consent.notNeeded'],
      },
      schema: {
        tags,
        operationId: 'endCustomerAutoPay',
        summary: 'Ends Auto-Pay of a customer, for a reason; only the customer allows it again',
        description: 'The same again changes nothing.',
        params: idParams,
        body: endRequest,
        response: { 200: envelope(customerAutoPay) },
      },
    },
    async (request) => {
      const at = { resellerId: programOf(request).resellerId, customerId: request.params.id };
      return { data: await endAutoPay(deps, at, request.body.reason, actedBy(request)) };
    },
  );
}
