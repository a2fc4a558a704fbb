import { envelope } from '@counterfoil/contract/envelope.ts';
import {
  type AdminRecordType,
  type AdminService,
  adminRecordType,
  adminService,
  codeQuery,
  type RecordTypeValues,
  recordTypePage,
  recordTypeParams,
  recordTypeValues,
  type ServiceValues,
  servicePage,
  serviceParams,
  serviceValues,
} from '@counterfoil/contract/operator/billing/services.ts';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import { bulkRoute } from '../../bulk/bulk-route.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { preconditionsOf } from '../../http/requests/preconditions.ts';
import { bulkServices } from './bulk-services.ts';
import { etagOf } from './entity.ts';
import type { MasterDataDeps } from './entity-routes.ts';
import {
  findRecordType,
  findService,
  listRecordTypes,
  listServices,
  putRecordType,
  putService,
  type SharedRow,
} from './services.ts';

const tags = ['master data'];
const path = '/v1/admin/services';
const byCode = `${path}/by-reference/:service`;
const types = `${byCode}/record-types`;
const typeByCode = `${types}/by-reference/:recordType`;
const put =
  'What is left out of the body is taken away. 201: made; 200: changed, or as it was. One that differs is changed only with `If-Match`, as customers are.';

const presentService = ({ id, reference, kept }: SharedRow<ServiceValues>): AdminService => ({
  id,
  reference,
  ...kept,
});
const presentType = (
  { id, reference, kept }: SharedRow<RecordTypeValues>,
  service: string,
): AdminRecordType => ({ id, reference, service, ...kept });

/** Services of a reseller and the types of their records, for its programs. Usage that is imported makes what it names. */
export function serviceRoutes(app: App, { db, clock, bulk }: MasterDataDeps): void {
  bulkRoute(app, bulk, bulkServices, {
    path: `${path}/bulk`,
    scope: 'services:write',
    tags,
    operationId: 'putServicesInBulk',
    summary: 'Makes or changes many services: a line in for each, a line out for each',
    line: 'Each line is the body of `putService` with `reference`, its code, beside it.\n\n```\n{"reference":"voice","name":"Voice","serviceItemLabel":"Number"}\n```',
  });
  app.get(
    path,
    {
      config: { access: 'program', scope: 'services:read' },
      schema: {
        tags,
        operationId: 'listServices',
        summary: 'Services of the reseller by their codes, page by page',
        querystring: codeQuery,
        response: { 200: servicePage },
      },
    },
    async (request) => {
      const { cursor: after = '', limit } = request.query;
      const rows = await listServices(db, programOf(request).resellerId, { after, limit: limit + 1 });
      return pageOf(rows, limit, presentService);
    },
  );

  app.get(
    byCode,
    {
      config: { access: 'program', scope: 'services:read', refusals: ['reference.notFound'] },
      schema: {
        tags,
        operationId: 'getServiceByReference',
        summary: 'A service by its code; the header ETag says its state',
        params: serviceParams,
        response: { 200: envelope(adminService) },
      },
    },
    async (request, reply) => {
      const row = await findService(db, programOf(request).resellerId, request.params.service);
      if (row === undefined) throw new AppError('reference.notFound');
      return reply.header('etag', etagOf(row.kept)).send({ data: presentService(row) });
    },
  );

  app.put(
    byCode,
    {
      config: {
        access: 'program',
        scope: 'services:write',
        preconditions: true,
        refusals: ['precondition.failed', 'precondition.required'],
      },
      schema: {
        tags,
        operationId: 'putService',
        summary: 'Makes a service, or changes it to what is sent; the same again changes nothing',
        description: put,
        params: serviceParams,
        body: serviceValues,
        response: { 200: envelope(adminService), 201: envelope(adminService) },
      },
    },
    async (request, reply) => {
      const of = { resellerId: programOf(request).resellerId, by: actedBy(request) };
      const { service } = request.params;
      const { row, isNew } = await db.transaction((tx) =>
        putService(tx, of, service, request.body, preconditionsOf(request), clock.now()),
      );
      return reply
        .status(isNew ? 201 : 200)
        .header('etag', etagOf(row.kept))
        .send({ data: presentService(row) });
    },
  );

  app.get(
    types,
    {
      config: { access: 'program', scope: 'services:read', refusals: ['reference.notFound'] },
      schema: {
        tags,
        operationId: 'listRecordTypes',
        summary: 'Record types of a service by their codes, page by page',
        params: serviceParams,
        querystring: codeQuery,
        response: { 200: recordTypePage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { service } = request.params;
      if ((await findService(db, resellerId, service)) === undefined)
        throw new AppError('reference.notFound');
      const { cursor: after = '', limit } = request.query;
      const rows = await listRecordTypes(db, resellerId, service, { after, limit: limit + 1 });
      return pageOf(rows, limit, (row) => presentType(row, service));
    },
  );

  app.get(
    typeByCode,
    {
      config: { access: 'program', scope: 'services:read', refusals: ['reference.notFound'] },
      schema: {
        tags,
        operationId: 'getRecordTypeByReference',
        summary: 'A record type by its code within a service; the header ETag says its state',
        params: recordTypeParams,
        response: { 200: envelope(adminRecordType) },
      },
    },
    async (request, reply) => {
      const { service, recordType } = request.params;
      const row = await findRecordType(db, programOf(request).resellerId, service, recordType);
      if (row === undefined) throw new AppError('reference.notFound');
      return reply.header('etag', etagOf(row.kept)).send({ data: presentType(row, service) });
    },
  );

  app.put(
    typeByCode,
    {
      config: {
        access: 'program',
        scope: 'services:write',
        preconditions: true,
        refusals: ['reference.notFound', 'precondition.failed', 'precondition.required'],
      },
      schema: {
        tags,
        operationId: 'putRecordType',
        summary: 'Makes a record type, or changes it to what is sent; the same again changes nothing',
        description: put,
        params: recordTypeParams,
        body: recordTypeValues,
        response: { 200: envelope(adminRecordType), 201: envelope(adminRecordType) },
      },
    },
    async (request, reply) => {
      const of = { resellerId: programOf(request).resellerId, by: actedBy(request) };
      const { service, recordType: code } = request.params;
      const { row, isNew } = await db.transaction((tx) =>
        putRecordType(tx, of, { service, code }, request.body, preconditionsOf(request), clock.now()),
      );
      return reply
        .status(isNew ? 201 : 200)
        .header('etag', etagOf(row.kept))
        .send({ data: presentType(row, service) });
    },
  );
}

/** A page of things in the order of their codes. @param rows one more than the page has, where there are more */
function pageOf<Row extends { readonly reference: string }, Shown>(
  rows: readonly Row[],
  limit: number,
  present: (row: Row) => Shown,
): { data: Shown[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  return {
    data: page.map(present),
    nextCursor: rows.length > limit ? (page.at(-1)?.reference ?? null) : null,
  };
}
