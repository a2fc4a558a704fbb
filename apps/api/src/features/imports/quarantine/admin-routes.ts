import { envelope, idParams } from '@counterfoil/contract/envelope.ts';
import {
  quarantinePage,
  quarantineQuery,
  quarantineQueued,
  quarantineRetried,
  quarantineRetry,
  quarantineRetryAll,
} from '@counterfoil/contract/operator/imports/admin-quarantine.ts';
import * as z from 'zod/mini';
import { actedBy } from '../../../audit/acted-by.ts';
import type { Database } from '../../../db/database.ts';
import type { Clock } from '../../../deps.ts';
import type { App } from '../../../http/app-type.ts';
import { programOf } from '../../../http/guards/access.ts';
import { listQuarantined } from './admin-queries.ts';
import { dropEntry, presentEntry, requireImport, retryAll, retryEntry } from './admin-service.ts';
import type { RetryDeps } from './retry.ts';

const tags = ['imports'];
const path = '/v1/admin/quarantine';

export interface QuarantineRouteDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Of trying again, which takes longer than a page may. */
  readonly retry: RetryDeps;
}

/** What imports have set aside, for a provider's programs. */
export function quarantineRoutes(app: App, { db, clock, retry }: QuarantineRouteDeps): void {
  app.get(
    path,
    {
      config: { access: 'program', scope: 'imports:read', refusals: ['import.notFound'] },
      schema: {
        tags,
        operationId: 'listQuarantine',
        summary: 'What imports have set aside, with the row and why it waits, page by page',
        description:
          'Of one import in the order of its file, else the newest first. It goes in by itself when what was missing has come.',
        querystring: quarantineQuery,
        response: { 200: quarantinePage },
      },
    },
    async (request) => {
      const { resellerId } = programOf(request);
      const { import: fileId, cause, cursor: after, limit } = request.query;
      await requireImport(db, resellerId, fileId);
      const rows = await listQuarantined(db, { resellerId, fileId, cause, after, limit: limit + 1 });
      const page = rows.slice(0, limit);
      return {
        data: await Promise.all(page.map(presentEntry)),
        nextCursor: rows.length > limit ? (page.at(-1)?.cursor ?? null) : null,
      };
    },
  );

  app.post(
    `${path}/retry`,
    {
      config: { access: 'program', scope: 'imports:write', refusals: ['import.notFound'] },
      schema: {
        tags,
        operationId: 'retryQuarantine',
        summary: 'Has a worker try again all that waits, or what waits of one import or for one reason',
        body: quarantineRetryAll,
        response: { 202: envelope(quarantineQueued) },
      },
    },
    async (request, reply) => {
      const { import: fileId, cause } = request.body;
      const filter = { resellerId: programOf(request).resellerId, fileId, cause };
      const act = { by: actedBy(request), now: clock.now() };
      const queued = await db.transaction((tx) => retryAll(tx, filter, act));
      return reply.status(202).send({ data: { queued } });
    },
  );

  app.post(
    `${path}/:id/retry`,
    {
      config: {
        access: 'program',
        scope: 'imports:write',
        refusals: ['quarantine.notFound', 'quarantine.notKept', 'quarantine.values', 'quarantine.noCustomer'],
      },
      schema: {
        tags,
        operationId: 'retryQuarantined',
        summary: 'Tries one again, with other values where they are given',
        description:
          'Values that are given stay, whatever becomes of it, and stand in the audit trail with those before them.',
        params: idParams,
        body: quarantineRetry,
        response: { 200: envelope(quarantineRetried) },
      },
    },
    async (request) => {
      const at = { resellerId: programOf(request).resellerId, id: request.params.id };
      const act = { by: actedBy(request), now: clock.now() };
      const left = await retryEntry(retry, at, request.body, act);
      return {
        data: { taken: left === undefined, entry: left === undefined ? null : await presentEntry(left) },
      };
    },
  );

  app.delete(
    `${path}/:id`,
    {
      config: { access: 'program', scope: 'imports:write', refusals: ['quarantine.notFound'] },
      schema: {
        tags,
        operationId: 'dropQuarantined',
        summary: 'Takes one away for good; its file imported again brings it back',
        params: idParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const at = { resellerId: programOf(request).resellerId, id: request.params.id };
      await db.transaction((tx) => dropEntry(tx, at, { by: actedBy(request), now: clock.now() }));
      return reply.status(204).send(null);
    },
  );
}
