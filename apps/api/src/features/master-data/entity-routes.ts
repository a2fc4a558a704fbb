import { envelope } from '@counterfoil/contract/envelope.ts';
import type { ApiScope } from '@counterfoil/contract/operator/access/api-keys.ts';
import { ownReferenceParams } from '@counterfoil/contract/operator/billing/agreements.ts';
import type { FastifyReply } from 'fastify';
import type * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import { actedBy } from '../../audit/acted-by.ts';
import { type BulkRouteDeps, bulkRoute } from '../../bulk/bulk-route.ts';
import type { Database } from '../../db/database.ts';
import { type Sql, sql } from '../../db/sql.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { programOf } from '../../http/guards/access.ts';
import { preconditionsOf, requireState } from '../../http/requests/preconditions.ts';
import { customersNamed } from '../admin/queries.ts';
import { bulkOf } from './bulk-kind.ts';
import { type Entity, type EntityRow, etagOf, findByReference, listEntities } from './entity.ts';

import { isEqual, putEntities, removeEntities } from './put-entities.ts';

export interface MasterDataDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly bulk: BulkRouteDeps;
}

/** What every list of things is asked with. */
interface ListQuery {
  readonly customer?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** What the document says of a kind of thing, and the schemas of its calls. */
export interface EntityRoutes<Values extends { readonly customer: string }, Query extends ListQuery> {
  /** As in `/v1/admin/service-items`. */
  readonly path: string;
  /** As in `putServiceItem`. */
  readonly name: string;
  readonly names: string;
  /** As in 'a service item'. */
  readonly one: string;
  readonly many: string;
  /** What its calls do beside. */
  readonly more: string;
  readonly scopes: { readonly read: ApiScope; readonly write: ApiScope };
  readonly values: z.ZodMiniObject & z.ZodMiniType<Values>;
  readonly shown: z.ZodMiniType;
  readonly page: z.ZodMiniType;
  readonly query: z.ZodMiniType<Query>;
  /** Conditions of a list beside its customer; `t` is the table, `s` the service. */
  readonly where?: (query: Query) => Sql;
  /** Of a line of a bulk file. */
  readonly line: object;
}

/** The calls about one kind of thing of customers: a list, one by reference, and many by lines. */
export function entityRoutes<Values extends { readonly customer: string }, Kept, Query extends ListQuery>(
  app: App,
  deps: MasterDataDeps,
  entity: Entity<Values, Kept>,
  said: EntityRoutes<Values, Query>,
): void {
  const { db, clock } = deps;
  const { scopes } = said;
  const tags = ['master data'];
  const base = `/v1/admin/${said.path}`;
  const byReference = `${base}/by-reference/:reference`;
  const answer = envelope(said.shown);
  const present = (row: EntityRow<Kept>) => ({
    id: row.id,
    reference: row.reference,
    customerId: row.customer_id,
    customer: row.customer,
    ...(entity.present?.(row.kept) ?? row.kept),
  });
  const send = (reply: FastifyReply, status: number, row: EntityRow<Kept> | undefined) => {
    if (row === undefined) throw new AppError('reference.notFound');
    return reply
      .status(status)
      .header('etag', etagOf(row.kept))
      .send({ data: present(row) });
  };

  app.get(
    base,
    {
      config: { access: 'program', scope: scopes.read },
      schema: {
        tags,
        operationId: `list${said.names}`,
        summary: `${capital(said.many)}, by customer and in the order in which they were made`,
        querystring: said.query,
        response: { 200: said.page },
      },
    },
    async (request, reply) => {
      const query = request.query as Query;
      const { resellerId } = programOf(request);
      const { customer, limit, cursor } = query;
      const customerId =
        customer === undefined ? undefined : (await customersNamed(db, resellerId, [customer])).get(customer);
      if (customer !== undefined && customerId === undefined)
        return reply.send({ data: [], nextCursor: null });
      const rows = await listEntities(db, entity, {
        resellerId,
        customerId,
        after: cursor === undefined ? undefined : [cursor.slice(0, 32), cursor.slice(32)],
        limit: limit + 1,
        where: said.where?.(query) ?? sql`true`,
      });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1) : undefined;
      return reply.send({
        data: page.map(present),
        nextCursor: last === undefined ? null : `${last.customer_id}${last.id}`.replaceAll('-', ''),
      });
    },
  );

