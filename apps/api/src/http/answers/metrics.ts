import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../../app-error.ts';
import { counts, rounds } from '../../counts.ts';
import type { Database } from '../../db/database.ts';
import { sha256 } from '../../secrets.ts';
import type { App } from '../app-type.ts';

/** What the process counts; features add their own metrics to the registry. */
export interface Metrics {
  readonly registry: Registry;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: keyof typeof counts, help: string, labelNames: readonly string[]) =>
    new Counter({
      name: `counterfoil_${name}_total`,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const [values, count] of counts[name].entries())
          this.inc(Object.fromEntries(labelNames.map((label, at) => [label, values[at] ?? ''])), count);
      },
    });
  counter('payments', 'Charges that this process saw end, by outcome', ['outcome']);
  counter('deliveries', 'Deliveries of gateways to this process: taken, refused, failed', ['outcome']);
  counter('mails', 'Mails by this process: sent, failed (tried again), refused (for good)', ['outcome']);
  counter('jobs', 'Runs of jobs by this process: done, failed (tried again), givenUp', ['job', 'outcome']);
  new Gauge({
    name: 'counterfoil_last_round_timestamp_seconds',
    help: 'When a background round of this process last went well, by its name',
    labelNames: ['round'],
    registers: [registry],
    collect() {
      for (const [round, { okAt }] of rounds) if (okAt !== undefined) this.set({ round }, okAt / 1_000);
    },
  });
  return { registry };
}

/** Request counts and times by route, and `GET /metrics` for loopback callers or holders of the token. */
export function metricsRoutes(
  app: App,
  metrics: Metrics,
  options: { readonly token: string | undefined; readonly pools: Readonly<Record<string, Database>> },
): void {
  const seconds = new Histogram({
    name: 'counterfoil_http_request_seconds',
    help: 'Time to answer, by route and status class',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 25],
    registers: [metrics.registry],
  });
  const faults = new Counter({
    name: 'counterfoil_http_faults_total',
    help: 'Answers with a status of 500 or more',
    registers: [metrics.registry],
  });
  new Gauge({
    name: 'counterfoil_database_connections',
    help: 'Connections by pool and state',
    labelNames: ['pool', 'state'],
    registers: [metrics.registry],
    collect() {
      for (const [name, { pool }] of Object.entries(options.pools)) {
        this.set({ pool: name, state: 'idle' }, pool.idleCount);
        this.set({ pool: name, state: 'used' }, pool.totalCount - pool.idleCount);
        this.set({ pool: name, state: 'waiting' }, pool.waitingCount);
      }
    },
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const status = `${Math.floor(reply.statusCode / 100)}xx`;
    seconds.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (reply.statusCode >= 500) faults.inc();
  });
  app.get('/metrics', { config: { access: 'public', hidden: true } }, async (request, reply) => {
    if (!isAllowed(request, options.token)) throw new AppError('request.notFound');
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

function isAllowed(request: FastifyRequest, token: string | undefined): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (token !== undefined && given !== undefined) return timingSafeEqual(sha256(given), sha256(token));
  // Behind a proxy on this machine every caller looks local: what was forwarded does not count as loopback.
  const wasForwarded = 'x-forwarded-for' in request.headers || 'forwarded' in request.headers;
  return !wasForwarded && /^(127\.|::1$|::ffff:127\.)/.test(request.socket.remoteAddress ?? '');
}
