import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';

/** Asked every few seconds by programs: what went well is told to who asks for `debug` only. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * One line a request, at `info`: method, route, status, milliseconds, request id. The route and never the address: pay
 * links, tokens of mails and codes stand in addresses.
 */
export function logRequests(app: App): void {
  const answered = new WeakSet<FastifyRequest>();
  app.addHook('onRequest', async (request, reply) => {
    reply.raw.once('close', () => {
      if (!answered.has(request)) request.log.info(factsOf(request, reply), 'broken off');
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    answered.add(request);
    logAnswer(request, reply);
  });
}

/** The line of an answered request. By itself only for the few that no hook sees: those to an address that cannot be read. */
export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const isQuiet = PROBES.has(request.routeOptions.url ?? '') && reply.statusCode < 400;
  request.log[isQuiet ? 'debug' : 'info'](factsOf(request, reply), 'answered');
}

function factsOf(request: FastifyRequest, reply: FastifyReply) {
  return {
    method: request.method,
    route: request.routeOptions.url,
    status: reply.statusCode,
    ms: Math.round(reply.elapsedTime),
  };
}
