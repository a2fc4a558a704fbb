import { brandParams, brandQuery, brandSettings, DEFAULT_BRAND_ID } from '@counterfoil/contract/brand.ts';
import { envelope } from '@counterfoil/contract/envelope.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { Db } from '../../db/database.ts';
import type { App } from '../../http/app-type.ts';
import { sessionOf } from '../../http/guards/access.ts';
import { defaultImage } from './default-images.ts';
import { imagePolicy } from './image-policy.ts';
import { findBrand, findBrandByHost, findBrandImage } from './queries.ts';
import { brandFromRow, normaliseHost, presentBrand } from './service.ts';
import { brandStyleSheet } from './style-sheet.ts';

const imageParams = z.extend(brandParams, { kind: z.enum(['logo', 'banner']) });
const IMAGE_SECONDS = 300;

export function brandRoutes(app: App, deps: { readonly db: Db }): void {
  app.get(
    '/v1/brands-settings',
    {
      config: { access: 'public' },
      schema: {
        tags: ['brand'],
        summary: 'The brand of a host name, for the pages before sign-in',
        querystring: brandQuery,
        response: { 200: envelope(brandSettings) },
      },
    },
    async (request) => {
      const row = await findBrandByHost(deps.db, normaliseHost(request.query.d));
      if (row === undefined) throw new AppError('brand.notFound');
      return { data: presentBrand(brandFromRow(row)) };
    },
  );

  app.get(
    '/v1/brands-settings/:id',
    {
      config: { access: 'session', beforeSecondFactor: true },
      schema: {
        tags: ['brand'],
        summary: "A brand of the signed-in user's provider",
        params: brandParams,
        response: { 200: envelope(brandSettings) },
      },
    },
    async (request) => {
      const row = await findBrand(deps.db, request.params.id);
      const isMine = row?.reseller_id === sessionOf(request).resellerId || row?.id === DEFAULT_BRAND_ID;
      if (row === undefined || !isMine) throw new AppError('brand.notFound');
      return { data: presentBrand(brandFromRow(row)) };
    },
  );

  app.get(
    '/v1/brands/:id/:kind',
    {
      config: { access: 'public' },
      schema: {
        tags: ['brand'],
        summary: "A brand's logo or banner; brand 0 is the built-in one",
        params: imageParams,
        produces: ['image/*'],
      },
    },
    async (request, reply) => {
      const { id, kind } = request.params;
      const stored = await findBrandImage(deps.db, id, kind);
      const image = stored ?? (id === DEFAULT_BRAND_ID ? defaultImage(kind) : undefined);
      if (image === undefined) throw new AppError('brand.notFound');
      return reply
        .header('content-security-policy', imagePolicy(image))
        .header('cache-control', `public, max-age=${IMAGE_SECONDS}`)
        .type(image.content_type)
        .send(image.content);
    },
  );

  app.get(
    '/brand.css',
    {
      config: { access: 'public', hidden: true },
      schema: { querystring: z.object({ b: z.coerce.number().check(z.int(), z.minimum(0)) }) },
    },
    async (request, reply) => {
      const row = (await findBrand(deps.db, request.query.b)) ?? (await findBrand(deps.db, DEFAULT_BRAND_ID));
      return reply
        .header('cache-control', `public, max-age=${IMAGE_SECONDS}`)
        .type('text/css; charset=utf-8')
        .send(brandStyleSheet(row?.colours ?? []));
    },
  );
}
