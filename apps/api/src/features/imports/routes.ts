import type { Readable } from 'node:stream';
import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import { usageImport, usageUploadQuery } from '@counterfoil/contract/operator/usage-import.ts';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { Slots } from '../../limits/slots.ts';
import { showUpload, startUpload, type UploadDeps } from './uploads/upload.ts';

/** Kinds of files, and what a file of that kind is read as; of a compressed one its mapping says it. */
const kinds = { 'text/csv': 'csv', 'application/x-ndjson': 'ndjson', 'application/gzip': undefined } as const;
type Kind = keyof typeof kinds;

/** Each is written to the disk as it comes, and one that is packed takes a core. */
const AT_ONCE = { atOnce: 4, each: 2 };

/** Uploads of usage records by a provider's own programs. */
export function uploadRoutes(app: App, deps: UploadDeps): void {
  const tags = ['usage imports'];
  const slots = new Slots({
    ...AT_ONCE,
    tooManyOfOne: 'usageImport.tooMany',
    tooManyOfAll: 'server.uploading',
  });
  void app.register((scoped: App, _options: object, ready: () => void) => {
    scoped.removeAllContentTypeParsers();
    // A function, so that nothing on the way takes the stream for a value and looks into it.
    scoped.addContentTypeParser(Object.keys(kinds), (_request, payload, done) => {
      done(null, () => payload);
    });
    scoped.post(
      '/v1/admin/usage-imports',
      {
        config: {
          access: 'program',
          scope: 'usage:write',
          takesFile: Object.keys(kinds),
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
        const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
        const coding = request.headers['content-encoding'];
        if (
          typeof request.body !== 'function' ||
          !isKind(type) ||
          (coding !== undefined && coding !== 'gzip')
        )
          throw new AppError('request.mediaType');
        const id = await startUpload({ ...deps, slots }, scope, request.query, {
          content: (request.body as () => Readable)(),
          isGzip: coding === 'gzip' || type === 'application/gzip',
          format: kinds[type],
        });
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

const isKind = (type: string): type is Kind => Object.hasOwn(kinds, type);
