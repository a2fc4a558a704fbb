import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import { usageImport, usageUploadQuery } from '@counterfoil/contract/operator/imports/usage-import.ts';
import { actedBy } from '../../audit/acted-by.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { Slots } from '../../limits/slots.ts';
import { importKindRoutes } from './entities/kind-routes.ts';
import { quarantineRoutes } from './quarantine/admin-routes.ts';
import type { RetryDeps } from './quarantine/retry.ts';
import { importRoutes } from './runs/routes.ts';
import { receivedFile, takeFiles, usageKinds } from './uploads/received-file.ts';
import { showUpload, startUpload, type TakingUploads, type UploadDeps } from './uploads/upload.ts';

/** Each is written to the disk as it comes, and one that is packed takes a core. */
const AT_ONCE = { atOnce: 4, each: 2 };

/** Imports, what they have set aside, and uploads of usage records by a provider's own programs. */
export function uploadRoutes(app: App, deps: UploadDeps & { readonly retry: RetryDeps }): void {
  const slots = new Slots({
    ...AT_ONCE,
    tooManyOfOne: 'usageImport.tooMany',
    tooManyOfAll: 'server.uploading',
  });
  const taking = { ...deps, slots };
  usageUploadRoutes(app, taking);
  importKindRoutes(app);
  importRoutes(app, taking);
  quarantineRoutes(app, deps);
}

function usageUploadRoutes(app: App, deps: TakingUploads): void {
  const tags = ['usage imports'];
  void app.register((scoped: App, _options: object, ready: () => void) => {
    takeFiles(scoped, usageKinds);
    scoped.post(
      '/v1/admin/usage-imports',
      {
        config: {
          access: 'program',
          scope: 'usage:write',
          takesFile: Object.keys(usageKinds),
          refusals: [
            'usageImport.noTarget',
            'usageImport.tooLarge',
            'usageImport.tooMany',
            'request.mediaType',
          ],
        },
        schema: {
          tags,
          operationId: 'uploadUsage',
          summary:
            'Takes a file of usage records and imports it in the background; the answer says where to look',
          querystring: usageUploadQuery,
          response: { 202: envelope(usageImport) },
        },
      },
      async (request, reply) => {
        const scope = programOf(request);
        const plan = { takesDocuments: false, isDryRun: false, by: actedBy(request) };
        const id = await startUpload(deps, scope, request.query, receivedFile(request, usageKinds), plan);
        reply.header('location', `/v1/admin/usage-imports/${id}`);
        return reply.status(202).send({ data: await showUpload(deps, scope, id) });
      },
    );
    ready();
  });

  app.get(
    '/v1/admin/usage-imports/:id',
    {
      config: { access: 'program', scope: 'usage:read', refusals: ['usageImport.notFound'] },
      schema: {
        tags,
        operationId: 'getUsageImport',
        summary:
          'How far an import is, what it came to and what was not taken; all of it is in when it is done',
        params: idParams,
        response: { 200: envelope(usageImport) },
      },
    },
    async (request) => ({ data: await showUpload(deps, programOf(request), request.params.id) }),
  );
}
