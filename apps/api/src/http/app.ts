import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod';
import { AppError } from '../app-error.ts';
import type { Deps } from '../deps.ts';
import { traceRequests } from '../tracing/requests.ts';
import './guards/access.ts';
import { sendProblem } from './answers/problems.ts';
import { logAnswer, logRequests } from './answers/request-log.ts';
import type { App } from './app-type.ts';
import { setSecurityHeaders } from './guards/security-headers.ts';
import { refuseUnstorableText } from './guards/text-guard.ts';
import { refuseUnclearHost } from './guards/unclear-host.ts';
import { answerUnreadable, refuseRaw } from './guards/unreadable.ts';
import { takeNumbersAsBytes } from './numbers/route-numbers.ts';
import { boundConnections, type ConnectionLimits, standardLimits } from './requests/connections.ts';

export interface AppLimits extends ConnectionLimits {
  /** The first byte of an answer comes within this, whatever happens behind it; milliseconds. */
  readonly answerWithinMs: number;
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Told nothing, Fastify loads a validator and a serializer of its own, some hundred modules that nothing here uses. */
export const noCompilersOfFastify = {
  buildValidator: () => unused('validator'),
  buildSerializer: () => unused('serializer'),
};

function unused(what: string): never {
  throw new Error(`the application sets its own ${what}`);
}

/**
 * The bare application: parsing limits, validation, errors, request ids. Features mount their routes on it.
 * @param given limits other than the standard ones, for tests
 */
export function createApp(deps: Pick<Deps, 'config' | 'log'>, given: Partial<AppLimits> = {}): App {
  const limits: AppLimits = { ...standardLimits, answerWithinMs: 25_000, ...given };
  const https = deps.config.publicUrl.protocol === 'https:';
  const refusing = { https, lingerMs: limits.lingerMs };
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    // Counted from our side and never `true`: then the first address of X-Forwarded-For, which the caller writes,
    // would be believed.
    trustProxy: (_address, hop) => hop < deps.config.trustProxy,
    bodyLimit: MAX_BODY_BYTES,
    // For receiving a request; answering it has a bound of its own below.
    requestTimeout: limits.receiveWithinMs,
    // How long nothing may be read or written; what follows from it depends on who lets whom wait (connections.ts).
    connectionTimeout: limits.stalledAfterMs,
    keepAliveTimeout: 65_000,
    forceCloseConnections: false,
    // What still comes on an open connection while the port is closed is answered as any other.
    return503OnClosing: false,
    exposeHeadRoutes: true,
    http: {
      // Node would refuse a request without one by itself, without our headers.
      requireHostHeader: false,
      headersTimeout: limits.receiveWithinMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    routerOptions: { maxParamLength: 512, ignoreDuplicateSlashes: false },
    schemaController: { compilersFactory: noCompilersOfFastify },
    clientErrorHandler: answerUnreadable(refusing),
    // An address that cannot be read is answered before any hook runs.
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id);
      setSecurityHeaders(reply, https);
      sendProblem(error, request, reply);
      logAnswer(request, reply);
    },
  }).withTypeProvider<ZodTypeProvider>();
  boundConnections(app.server, limits);

  // Node would answer what it does not know to expect by itself, without our headers.
  app.server.on('checkExpectation', ({ socket }: IncomingMessage) => {
    refuseRaw(socket, refusing, 'request.expectation');
  });

  // Many clients name JSON as the type of every request, of a DELETE without a body too.
  const readJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && request.method === 'DELETE') done(null, undefined);
    else void readJson(request, String(body), done);
  });

  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => sendProblem(error, request, reply));

  app.decorateRequest('sessionScope', null);
  app.decorateRequest('customerScope', null);
  app.decorateRequest('programScope', null);
  app.decorateRequest('installationScope', null);
  app.decorateRequest('operatorScope', null);

  traceRequests(app, deps.config.tracing?.takesParent === true);
  takeNumbersAsBytes(app, MAX_BODY_BYTES);
  logRequests(app);
  app.addHook('onRequest', async (request, reply) => {
    // Whatever is slow behind it, nobody waits longer for the first byte; a file may take as long as it is read for.
    // Paying calls answer sooner by themselves.
    const late = setTimeout(() => {
      if (reply.sent || reply.raw.headersSent) return;
      const isPartial = request.raw.complete === false;
      if (isPartial) reply.header('connection', 'close');
      sendProblem(new AppError(isPartial ? 'request.timeout' : 'server.unavailable'), request, reply);
    }, limits.answerWithinMs);
    reply.raw.once('close', () => clearTimeout(late));
    reply.header('x-request-id', request.id);
    refuseUnclearHost(request.raw, deps.config.trustProxy);
  });
  app.addHook('preValidation', async (request) => {
    refuseUnstorableText(request.params);
    refuseUnstorableText(request.query);
    refuseUnstorableText(request.body);
  });
  app.addHook('onRoute', (route) => {
    // The static files' own route cannot carry a config.
    if (route.url.startsWith('/assets/')) route.config = { ...route.config, access: 'public', hidden: true };
    if (route.config?.access === undefined && route.method !== 'HEAD') {
      throw new Error(`route ${String(route.method)} ${route.url} does not say who may call it`);
    }
    const { access, areas, everyArea, scope } = route.config ?? {};
    if ((access === 'program') !== (scope !== undefined) && route.method !== 'HEAD') {
      throw new Error(`route ${String(route.method)} ${route.url} names no scope, or it is not for programs`);
    }
    const saysAreas = areas !== undefined || everyArea !== undefined;
    if ((access === 'customer') !== saysAreas && route.method !== 'HEAD') {
      throw new Error(`route ${String(route.method)} ${route.url} says no areas, or it has no customer`);
    }
  });
  return app;
}
