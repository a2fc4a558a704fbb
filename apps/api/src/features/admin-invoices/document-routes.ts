import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import { invoiceDocument } from '@counterfoil/contract/operator/billing/admin-invoices.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { FileStore } from '../../files/file-store.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import type { PdfRenderer } from '../../letters/pdf-service.ts';
import { ownerOf } from '../e-invoices/service.ts';
import { type InvoicePaperDeps, sendInvoiceDocument } from '../invoices/service.ts';
import { readDocument, removeDocument, storeDocument } from './document.ts';

const tags = ['invoices of customers'];
const path = '/v1/admin/invoices/:id/document';
const PDF = 'application/pdf';
const MOST_BYTES = 10 * 1024 ** 2;

/** What customers are shown of invoices, and the provider's own documents, which stand in the place of those made here. */
export function invoiceDocumentRoutes(
  app: App,
  deps: InvoicePaperDeps & {
    readonly db: Database;
    readonly clock: Clock;
    readonly files: FileStore;
    readonly pdf: PdfRenderer;
  },
): void {
  const { clock } = deps;
  void app.register((scoped: App, _options: object, ready: () => void) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser(PDF, { parseAs: 'buffer', bodyLimit: MOST_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scoped.put(
      path,
      {
        bodyLimit: MOST_BYTES,
        config: {
          access: 'program',
          scope: 'invoices:write',
          takesFile: [PDF],
          refusals: ['invoice.notFound', 'invoice.noPdf', 'request.mediaType', 'request.tooLarge'],
        },
        schema: {
          tags,
          operationId: 'putInvoiceDocument',
          summary: 'Stores the provider’s own PDF of an invoice, which customers are shown',
          description:
            'At most 10 MiB. It is shown in the portal and by the pay link as long as the invoice says what it says now: once it is corrected, the document that is made here is shown until another one is stored. The same again changes nothing.',
          params: idParams,
          response: { 200: envelope(invoiceDocument) },
        },
      },
      async (request) => {
        if (!Buffer.isBuffer(request.body)) throw new AppError('request.mediaType');
        const at = { resellerId: programOf(request).resellerId, id: request.params.id };
        return { data: await storeDocument(deps, at, request.body, actedBy(request), clock.now()) };
      },
    );
    ready();
  });

  app.get(
    path,
    {
      config: {
        access: 'program',
        scope: 'invoices:read',
        refusals: ['invoice.notFound', 'invoice.noDocument'],
      },
      schema: {
        tags,
        operationId: 'getInvoiceDocument',
        summary: 'The provider’s own PDF of an invoice, as it was stored',
        params: idParams,
        produces: [PDF],
      },
    },
    async (request, reply) => {
      const at = { resellerId: programOf(request).resellerId, id: request.params.id };
      const { number, sha256, file } = await readDocument(deps, at);
      return reply
        .type(PDF)
        .header('etag', `"${sha256.slice(0, 32)}"`)
        .header('content-length', file.sizeBytes)
        .header('content-disposition', contentDisposition(`invoice_${number}.pdf`, 'attachment'))
        .send(file.content);
    },
  );

  app.get(
    '/v1/admin/invoices/:id/pdf',
    {
      config: { access: 'program', scope: 'invoices:read', refusals: ['invoice.notFound'] },
      schema: {
        tags,
        operationId: 'getInvoicePdf',
        summary: 'The PDF that the customer is shown: the provider’s own, or the one that is made here',
        params: idParams,
        produces: [PDF],
      },
    },
    async (request, reply) => {
      const invoiceId = request.params.id;
      const scope = await ownerOf(deps.db, programOf(request).resellerId, invoiceId);
      return sendInvoiceDocument(deps, { scope, invoiceId }, 'attachment', request, reply);
    },
  );

  app.delete(
    path,
    {
      config: {
        access: 'program',
        scope: 'invoices:write',
        refusals: ['invoice.notFound', 'invoice.noDocument'],
      },
      schema: {
        tags,
        operationId: 'deleteInvoiceDocument',
        summary: 'Removes the provider’s own PDF of an invoice; the one that is made here is shown again',
        params: idParams,
        response: { 200: envelope(invoiceDocument) },
      },
    },
    async (request) => {
      const at = { resellerId: programOf(request).resellerId, id: request.params.id };
      return { data: await removeDocument(deps, at, actedBy(request), clock.now()) };
    },
  );
}
