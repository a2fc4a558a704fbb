import { importKindList, importKindParams } from '@counterfoil/contract/operator/imports/entity-import.ts';
import { contentDisposition } from '@counterfoil/domain/text/file-name.ts';
import type { App } from '../../../http/app-type.ts';
import { describedKind, describedKinds, presentKind } from './described.ts';
import { templateName, templateOf } from './template.ts';

const tags = ['imports'];
const path = '/v1/admin/import-kinds';

/** What files of rows may hold, and files to fill in. */
export function importKindRoutes(app: App): void {
  app.get(
    path,
    {
      config: { access: 'program', scope: 'imports:read' },
      schema: {
        tags,
        operationId: 'listImportKinds',
        summary:
          'What files of rows may hold, with the columns of each kind, in the order in which one needs the other',
        response: { 200: importKindList },
      },
    },
    () => Promise.resolve({ data: describedKinds().map(presentKind) }),
  );

  app.get(
    `${path}/:kind/template`,
    {
      config: { access: 'program', scope: 'imports:read' },
      schema: {
        tags,
        operationId: 'getImportTemplate',
        summary: 'A CSV file of a kind to fill in, with a row that can be imported as it stands',
        params: importKindParams,
        produces: ['text/csv'],
      },
    },
    async (request, reply) => {
      const kind = describedKind(request.params.kind);
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', contentDisposition(templateName(kind), 'attachment'))
        .send(templateOf(kind));
    },
  );
}
