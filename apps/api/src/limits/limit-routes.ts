import type { FastifyRequest } from 'fastify';
import type { App } from '../http/app-type.ts';
import { addressOf } from '../http/requests/address.ts';
import { countsByAddress } from './by-address.ts';
import type { Count, Limiter } from './limiter.ts';
import { type RouteLimit, type RouteLimitName, routeLimits } from './limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How often it may be called. */
    limit?: RouteLimitName;
  }
}

/** Counts calls of the routes that name a limit. What does not fit their schema is refused before and not counted. */
export function limitRoutes(app: App, limiter: Limiter): void {
  app.addHook('preHandler', async (request) => {
    const name = request.routeOptions.config?.limit;
    if (name !== undefined) await limiter.require(countsOf(routeLimits[name], request));
  });
}

function countsOf({ address, account, user, link }: RouteLimit, request: FastifyRequest): Count[] {
  const counts = countsByAddress(address, addressOf(request));
  if (account !== undefined) counts.push({ limit: account, of: [accountIn(request.body)] });
  if (user !== undefined) counts.push({ limit: user, of: [request.sessionScope?.userId ?? ''] });
  if (link !== undefined) counts.push({ limit: link, of: [linkIn(request.body)] });
  return counts;
}

/** The user name a body is about, as accounts are told apart. */
function accountIn(body: unknown): string {
  const email = typeof body === 'object' && body !== null && 'email' in body ? body.email : '';
  return String(email).trim().toLowerCase();
}

/** The pay link a body is about. */
function linkIn(body: unknown): string {
  const uid = typeof body === 'object' && body !== null && 'uid' in body ? body.uid : '';
  return String(uid);
}
