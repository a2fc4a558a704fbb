import { envelope } from '@counterfoil/contract/envelope.ts';
import { isMailKind, MAIL_PLACEHOLDERS } from '@counterfoil/contract/mail-texts.ts';
import {
  adminBrand,
  adminBrandDetail,
  adminBrandParams,
  adminReseller,
  brandImageParams,
  brandListQuery,
  brandPage,
  brandReference,
  brandValues,
  resellerValues,
  standardMailText,
} from '@counterfoil/contract/operator/running/admin-brands.ts';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { preconditionsOf } from '../../http/requests/preconditions.ts';
import { builtInTexts } from '../../mail/texts.ts';
import { setImage } from './images.ts';
import { etagOf, presentAdminBrand, presentBrandDetail, presentReseller } from './present.ts';
import { findAdminBrand, findBrandByReference, findReseller, listAdminBrands } from './queries.ts';
import { putBrand, putReseller, setBrand } from './service.ts';

const tags = ['brands'];
const path = '/v1/admin/brands';
const imageTypes = ['image/svg+xml', 'image/png', 'image/jpeg', 'image/webp'];
/** A little more than the largest banner, which is refused by its own size. */
const IMAGE_BYTES = 2_100_000;

const standardMailTexts = Object.keys(MAIL_PLACEHOLDERS)
  .filter(isMailKind)
  .map((kind) => ({ kind, placeholders: [...MAIL_PLACEHOLDERS[kind]], ...builtInTexts[kind] }));

interface BrandDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/** Brands and what is set of the reseller, for a provider's programs. */
export function adminBrandRoutes(app: App, deps: BrandDeps): void {
  const { db, clock } = deps;
  app.get(
    path,
    {
      config: { access: 'program', scope: 'brands:read' },
      schema: {
        tags,
        operationId: 'listBrands',
        summary: 'Brands of the reseller by their numbers, page by page',
        querystring: brandListQuery,
        response: { 200: brandPage },
      },
    },
    async (request) => {
      const { cursor, limit } = request.query;
      const rows = await listAdminBrands(db, programOf(request).resellerId, Number(cursor ?? 0), limit + 1);
      const page = rows.slice(0, limit);
      return {
        data: page.map(presentAdminBrand),
        nextCursor: rows.length > limit ? `${page.at(-1)?.id ?? ''}` : null,
      };
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'brands:read', refusals: ['brand.notFound'] },
      schema: {
        tags,
        operationId: 'getBrand',
        summary: 'A brand with the contrasts of its colours; the header ETag says its state',
        params: adminBrandParams,
        response: { 200: envelope(adminBrandDetail) },
      },
    },
    async (request, reply) => {
      const row = await findAdminBrand(db, programOf(request).resellerId, request.params.id);
      if (row === undefined) throw new AppError('brand.notFound');
      return reply.header('etag', etagOf(presentAdminBrand(row))).send({ data: presentBrandDetail(row) });
    },
  );

  app.get(
    `${path}/by-reference/:reference`,
    {
      config: { access: 'program', scope: 'brands:read', refusals: ['brand.notFound'] },
      schema: {
        tags,
        operationId: 'getBrandByReference',
        summary: 'A brand by the provider’s own reference, with the contrasts of its colours',
        params: brandReference,
        response: { 200: envelope(adminBrandDetail) },
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const row = await findBrandByReference(db, resellerId, request.params.reference);
      if (row === undefined) throw new AppError('brand.notFound');
      return reply.header('etag', etagOf(presentAdminBrand(row))).send({ data: presentBrandDetail(row) });
    },
  );

  app.put(
    `${path}/by-reference/:reference`,
    {
      config: {
        access: 'program',
        scope: 'brands:write',
        preconditions: true,
        refusals: ['brand.refused', 'brand.hostTaken', 'precondition.failed', 'precondition.required'],
      },
      schema: {
        tags,
        operationId: 'putBrand',
        summary: 'Makes a brand, or changes it to what is sent; the same again changes nothing',
        description:
          'What is left out takes its default, and hosts that are left out are taken away. 201: made; 200: changed, or as it was. One that differs is changed only with `If-Match`, as customers are. It holds from the next request on, in every process.',
        params: brandReference,
        body: brandValues,
        response: { 200: envelope(adminBrand), 201: envelope(adminBrand) },
      },
    },
    async (request, reply) => {
      const at = { resellerId: programOf(request).resellerId, reference: request.params.reference };
      const { row, isNew } = await db.transaction((tx) =>
        putBrand(tx, at, request.body, preconditionsOf(request), actedBy(request), clock.now()),
      );
      const data = presentAdminBrand(row);
      return reply
        .status(isNew ? 201 : 200)
        .header('etag', etagOf(data))
        .send({ data });
    },
  );

  app.put(
    `${path}/:id`,
    {
      config: {
        access: 'program',
        scope: 'brands:write',
        preconditions: true,
        refusals: [
          'brand.notFound',
          'brand.refused',
          'brand.hostTaken',
          'precondition.failed',
          'precondition.required',
        ],
      },
      schema: {
        tags,
        operationId: 'changeBrand',
        summary:
          'Changes a brand, also one without a reference, to what is sent; the same again changes nothing',
        description: 'As by reference, but a brand that is not there is not made.',
        params: adminBrandParams,
        body: brandValues,
        response: { 200: envelope(adminBrand) },
      },
    },
    async (request, reply) => {
      const at = { resellerId: programOf(request).resellerId, id: request.params.id };
      const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = request.headers;
      const row = await db.transaction((tx) =>
        setBrand(tx, at, request.body, { ifMatch, ifNoneMatch }, actedBy(request), clock.now()),
      );
      const data = presentAdminBrand(row);
      return reply.header('etag', etagOf(data)).send({ data });
    },
  );

  imageRoutes(app, deps);

  app.get(
    '/v1/admin/mail-texts',
    {
      config: { access: 'program', scope: 'brands:read' },
      schema: {
        tags,
        operationId: 'listStandardMailTexts',
        summary: 'The standard words of every mail, and what may stand in braces in a brand’s own ones',
        response: { 200: envelope(z.array(standardMailText)) },
      },
    },
    () => ({ data: standardMailTexts }),
  );

  app.get(
    '/v1/admin/reseller',
    {
      config: { access: 'program', scope: 'brands:read' },
      schema: {
        tags,
        operationId: 'getReseller',
        summary: 'The reseller that the call is about; the header ETag says its state',
        response: { 200: envelope(adminReseller) },
      },
    },
    async (request, reply) => {
      const data = presentReseller(await findReseller(db, programOf(request).resellerId));
      return reply.header('etag', etagOf(data)).send({ data });
    },
  );

  app.put(
    '/v1/admin/reseller',
    {
      config: {
        access: 'program',
        scope: 'brands:write',
        preconditions: true,
        refusals: ['brand.refused', 'precondition.failed', 'precondition.required'],
      },
      schema: {
        tags,
        operationId: 'putReseller',
        summary: 'Changes what is set of the reseller; the same again changes nothing',
        description:
          'What is left out takes its default. `If-Match` says which state was read, as with brands.',
        body: resellerValues,
        response: { 200: envelope(adminReseller) },
      },
    },
    async (request, reply) => {
      const { resellerId } = programOf(request);
      const row = await db.transaction((tx) =>
        putReseller(tx, resellerId, request.body, preconditionsOf(request), actedBy(request), clock.now()),
      );
      const data = presentReseller(row);
      return reply.header('etag', etagOf(data)).send({ data });
    },
  );
}

