import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  adminImport,
  adminImportDetail,
  importPage,
  importQuery,
  importUndo,
  importUploadQuery,
} from '@counterfoil/contract/operator/imports/admin-imports.ts';
import { importColumnsPut, importMappingList } from '@counterfoil/contract/operator/imports/entity-import.ts';
import type { FastifyRequest } from 'fastify';
import { actedBy } from '../../../audit/acted-by.ts';
import type { App } from '../../../http/app-type.ts';
import { programOf } from '../../../http/guards/access.ts';
import { listMappings } from '../mappings/find-mapping.ts';
import { allKinds, receivedFile, takeFiles } from '../uploads/received-file.ts';
import { startUpload, type TakingUploads } from '../uploads/upload.ts';
import { setColumns } from './columns.ts';
import { presentImport, presentImportDetail } from './present.ts';
import { listImports } from './queries.ts';
import { discardImport, type ImportAt, importNamed, startImport, stopImport, undoImport } from './service.ts';

const tags = ['imports'];
const path = '/v1/admin/imports';

/** Imports of files, for a provider's programs. */
export function importRoutes(app: App, deps: TakingUploads): void {
  const { db, clock } = deps;
  const at = (request: FastifyRequest & { readonly params: { readonly id: string } }): ImportAt => ({
    resellerId: programOf(request).resellerId,
    id: request.params.id,
  });
  void app.register((scoped: App, _options: object, ready: () => void) => {
    takeFiles(scoped, allKinds);
    scoped.post(
      path,
      {
        config: {
          access: 'program',
          scope: 'imports:write',
          takesFile: Object.keys(allKinds),
          refusals: [
            'usageImport.noTarget',
            'usageImport.noMapping',
            'usageImport.timeZone',
            'usageImport.unfit',
            'usageImport.unreadable',
            'usageImport.tooLarge',
            'usageImport.tooMany',
            'request.mediaType',
            'server.uploading',
          ],
        },
        schema: {
          tags,
          operationId: 'addImport',
          summary: 'Takes a file of rows, usage records or an e-invoice, and imports it or only looks at it',
          description:
            'What the file is, its content tells: UBL 2.1, usage records, or rows of a kind that `/v1/admin/import-kinds` has, as CSV or NDJSON; any of it may be packed with gzip. A worker does the work: `GET …/{id}` says how far it is. With `dryRun=true` nothing is changed until `POST …/{id}/start`.',
          querystring: importUploadQuery,
          response: { 202: envelope(adminImport) },
        },
      },
      async (request, reply) => {
        const scope = programOf(request);
        const { dryRun, ...query } = request.query;
        const plan = { takesDocuments: true, isDryRun: dryRun === 'true', by: actedBy(request) };
        const id = await startUpload(deps, scope, query, receivedFile(request, allKinds), plan);
        reply.header('location', `${path}/${id}`);
        const row = await importNamed(db, { resellerId: scope.resellerId, id });
        return reply.status(202).send({ data: presentImport(row, clock.now()) });
      },
    );
    ready();
  });

  app.get(
    path,
    {
      config: { access: 'program', scope: 'imports:read' },
      schema: {
        tags,
        operationId: 'listImports',
        summary: 'Imports, the newest first, page by page',
        querystring: importQuery,
        response: { 200: importPage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { state, cursor: before, limit } = request.query;
      const rows = await listImports(db, { resellerId, state, before, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const now = clock.now();
      return {
        data: page.map((row) => presentImport(row, now)),
        nextCursor: rows.length > limit ? (page.at(-1)?.id.replaceAll('-', '') ?? null) : null,
      };
    },
  );

  app.get(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'imports:read', refusals: ['import.notFound'] },
      schema: {
        tags,
        operationId: 'getImport',
        summary: 'How far an import is, what it came to, and what its dry run found',
        params: idParams,
        response: { 200: envelope(adminImportDetail) },
      },
    },
    async (request) => ({ data: presentImportDetail(await importNamed(db, at(request)), clock.now()) }),
  );

  app.put(
    `${path}/:id/columns`,
    {
      config: {
        access: 'program',
        scope: 'imports:write',
        refusals: ['import.notFound', 'import.noColumns', 'usageImport.unfit'],
      },
      schema: {
        tags,
        operationId: 'setImportColumns',
        summary: 'Says how the columns of a file of rows are read; it is looked at anew',
        description:
          'Before the import begins. Where something is still open, `columns.questions` of the answer says what, and the file is not looked at. With `save` the mapping is kept for other files.',
        params: idParams,
        body: importColumnsPut,
        response: { 202: envelope(adminImportDetail) },
      },
    },
    async (request, reply) => {
      const act = { by: actedBy(request), now: clock.now() };
      const row = await setColumns(deps, at(request), request.body, act);
      return reply.status(202).send({ data: presentImportDetail(row, act.now) });
    },
  );

  app.get(
    '/v1/admin/import-mappings',
    {
      config: { access: 'program', scope: 'imports:read' },
      schema: {
        tags,
        operationId: 'listImportMappings',
        summary: 'Mappings that files may be read by: ready ones and the provider’s own',
        response: { 200: importMappingList },
      },
    },
    async (request) => ({
      data: (await listMappings(db, programOf(request).resellerId)).map(({ name, title, entity, isOwn }) => ({
        name,
        title,
        entity,
        isOwn,
      })),
    }),
  );

  app.post(
    `${path}/:id/start`,
    {
      config: {
        access: 'program',
        scope: 'imports:write',
        refusals: ['import.notFound', 'import.notStarted', 'import.columnsOpen'],
      },
      schema: {
        tags,
        operationId: 'startImport',
        summary: 'Begins an import that was looked at; one that has begun changes nothing',
        params: idParams,
        response: { 202: envelope(adminImport) },
      },
    },
    async (request, reply) => {
      const act = { by: actedBy(request), now: clock.now() };
      const row = await db.transaction((tx) => startImport(tx, at(request), act));
      return reply.status(202).send({ data: presentImport(row, act.now) });
    },
  );

  app.post(
    `${path}/:id/discard`,
    {
      config: {
        access: 'program',
        scope: 'imports:write',
        refusals: ['import.notFound', 'import.notDiscarded'],
      },
      schema: {
        tags,
        operationId: 'discardImport',
        summary: 'Gives up an import that has not begun; the same again changes nothing',
        params: idParams,
        response: { 200: envelope(adminImport) },
      },
    },
    async (request) => {
      const act = { by: actedBy(request), now: clock.now() };
      const row = await db.transaction((tx) => discardImport(tx, at(request), act));
      return { data: presentImport(row, act.now) };
    },
  );

  app.post(
    `${path}/:id/stop`,
    {
      config: {
        access: 'program',
        scope: 'imports:write',
        refusals: ['import.notFound', 'import.notStopped'],
      },
      schema: {
        tags,
        operationId: 'stopImport',
        summary: 'Stops an import that waits or runs; the same again changes nothing',
        description:
          'A process that is at it leaves off after the rows it is merging: the state is `stopping`, then `stopped`, or `done` where all was in by then. Where none is at it, because none has begun or it was killed, it is `stopped` at once. What is in stays and can be undone like a finished import; what would be set aside is left out. The same file again takes in the rest.',
        params: idParams,
        response: { 202: envelope(adminImport) },
      },
    },
    async (request, reply) => {
      const act = { by: actedBy(request), now: clock.now() };
      const row = await db.transaction((tx) => stopImport(tx, at(request), act));
      return reply.status(202).send({ data: presentImport(row, act.now) });
    },
  );

  app.post(
    `${path}/:id/undo`,
    {
      config: {
        access: 'program',
        scope: 'imports:write',
        refusals: ['import.notFound', 'import.notUndone'],
      },
      schema: {
        tags,
        operationId: 'undoImport',
        summary: 'Takes out again what an import made; the same again changes nothing',
        description:
          'Within seven days, of an import that corrected nothing, and only where nothing depends on what it made: no record is billed, corrected since or in a closed month, and no invoice was paid, credited, announced by Auto-Pay or tried to be paid. Else it is refused with the reason in `message`. A worker does it; of a large import it may find the reason only then: the state is `done` again, and `notUndoneBecause` says why. What waits of it in quarantine is dropped. Lines and record types that it made known stay.',
        params: idParams,
        body: importUndo,
        response: { 202: envelope(adminImport) },
      },
    },
    async (request, reply) => {
      const act = { by: actedBy(request), now: clock.now(), note: request.body.note };
      const row = await db.transaction((tx) => undoImport(tx, at(request), act));
      return reply.status(202).send({ data: presentImport(row, act.now) });
    },
  );
}
