import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import { offeredEInvoices } from '@counterfoil/contract/operator/billing/e-invoices.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { type PdfRenderer, streamPdf } from '../../letters/pdf-service.ts';
import type { InvoicePaper, InvoicePaperDeps } from '../invoices/service.ts';
import { facturXOf, offeredForms, ublOf } from './service.ts';

export type EInvoiceDeps = InvoicePaperDeps & { readonly pdf: PdfRenderer };

/** An invoice as data, for the customer's own programs. */
export function eInvoiceRoutes(app: App, deps: EInvoiceDeps): void {
  const tags = ['invoices'];
  const config = { access: 'customer' as const, areas: ['endShowInvoices' as const] };

  app.get(
    '/v1/ec/invoice/:id/e-invoices',
    {
      config,
      schema: {
        tags,
        summary: 'The forms in which the invoice can be had as an e-invoice',
        params: idParams,
        response: { 200: envelope(offeredEInvoices) },
      },
    },
    async (request) => ({ data: await offeredForms(deps, scopeOf(request), request.params.id) }),
  );

  app.get(
    '/v1/ec/invoice/:id/e-invoice.xml',
    {
      config,
      schema: {
        tags,
        summary: 'The invoice as an e-invoice: UBL 2.1, Peppol BIS Billing 3',
        params: idParams,
        produces: ['application/xml'],
      },
    },
    async (request, reply) => {
      const { number, xml } = await ublOf(deps.db, scopeOf(request), request.params.id, 'customer');
      return sendXml(reply, number, xml);
    },
  );

  app.get(
    '/v1/ec/invoice/:id/factur-x.pdf',
    {
      config,
      schema: {
        tags,
        summary: 'The invoice as a PDF with the e-invoice inside: Factur-X',
        params: idParams,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) =>
      sendFacturX(
        deps,
        await facturXOf(deps, scopeOf(request), request.params.id, 'customer'),
        request,
        reply,
      ),
  );
}

/** Answers with a UBL document to be kept. */
export const sendXml = (reply: FastifyReply, number: string, xml: Buffer): FastifyReply =>
  reply
    .type('application/xml')
    .header('content-disposition', contentDisposition(`invoice_${number}.xml`, 'attachment'))
    .send(xml);

/** Answers with a Factur-X to be kept. */
export async function sendFacturX(
  { pdf }: Pick<EInvoiceDeps, 'pdf'>,
  { number, letter, parts }: InvoicePaper,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  return reply
    .type('application/pdf')
    .header('content-disposition', contentDisposition(`invoice_${number}_factur-x.pdf`, 'attachment'))
    .send(await streamPdf(pdf, letter, request.raw, parts));
}
