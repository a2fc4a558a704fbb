import { CUSTOMER_HEADER } from '@counterfoil/contract/envelope.ts';
import { type ErrorCode, errors } from '@counterfoil/contract/errors.ts';
import { RESELLER_HEADER } from '@counterfoil/contract/operator/access/api-keys.ts';
import { capitalised } from '@counterfoil/domain/text/capitalised.ts';
import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import Fastify, { type FastifyContextConfig, type RouteOptions } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
  jsonSchemaTransform,
} from 'fastify-type-provider-zod';
import { noCompilersOfFastify } from '../app.ts';
import type { App } from '../app-type.ts';
import { introduction } from '../docs/introduction.ts';
import type { Access } from '../guards/access.ts';
import type { Answer, OpenapiDocument, OperationObject } from './openapi-document.ts';

const PROBLEM_REF = '#/components/schemas/Problem';
/** Answers of these are RFC 6749's, not ours. */
const OAUTH_PATH = /^\/token(\/|$)/;

declare module 'fastify' {
  interface FastifyInstance {
    /** The document of every call that this server has; written when it is first asked for. */
    openapi: () => Promise<OpenapiDocument>;
  }
}

/** What the document says of a route. */
type Described = Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>;

/** `/openapi.json`, written from the same schemas that validate. Register before the routes. */
export function documentation(app: App, version: string): void {
  const routes: Described[] = [];
  app.addHook('onRoute', ({ method, url, schema, config }) => {
    if (method === 'HEAD') return;
    routes.push({ method, url, ...(schema && { schema }), ...(config && { config }) });
  });
  let document: Promise<OpenapiDocument> | undefined;
  app.decorate('openapi', () => {
    document ??= describe(routes, version);
    return document;
  });
  app.get('/openapi.json', { config: { access: 'public', hidden: true } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=60').send(await app.openapi()),
  );
}

/**
 * Writes the document on an application of its own: what writes it is large, and a server that nobody asks for its
 * document should not carry it.
 */
async function describe(routes: readonly Described[], version: string): Promise<OpenapiDocument> {
  const { default: swagger } = await import('@fastify/swagger');
  const { namedSchemas } = await import('../docs/named-schemas.ts');
  const { webhooksOut } = await import('../docs/webhooks-out.ts');
  const schemaRegistry = namedSchemas();
  const drawn = Fastify({
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: noCompilersOfFastify },
  });
  // Nothing is validated where nothing is called.
  drawn.setValidatorCompiler(() => () => true);
  drawn.setSerializerCompiler(() => JSON.stringify);
  await drawn.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Counterfoil API',
        version,
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // The server that answers with the document.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          session: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          program: { type: 'http', scheme: 'bearer', bearerFormat: 'API key' },
          operator: { type: 'apiKey', in: 'cookie', name: '__Host-operator' },
        },
      },
    },
    hideUntagged: false,
    transform: describeRoute(createJsonSchemaTransform({ schemaRegistry })),
    transformObject: describeAll(createJsonSchemaTransformObject({ schemaRegistry }), webhooksOut()),
  });
  for (const route of routes) drawn.route({ ...route, handler: async () => undefined });
  await drawn.ready();
  const document = drawn.swagger() as unknown as OpenapiDocument;
  await drawn.close();
  return document;
}

type Transform = NonNullable<FastifyDynamicSwaggerOptions['transform']>;
type TransformObject = NonNullable<FastifyDynamicSwaggerOptions['transformObject']>;

/** Who may call, in words. */
const ACCESS_WORDS: Readonly<Record<Access, string>> = {
  public: 'For anybody; no sign-in.',
  session: 'For a signed-in user.',
  customer: 'For a signed-in user, about one of their customers.',
  program: 'For a program of a provider, with an API key, and for operators.',
  operator: 'For a signed-in operator.',
};

/** What proves the caller, in the words of OpenAPI. */
const SECURITY: Readonly<Record<Exclude<Access, 'public'>, (scope: string | undefined) => object[]>> = {
  session: () => [{ session: [] }],
  customer: () => [{ session: [] }],
  program: (scope) => [{ program: [scope] }, { operator: [] }],
  operator: () => [{ operator: [] }],
};

/** Adds to a route's own schemas what its configuration says: who may call it, and the headers it reads. */
const describeRoute =
  (transform: Transform): Transform =>
  (input) => {
    const { config } = input.route;
    const transformed = transform(input);
    // Only bodies and answers name their objects: an address and headers are described member by member.
    const { params, querystring } = jsonSchemaTransform(input).schema ?? {};
    const schema: Record<string, unknown> = { ...transformed.schema };
    if (params !== undefined) schema['params'] = params;
    if (querystring !== undefined) schema['querystring'] = querystring;
    if (config?.hidden === true) return { ...transformed, schema: { ...schema, hide: true } };
    const access = config?.access ?? 'public';
    schema['x-access'] = access;
    const needs = config?.scope === undefined ? undefined : `Key or role need the scope \`${config.scope}\`.`;
    schema['description'] = [ACCESS_WORDS[access], needs, schema['description']].filter(Boolean).join('\n\n');
    if (config?.areas !== undefined) schema['x-areas'] = config.areas;
    if (config?.inPersonOnly === true) schema['x-in-person-only'] = true;
    schema['security'] = access === 'public' ? [] : SECURITY[access](config?.scope);
    const off: readonly ErrorCode[] = config?.areas === undefined ? [] : ['area.disabled'];
    schema['x-refusals'] = [...REFUSALS[access], ...off, ...(config?.refusals ?? [])];
    if (config?.takesFile !== undefined) schema['body'] = { content: fileOf(config.takesFile) };
    const headers = headerSchema(access, config ?? {});
    if (headers !== undefined) schema['headers'] = headers;
    const { produces, response } = schema;
    if (response === undefined && Array.isArray(produces)) schema['response'] = { 200: fileAnswer(produces) };
    return { ...transformed, schema };
  };

