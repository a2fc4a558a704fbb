import { paymentParams } from '@counterfoil/contract/receipts.ts';
import { contentDisposition } from '@counterfoil/domain/file-name.ts';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import { scopeOf } from '../../http/access.ts';
import type { App } from '../../http/app.ts';
import { findCustomerBrand } from '../brand/queries.ts';
import { brandFromRow } from '../brand/service.ts';
import { type PdfRenderer, renderPdf } from '../invoices/pdf-service.ts';
import { findPaid, findPaidKey } from './paid.ts';
import { receiptDocument, receiptFileName } from './receipt-document.ts';

/** Receipts of the customer's own payments. */
export function receiptRoutes(app: App, deps: { readonly db: Db; readonly pdf: PdfRenderer }): void {
  app.get(
    '/v1/ec/payments/:id/receipt',
    {
      config: { access: 'customer' },
      schema: {
        tags: ['payments'],
        summary: 'The receipt of a payment as a PDF, once it is confirmed',
        params: paymentParams,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      const { customerId } = scopeOf(request);
      const key = await findPaidKey(deps.db, customerId, request.params.id);
      const payment = key && (await findPaid(deps.db, customerId, key));
      if (payment === undefined) throw new AppError('payment.unknownAttempt');
      const brand = brandFromRow(await findCustomerBrand(deps.db, customerId, payment.reseller_id));
      return reply
        .type('application/pdf')
        .header('content-disposition', contentDisposition(receiptFileName(payment), 'attachment'))
        .send(await renderPdf(deps.pdf, receiptDocument(brand, payment), request.raw));
    },
  );
}
