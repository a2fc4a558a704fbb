import { extname } from 'node:path';
import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  report,
  reportBlobParams,
  reportJob,
  reportRequest,
  reportStarted,
  reportStatus,
} from '@counterfoil/contract/reports.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import * as z from 'zod/mini';
import type { App } from '../../http/app-type.ts';
import { scopeOf, sessionOf } from '../../http/guards/access.ts';
import * as service from './service.ts';

const contentTypes: Readonly<Record<string, string>> = {
  '.csv': 'text/csv; charset=utf-8',
  '.pdf': 'application/pdf',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Reports: which there are, making one, how far it is, its file. */
export function reportRoutes(app: App, deps: service.ReportDeps): void {
  const config = { access: 'customer', areas: ['endShowReports'] } as const;
  const tags = ['reports'];
  app.get(
    '/v1/ec/reports',
    {
      config,
      schema: {
        tags,
        summary: 'The reports there are; the standard report stands first',
        response: { 200: envelope(z.array(report)) },
      },
    },
    async () => ({ data: service.listReports(deps) }),
  );

  app.post(
    '/v1/ec/reports',
    {
      config,
      schema: {
        tags,
        summary: 'Starts a report; its status says when the file is there',
        body: reportRequest,
        response: { 200: envelope(reportStarted) },
      },
    },
    async (request) => {
      const { userId } = sessionOf(request);
      const reportId = await service.startReport(deps, scopeOf(request), userId, request.body);
      return { data: { reportId } };
    },
  );

  app.get(
    '/v1/ec/reports/jobs',
    {
      config,
      schema: {
        tags,
        summary: 'The latest twenty reports that were asked for, newest first',
        response: { 200: envelope(z.array(reportJob)) },
      },
    },
    async (request) => ({ data: await service.listJobs(deps, scopeOf(request)) }),
  );

  app.get(
    '/v1/ec/reports/status/:id',
    {
      config,
      schema: {
        tags,
        summary: 'How far a report is: 10 waiting, 20 running, 30 done, 40 failed',
        params: idParams,
        response: { 200: envelope(reportStatus) },
      },
    },
    async (request) => ({ data: await service.reportStatus(deps, scopeOf(request), request.params.id) }),
  );

  // The file itself, not wrapped.
  app.get(
    '/v1/ec/reports/blob/:path',
    {
      config,
      schema: {
        tags,
        summary: 'The file of a finished report',
        params: reportBlobParams,
        produces: Object.values(contentTypes),
      },
    },
    async (request, reply) => {
      const file = await service.openReportFile(deps, scopeOf(request), request.params.path);
      return reply
        .type(contentTypes[extname(file.fileName)] ?? 'application/octet-stream')
        .header('content-length', file.sizeBytes)
        .header('content-disposition', contentDisposition(file.fileName, 'attachment'))
        .header('cache-control', 'no-store')
        .send(file.content);
    },
  );
}
