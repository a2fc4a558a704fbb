import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  adminReseller,
  brandListQuery,
  resellerPage,
  resellerReference,
  resellerValues,
} from '@counterfoil/contract/operator/running/admin-brands.ts';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { preconditionsOf } from '../../http/requests/preconditions.ts';
import { etagOf, presentReseller } from './present.ts';
import { findResellerByReference, listResellerPage } from './queries.ts';
import { putResellerByReference } from './service.ts';

const tags = ['resellers'];
const path = '/v1/admin/resellers';
const config = { access: 'program', ofInstallation: true } as const;

/** Resellers, for programs and operators of the installation. */
export function resellerRoutes(
  app: App,
  { db, clock, isDemo }: { readonly db: Database; readonly clock: Clock; readonly isDemo: boolean },
): void {
  app.get(
    path,
    {
      config: { ...config, scope: 'resellers:read', refusals: ['installation.only'] },
      schema: {
        tags,
        operationId: 'listResellers',
        summary: 'Resellers of the installation by their numbers, page by page',
        querystring: brandListQuery,
        response: { 200: resellerPage },
      },
    },
    async (request) => {
      const { cursor, limit } = request.query;
      const rows = await listResellerPage(db, { after: Number(cursor ?? 0), limit: limit + 1, isDemo });
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentReseller),
        nextCursor: rows.length > limit ? `${page.at(-1)?.id ?? ''}` : null,
      };
    },
  );

  app.get(
    `${path}/by-reference/:reference`,
    {
      config: { ...config, scope: 'resellers:read', refusals: ['installation.only'] },
      schema: {
        tags,
        operationId: 'getResellerByReference',
        summary: 'A reseller by the installation’s own reference; the header ETag says its state',
        params: resellerReference,
        response: { 200: envelope(adminReseller) },
      },
    },
    async (request, reply) => {
      const row = await findResellerByReference(db, request.params.reference);
      if (row === undefined) throw new AppError('reseller.notFound');
      const data = presentReseller(row);
      return reply.header('etag', etagOf(data)).send({ data });
    },
  );

  app.put(
    `${path}/by-reference/:reference`,
    {
      config: {
        ...config,
        scope: 'resellers:write',
        preconditions: true,
        refusals: ['installation.only', 'brand.refused', 'precondition.failed', 'precondition.required'],
      },
      schema: {
        tags,
        operationId: 'putResellerByReference',
        summary: 'Makes a reseller, or changes it to what is sent; the same again changes nothing',
        description:
          'A new one gets the next number, which is in the answer: further calls name it in `X-Reseller-Id`. What is left out takes its default. One that differs is changed only with `If-Match`.',
        params: resellerReference,
        body: resellerValues,
        response: { 200: envelope(adminReseller), 201: envelope(adminReseller) },
      },
    },
    async (request, reply) => {
      const { reference } = request.params;
      const { row, isNew } = await db.transaction((tx) =>
        putResellerByReference(
          tx,
          reference,
          request.body,
          preconditionsOf(request),
          actedBy(request),
          clock.now(),
        ),
      );
      const data = presentReseller(row);
      return reply
        .status(isNew ? 201 : 200)
        .header('etag', etagOf(data))
        .send({ data });
    },
  );
}