const preconditionHeaders = {
  'if-match': {
    type: 'string',
    description: 'The `ETag` of the state that was read, or `*` for any; needed to change what is there.',
  },
  'if-none-match': { type: 'string', description: '`*`: only where there is none yet.' },
};

/** What any call may be refused with. */
const ANY: readonly ErrorCode[] = ['request.invalid', 'request.malformed', 'rate.limited'];
const SESSION: readonly ErrorCode[] = [...ANY, 'session.missing', 'session.ended'];

/** What every call may be refused with, by who may call. */
const REFUSALS: Readonly<Record<Access, readonly ErrorCode[]>> = {
  public: ANY,
  session: SESSION,
  customer: [...SESSION, 'customer.notYours', 'customer.none'],
  program: [
    ...ANY,
    'apiKey.refused',
    'apiKey.scope',
    'operator.role',
    'reseller.missing',
    'reseller.notFound',
  ],
  operator: [...ANY, 'operator.signInNeeded'],
};

function headerSchema(
  access: Access,
  { idempotencyKey, ofInstallation, preconditions }: FastifyContextConfig,
): object | undefined {
  const properties = {
    ...(access === 'customer'
      ? {
          [CUSTOMER_HEADER]: {
            type: 'string',
            format: 'uuid',
            description: "Which of the user's customers this is about; without it the first by label.",
          },
        }
      : {}),
    ...(access === 'program' && ofInstallation !== true
      ? {
          [RESELLER_HEADER]: {
            type: 'string',
            pattern: '^[1-9][0-9]{0,8}$',
            description: 'The reseller the call is about; needed with a key or operator of the installation.',
          },
        }
      : {}),
    ...(preconditions === true ? preconditionHeaders : {}),
    ...(idempotencyKey === true
      ? {
          'idempotency-key': {
            type: 'string',
            maxLength: 128,
            description: 'The same key with the same body is the same payment, however often it is sent.',
          },
        }
      : {}),
  };
  return Object.keys(properties).length === 0 ? undefined : { type: 'object', properties };
}

function fileAnswer(types: readonly string[]): object {
  return { description: 'The file', content: fileOf(types) };
}

const fileOf = (types: readonly string[]): object =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]));

/** Names every call and every object, and says how each call refuses. */
const describeAll =
  (withComponents: TransformObject, webhooks: NonNullable<OpenapiDocument['webhooks']>): TransformObject =>
  (input) => {
    if (!('openapiObject' in input)) throw new Error('the document is written as OpenAPI 3');
    const document = withComponents(input) as OpenapiDocument;
    const paths = Object.fromEntries(
      Object.entries(document.paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, said]) => {
            const named = { ...said, operationId: said.operationId ?? operationIdOf(method, path) };
            return [method, withRefusals(named, OAUTH_PATH.test(path))];
          }),
        ),
      ]),
    );
    return withUsedSchemas({ ...document, paths, webhooks }) as typeof input.openapiObject;
  };

/** The name of a call that has none of its own: `GET /v1/ec/invoice/{id}` is `getInvoiceById`. */
function operationIdOf(method: string, path: string): string {
  const words = path
    .replace(/^\/v1(\/ec)?/, '')
    .split('/')
    .filter(Boolean)
    .map((part) => (part.startsWith('{') ? `by-${part.slice(1, -1)}` : part));
  return [method, ...words.join('-').split(/\W/).map(capitalised)].join('');
}

function withRefusals(operation: OperationObject, isOauth: boolean): OperationObject {
  const { 'x-refusals': codes = [], ...said } = operation;
  if (isOauth) return said;
  const byStatus = Object.groupBy(codes, (code) => errors[code].status);
  const refusals = Object.entries(byStatus).map(([status, ofStatus = []]) => [
    status,
    refusalOf(ofStatus.map((code) => `\`${code}\`: ${errors[code].text}.`).join('\n\n')),
  ]);
  const refusal = refusalOf('Any other refusal; the codes stand in the list of errors');
  const responses = { ...said.responses, ...Object.fromEntries(refusals), default: refusal };
  return { ...said, responses };
}

const refusalOf = (description: string): Answer => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: PROBLEM_REF } } },
});

const REFERENCE = /"#\/components\/schemas\/(\w+)"/g;

/** Leaves out objects that nothing in the document names; one that only calls send needs no 'Input' in its name. */
function withUsedSchemas(document: OpenapiDocument): OpenapiDocument {
  const all = document.components?.schemas ?? {};
  const used = new Set<string>();
  const visit = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(REFERENCE)) {
      if (used.has(name)) continue;
      used.add(name);
      visit(all[name]);
    }
  };
  visit([document.paths, document.webhooks]);
  const shortened = (name: string): string => {
    const short = name.replace(/Input$/, '');
    return used.has(short) ? name : short;
  };
  const schemas = Object.fromEntries([...used].map((name) => [shortened(name), all[name]]));
  const text = JSON.stringify({ ...document, components: { ...document.components, schemas } });
  return JSON.parse(text.replaceAll(REFERENCE, (_all, name) => `"#/components/schemas/${shortened(name)}"`));
}
