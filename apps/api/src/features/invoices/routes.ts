import { envelope, idParams, pageEnvelope } from '@counterfoil/contract/envelope.ts';
import {
  invoice,
  invoiceDetail,
  invoiceDetailQuery,
  invoiceLine,
  invoiceLinesQuery,
  invoiceListQuery,
  invoiceOverview,
} from '@counterfoil/contract/invoices.ts';
import { asksForPage } from '@counterfoil/contract/paging.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import type { ListDeps } from '../../http/answers/whole-list.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import type { PdfRenderer } from '../../letters/pdf-service.ts';
import { overviewOf } from './lists/overview.ts';
import * as service from './service.ts';

export function invoiceRoutes(
  app: App,
  deps: service.InvoicePaperDeps & ListDeps & { readonly pdf: PdfRenderer },
): void {
  app.get(
    '/v1/ec/invoices',
    {
      config: { access: 'customer', areas: ['endShowDashboard', 'endShowInvoices', 'endShowReports'] },
      schema: {
        tags: ['invoices'],
        summary: 'Invoices and credit notes, newest first; all of them, or one page with the total count',
        querystring: invoiceListQuery,
        response: { 200: pageEnvelope(invoice) },
      },
    },
    async (request, reply) => {
      if (asksForPage(request.query)) return service.pageOfInvoices(deps, scopeOf(request), request.query);
      return service.answerInvoices(deps, scopeOf(request), reply);
    },
  );

  app.get(
    '/v1/ec/invoice/:id',
    {
      config: { access: 'customer', areas: ['endShowInvoices'] },
      schema: {
        tags: ['invoices'],
        summary: 'One invoice with its lines, taxes, usage and contradictions',
        params: idParams,
        querystring: invoiceDetailQuery,
        response: { 200: envelope(invoiceDetail) },
      },
    },
    async (request, reply) =>
      service.answerInvoice(deps, scopeOf(request), request.params.id, request.query, reply),
  );

  app.get(
    '/v1/ec/invoice/:id/lines',
    {
      config: { access: 'customer', areas: ['endShowInvoices'] },
      schema: {
        tags: ['invoices'],
        summary: 'A page of the lines of an invoice, in its order, with their number',
        params: idParams,
        querystring: invoiceLinesQuery,
        response: { 200: pageEnvelope(invoiceLine) },
      },
    },
    async (request) => service.pageOfLines(deps, scopeOf(request), request.params.id, request.query),
  );

  app.get(
    '/v1/ec/invoices/overview',
    {
      config: { access: 'customer', areas: ['endShowDashboard', 'endShowInvoices'] },
      schema: {
        tags: ['invoices'],
        summary: 'All invoices in a few sums: what is due, overdue, paid, and what can be paid together',
        response: { 200: envelope(invoiceOverview) },
      },
    },
    async (request) => ({ data: await overviewOf(deps, scopeOf(request)) }),
  );

  // The PDF itself, not wrapped.
  app.get(
    '/v1/ec/invoices/:id',
    {
      config: { access: 'customer', areas: ['endShowDashboard', 'endShowInvoices'] },
      schema: {
        tags: ['invoices'],
        summary: 'The invoice as a PDF',
        params: idParams,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) =>
      service.sendInvoiceDocument(
        deps,
        { scope: scopeOf(request), invoiceId: request.params.id },
        'inline',
        request,
        reply,
      ),
  );

  app.get(
    '/v1/ec/invoice/:id/usage.csv',
    {
      config: { access: 'customer', areas: ['endShowInvoices'] },
      schema: {
        tags: ['invoices'],
        summary: 'Usage of the invoice as CSV',
        params: idParams,
        produces: ['text/csv'],
      },
    },
    async (request, reply) => {
      const { number, csv } = await service.invoiceUsageCsv(deps, scopeOf(request), request.params.id);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition(`${number}_usage.csv`, 'attachment'))
        .send(csv);
    },
  );
}
