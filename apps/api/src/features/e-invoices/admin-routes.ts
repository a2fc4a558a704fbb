import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import { eInvoiceReport } from '@counterfoil/contract/operator/billing/e-invoices.ts';
import type { FastifyRequest } from 'fastify';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { type EInvoiceDeps, sendFacturX, sendXml } from './routes.ts';
import { checkInvoice, facturXOf, ownerOf, ublOf } from './service.ts';

const path = '/v1/admin/invoices/:id/e-invoice';
const tags = ['invoices of customers'];

/** Invoices as data, for the provider: what keeps one from being handed out, and those that nothing does. */
export function adminEInvoiceRoutes(app: App, deps: EInvoiceDeps): void {
  const { db } = deps;
  const scopeFor = (request: FastifyRequest, id: string) => ownerOf(db, programOf(request).resellerId, id);

  app.get(
    path,
    {
      config: { access: 'program', scope: 'invoices:read', refusals: ['invoice.notFound'] },
      schema: {
        tags,
        operationId: 'checkEInvoice',
        summary: 'What keeps an invoice from being handed out as an e-invoice',
        description:
          'Checked are the rules of EN 16931 and Peppol BIS Billing 3 that an invoice of the books can break. Facts about the provider are settings of its brand (`eInvoice`); the buyer’s electronic address is what the customer is known by.',
        params: idParams,
        response: { 200: envelope(eInvoiceReport) },
      },
    },
    async (request) => {
      const scope = await scopeFor(request, request.params.id);
      return { data: await checkInvoice(db, scope, request.params.id) };
    },
  );

  app.get(
    `${path}/ubl`,
    {
      config: {
        access: 'program',
        scope: 'invoices:read',
        refusals: ['invoice.notFound', 'invoice.noEInvoice'],
      },
      schema: {
        tags,
        operationId: 'getEInvoiceUbl',
        summary: 'An invoice as UBL 2.1, Peppol BIS Billing 3',
        params: idParams,
        produces: ['application/xml'],
      },
    },
    async (request, reply) => {
      const scope = await scopeFor(request, request.params.id);
      const { number, xml } = await ublOf(db, scope, request.params.id, 'provider');
      return sendXml(reply, number, xml);
    },
  );

  app.get(
    `${path}/factur-x`,
    {
      config: {
        access: 'program',
        scope: 'invoices:read',
        refusals: ['invoice.notFound', 'invoice.noEInvoice'],
      },
      schema: {
        tags,
        operationId: 'getEInvoiceFacturX',
        summary: 'An invoice as a PDF with its data inside: Factur-X, profile EN 16931',
        params: idParams,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      const scope = await scopeFor(request, request.params.id);
      return sendFacturX(deps, await facturXOf(deps, scope, request.params.id, 'provider'), request, reply);
    },
  );
}
