import { envelope } from '@counterfoil/contract/envelope.ts';
import { statement, statementQuery } from '@counterfoil/contract/statement.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import type { ListDeps } from '../../http/answers/whole-list.ts';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { type PdfRenderer, renderPdf } from '../../letters/pdf-service.ts';
import { answerStatement, type StatementPaperDeps, statementDocument } from './service.ts';

/** The customer's running account: what was billed, paid and credited, and what is open. */
export function statementRoutes(
  app: App,
  deps: StatementPaperDeps & ListDeps & { readonly pdf: PdfRenderer },
): void {
  app.get(
    '/v1/ec/statement',
    {
      config: { access: 'customer', areas: ['endShowInvoices'] },
      schema: {
        tags: ['statement'],
        summary: 'Running account over a span of days in one currency, with what is open by age',
        querystring: statementQuery,
        response: { 200: envelope(statement) },
      },
    },
    async (request, reply) => answerStatement(deps, scopeOf(request), request.query, reply),
  );

  app.get(
    '/v1/ec/statement/pdf',
    {
      config: { access: 'customer', areas: ['endShowInvoices'] },
      schema: {
        tags: ['statement'],
        summary: 'The running account as a PDF, of at most 2,000 entries',
        querystring: statementQuery,
        produces: ['application/pdf'],
      },
    },
    async (request, reply) => {
      const { dateFrom, dateTo } = request.query;
      const document = await statementDocument(deps, scopeOf(request), request.query);
      return reply
        .type('application/pdf')
        .header(
          'content-disposition',
          contentDisposition(`Statement_${dateFrom}_${dateTo}.pdf`, 'attachment'),
        )
        .send(await renderPdf(deps.pdf, document, request.raw));
    },
  );
}
