import { envelope } from '@counterfoil/contract/envelope.ts';
import { linkParams } from '@counterfoil/contract/paying/public-pay.ts';
import type { GatewayModule } from '@counterfoil/gateways/port/define-gateway.ts';
import type { MethodKind } from '@counterfoil/gateways/port/gateway.ts';
import type { EntryPath } from '@counterfoil/gateways/port/saved-manifest.ts';
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { refuseNumbers } from '../../http/guards/number-guard.ts';
import { leaveOutEmpty } from '../../http/requests/left-out.ts';
import { sendMarkup } from './markup.ts';
import type { Preparers } from './service.ts';

/** As the specification calls the two kinds. */
const TYPES = { CC: 'card', ACH: 'bank' } as const satisfies Readonly<Record<string, MethodKind>>;
const type = z.enum(['CC', 'ACH']);

/** Each way of naming what is prepared for: the parameter of the path, and who may call it. */
const PLACES = {
  save: {
    tag: 'payment-methods',
    params: z.object({ type: z._default(type, 'CC') }),
    config: { access: 'customer', areas: ['paymentsEnabled'], limit: 'saveMethod' },
  },
  session: {
    tag: 'bulk-pay',
    params: z.object({ sessionId: z.string().check(z.regex(/^[\w-]{22,128}$/)) }),
    config: { access: 'customer', everyArea: 'paying several has a switch of its own', limit: 'payBulk' },
  },
  link: { tag: 'public-pay', params: linkParams, config: { access: 'public', limit: 'pay' } },
} as const satisfies Readonly<
  Record<EntryPath['for'], { tag: string; params: z.ZodMiniType; config: FastifyContextConfig }>
>;

/**
 * The calls by which the specification has a gateway's form prepared (payments §7): markup for a frame, or what the provider's
 * script needs. Each serves the customers whose gateway declares it; for others there is nothing there.
 */
export function entryPathRoutes(app: App, preparers: Preparers, modules: readonly GatewayModule[]): void {
  const declared = new Map<string, EntryPath>();
  for (const { manifest } of modules)
    for (const path of manifest.saved?.entryPaths ?? []) declared.set(`${path.method} ${path.path}`, path);
  for (const path of declared.values()) entryPathRoute(app, preparers, path);
}

function entryPathRoute(
  app: App,
  preparers: Preparers,
  { method, path, for: use, members }: EntryPath,
): void {
  const place = PLACES[use];
  app.route({
    method,
    url: path,
    config: place.config,
    ...(method === 'POST' && { preValidation: leaveOutEmpty }),
    schema: {
      tags: [place.tag],
      summary:
        method === 'GET'
          ? 'Markup of the provider’s form for a new method, for a frame; used once'
          : 'What the provider’s script needs for a new method; used once',
      ...(path.includes(':') && { params: place.params }),
      ...(method === 'GET' && use !== 'save' && { querystring: z.object({ type: z._default(type, 'CC') }) }),
      ...(method === 'POST' && { body: z.object({ ...members }) }),
      ...(method === 'POST' && { response: { 200: envelope(z.record(z.string(), z.string())) } }),
    },
    handler: async (request, reply) => answer(preparers, { method, path, use }, request, reply),
  });
}

async function answer(
  preparers: Preparers,
  { method, path, use }: { readonly method: string; readonly path: string; readonly use: EntryPath['for'] },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const given = method === 'POST' ? z.parse(body, request.body) : {};
  refuseNumbers(given, []);
  const { type: typeOf, sessionId, token } = z.parse(named, { ...ofQuery(request), ...ofPath(request) });
  const { account, prepare } = await preparers[use](request, sessionId ?? token ?? '');
  const own = account?.module.manifest.saved?.entryPaths?.find(
    (one) => one.path === path && one.method === method,
  );
  if (own === undefined) throw new AppError('request.notFound');
  const textOf = (member = ''): string | undefined => {
    const value = given[member];
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const typed = { methodId: textOf(own.savedMember), email: textOf(own.emailMember) };
  const prepared = await prepare(TYPES[typeOf], undefined, typed);
  return own.present === undefined
    ? sendMarkup(reply, prepared)
    : { data: { ...own.present(prepared.action), entryId: prepared.entryId } };
}

const body = z.record(z.string(), z.unknown());
const named = z.object({
  type: z._default(type, 'CC'),
  sessionId: z.optional(z.string()),
  token: z.optional(z.string()),
});
const ofQuery = ({ query }: FastifyRequest): object => Object(query);
const ofPath = ({ params }: FastifyRequest): object => Object(params);
