import { paymentParams } from '@counterfoil/contract/receipts.ts';
import { contentDisposition } from '@counterfoil/domain/file-name.ts';
import type { Db } from '../../db/database.ts';
import { scopeOf } from '../../http/access.ts';
import type { App } from '../../http/app.ts';
import { type PdfRenderer, renderPdf } from '../invoices/pdf-service.ts';
import { receiptOf } from './receipt-service.ts';

/** Receipts of the customer's own payments. */
export function receiptRoutes(app: App, deps: { readonly db: Db; readonly pdf: PdfRenderer }): void {
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
      const { document, fileName } = await receiptOf(deps.db, scopeOf(request).customerId, request.params.id);
      return reply
        .type('application/pdf')
        .header('content-disposition', contentDisposition(fileName, 'attachment'))
        .send(await renderPdf(deps.pdf, document, request.raw));
    },
  );
}
