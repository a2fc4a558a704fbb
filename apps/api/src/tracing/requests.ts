import type { FastifyRequest } from 'fastify';
import type { App } from '../http/app-type.ts';
import { currentTracer, type OpenSpan } from './spans.ts';

/** Asked every few seconds by programs. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Each request as a span, named after method and route: pay links and tokens stand in addresses, so no address is told. Where nothing
 * is traced no hook is added.
 * @param takesParent whether a caller's `traceparent` is believed
 */
export function traceRequests(app: App, takesParent: boolean): void {
  if (currentTracer() === undefined) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, reply, done) => {
    const tracer = currentTracer();
    const route = request.routeOptions.url;
    if (tracer === undefined || PROBES.has(route ?? '')) return done();
    const { method } = request;
    const given = takesParent ? request.headers['traceparent'] : undefined;
    const facts = { 'http.request.method': method, 'counterfoil.request_id': request.id };
    const name = route === undefined ? method : `${method} ${route}`;
    const parent = typeof given === 'string' ? given : undefined;
    const span = tracer.begin('server', name, facts, parent);
    if (route !== undefined) span.tell({ 'http.route': route });
    spans.set(request, span);
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw;
      span.tell({ 'http.response.status_code': statusCode });
      if (statusCode >= 500) span.fail(String(statusCode));
      else if (!writableFinished) span.tell({ 'counterfoil.broken_off': true });
      span.end();
    });
    span.within(done);
  });
  // The body's arrival belongs to the connection: what follows it is put below the request's span again.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span === undefined) done();
    else span.within(done);
  });
}
