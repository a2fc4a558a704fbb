import { paymentParams } from '@counterfoil/contract/paying/receipts.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import type { App } from '../../../http/app-type.ts';
import { scopeOf } from '../../../http/guards/access.ts';
import { type PdfRenderer, renderPdf } from '../../../letters/pdf-service.ts';
import { type PaperDeps, receiptOf } from './receipt-service.ts';

/** Receipts of the customer's own payments. */
export function receiptRoutes(app: App, deps: PaperDeps & { readonly pdf: PdfRenderer }): void {
  app.get(
    '/v1/ec/payments/:id/receipt',
    {
      config: { access: 'customer', areas: ['endShowInvoices', 'paymentsEnabled'] },
      schema: {
        tags: ['payments'],
        summary: 'The receipt of a payment as a PDF, once it is confirmed',
        params: paymentParams,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      const { letter, fileName } = await receiptOf(deps, scopeOf(request).customerId, request.params.id);
      return reply
        .type('application/pdf')
        .header('content-disposition', contentDisposition(fileName, 'attachment'))
        .send(await renderPdf(deps.pdf, letter, request.raw));
    },
  );
}
