import { linkParams, linkReceiptParams } from '@counterfoil/contract/paying/public-pay.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { type PdfRenderer, renderPdf } from '../../letters/pdf-service.ts';
import { type InvoicePaperDeps, sendInvoiceDocument } from '../invoices/service.ts';
import * as payments from '../payments/queries.ts';
import { receiptOf } from '../payments/service.ts';
import { type PublicPayDeps, throughLink } from './link.ts';

type DocumentDeps = PublicPayDeps & InvoicePaperDeps & { readonly pdf: PdfRenderer };

/** What a person with a pay link may keep: the invoice, and receipts of what was paid of it. Reading only. */
export function publicDocumentRoutes(app: App, deps: DocumentDeps): void {
  app.get(
    '/v1/ec/payment/invoice/:token',
    {
      config: { access: 'public', limit: 'payDocument' },
      schema: {
        tags: ['public-pay'],
        summary: 'The invoice of a pay link as a PDF',
        params: linkParams,
        produces: ['application/pdf'],
      },
    },
    (request, reply) =>
      throughLink(deps, request.params.token, ({ scope, invoiceId }) =>
        sendInvoiceDocument(deps, { scope, invoiceId }, 'attachment', request, reply),
      ),
  );

  app.get(
    '/v1/ec/payment/receipt/:token/:id',
    {
      config: { access: 'public', limit: 'payDocument' },
      schema: {
        tags: ['public-pay'],
        summary: 'The receipt of a payment of a pay link’s invoice as a PDF, once it is confirmed',
        params: linkReceiptParams,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      const { token, id } = request.params;
      const { letter, fileName } = await throughLink(deps, token, async ({ scope, invoiceId }) => {
        // One that paid other invoices, too, names them: the link opens this one only.
        if (!(await payments.paysNothingElse(deps.db, scope, invoiceId, id)))
          throw new AppError('payment.unknownAttempt');
        return receiptOf(deps, scope.customerId, id);
      });
      return reply
        .type('application/pdf')
        .header('content-disposition', contentDisposition(fileName, 'attachment'))
        .send(await renderPdf(deps.pdf, letter, request.raw));
    },
  );
}