/** Logo and banner. They are shown by `GET /v1/brands/{id}/{kind}`. */
function imageRoutes(app: App, { db, clock }: BrandDeps): void {
  const schema = { tags, params: brandImageParams, response: { 200: envelope(adminBrand) } } as const;
  const change = async (
    request: Parameters<typeof actedBy>[0] & { params: { id: number; kind: 'logo' | 'banner' } },
    content: Buffer | null,
  ) => {
    const { id, kind } = request.params;
    const at = { resellerId: programOf(request).resellerId, id, kind };
    const row = await db.transaction((tx) => setImage(tx, at, content, actedBy(request), clock.now()));
    return { data: presentAdminBrand(row) };
  };
  void app.register((scoped: App, _options: object, ready: () => void) => {
    scoped.removeAllContentTypeParsers();
    scoped.addContentTypeParser(
      imageTypes,
      { parseAs: 'buffer', bodyLimit: IMAGE_BYTES },
      (_request, body, done) => done(null, body),
    );
    scoped.put(
      `${path}/:id/images/:kind`,
      {
        bodyLimit: IMAGE_BYTES,
        config: {
          access: 'program',
          scope: 'brands:write',
          takesFile: imageTypes,
          refusals: ['brand.notFound', 'brand.refused', 'request.mediaType', 'request.tooLarge'],
        },
        schema: {
          ...schema,
          operationId: 'putBrandImage',
          summary: 'Stores the logo or banner of a brand: SVG, PNG, JPEG or WebP, told by its content',
          description:
            'At most 200,000 bytes of a logo and 2,000,000 of a banner. An SVG with scripts or entities is refused.',
        },
      },
      async (request) => {
        if (!Buffer.isBuffer(request.body)) throw new AppError('request.mediaType');
        return change(request, request.body);
      },
    );
    ready();
  });
  app.delete(
    `${path}/:id/images/:kind`,
    {
      config: { access: 'program', scope: 'brands:write', refusals: ['brand.notFound'] },
      schema: {
        ...schema,
        operationId: 'deleteBrandImage',
        summary: 'Takes the logo or banner of a brand away; the built-in one is shown',
      },
    },
    async (request) => change(request, null),
  );
}
