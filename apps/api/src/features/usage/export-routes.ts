import { type UsageQuery, usageDownload } from '@counterfoil/contract/usage.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../../http/app-type.ts';
import { scopeOf } from '../../http/guards/access.ts';
import { downloadUsage, type ExportDeps, type ExportReader, streamUsage } from './export.ts';

const CSV = 'text/csv; charset=utf-8';

/** All records of a filter in one answer, as CSV. */
export function usageExportRoutes(app: App, deps: ExportDeps): void {
  app.post(
    '/v1/ec/usage/download',
    {
      config: { access: 'customer', areas: ['endShowUsage'] },
      schema: {
        tags: ['usage'],
        summary: 'All usage records of a filter as CSV',
        body: usageDownload,
        produces: ['text/csv'],
      },
    },
    async (request, reply) => {
      const { fileName, body } = await downloadUsage(deps, readerOf(request, reply), request.body);
      return reply
        .type(CSV)
        .header('content-disposition', contentDisposition(fileName, 'attachment'))
        .header('cache-control', 'no-store')
        .send(body);
    },
  );
}

/** All records of a query in one answer, as JSON. */
export async function answerAllUsage(
  deps: ExportDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  query: UsageQuery,
): Promise<FastifyReply> {
  const body = await streamUsage(deps, readerOf(request, reply), query);
  return reply.type('application/json; charset=utf-8').header('cache-control', 'no-store').send(body);
}

function readerOf(request: FastifyRequest, reply: FastifyReply): ExportReader {
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  return { scope: scopeOf(request), signal: gone.signal };
}