  app.get(
    byReference,
    {
      config: { access: 'program', scope: scopes.read, refusals: ['reference.notFound'] },
      schema: {
        tags,
        operationId: `get${said.name}ByReference`,
        summary: `${capital(said.one)} by the provider’s own reference; the header ETag says its state`,
        params: ownReferenceParams,
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const { reference } = request.params as z.output<typeof ownReferenceParams>;
      return send(reply, 200, await findByReference(db, entity, programOf(request).resellerId, reference));
    },
  );

  app.put(
    byReference,
    {
      config: {
        access: 'program',
        scope: scopes.write,
        preconditions: true,
        refusals: [
          'reference.unknown',
          'reference.otherCustomer',
          'reference.duplicate',
          ...(entity.kind === 'serviceItem' ? (['serviceItem.numberTaken'] as const) : []),
          'precondition.failed',
          'precondition.required',
        ],
      },
      schema: {
        tags,
        operationId: `put${said.name}`,
        summary: `Makes ${said.one}, or changes it to what is sent; the same again changes nothing`,
        description: [
          said.more,
          'What is left out of the body is taken away. 201: made; 200: changed, or as it was. One that differs is changed only with `If-Match`, as customers are.',
        ].join('\n\n'),
        params: ownReferenceParams,
        body: said.values,
        response: { 200: answer, 201: answer },
      },
    },
    async (request, reply) => {
      const of = { resellerId: programOf(request).resellerId, by: actedBy(request) };
      const { reference } = request.params as z.output<typeof ownReferenceParams>;
      const write = { reference, values: request.body as Values };
      const conditions = preconditionsOf(request);
      const [done] = await db.transaction((tx) =>
        putEntities(tx, entity, of, [write], clock.now(), (before, after) =>
          requireState(
            conditions,
            before && etagOf(before.kept),
            before !== undefined && !isEqual(before.kept, after),
          ),
        ),
      );
      if (done === undefined || done instanceof AppError) throw done ?? new Error('nothing was written');
      return send(reply, done.outcome === 'created' ? 201 : 200, done.row);
    },
  );

  app.delete(
    byReference,
    {
      config: {
        access: 'program',
        scope: scopes.write,
        preconditions: true,
        refusals: ['reference.notFound', 'reference.inUse', 'precondition.failed'],
      },
      schema: {
        tags,
        operationId: `delete${said.name}`,
        summary: `Deletes ${said.one} that nothing else is about; the answer has it for the last time`,
        params: ownReferenceParams,
        response: { 200: answer },
      },
    },
    async (request, reply) => {
      const of = { resellerId: programOf(request).resellerId, by: actedBy(request) };
      const { reference } = request.params as z.output<typeof ownReferenceParams>;
      const { ifMatch = '*' } = preconditionsOf(request);
      const removed = await db.transaction((tx) =>
        removeEntities(tx, entity, of, [reference], clock.now(), ({ kept }) =>
          requireState({ ifMatch, ifNoneMatch: undefined }, etagOf(kept), true),
        ),
      );
      return send(reply, 200, removed.get(reference));
    },
  );

  bulkRoute(app, deps.bulk, bulkOf(entity, said.values), {
    path: `${base}/bulk`,
    scope: scopes.write,
    tags,
    operationId: `put${said.names}InBulk`,
    summary: `Makes, changes or deletes ${said.many}: a line in for each, a line out for each`,
    line: [
      `Each line is the body of \`put${said.name}\` with \`reference\` beside it, taken whatever state it is in; or \`{"reference": "…", "remove": true}\`, which deletes what nothing else is about.`,
      `\`\`\`\n${JSON.stringify(said.line)}\n\`\`\``,
    ].join('\n\n'),
  });
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
