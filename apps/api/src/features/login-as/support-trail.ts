import { isId } from '@counterfoil/domain/text/ids.ts';
import type { FastifyRequest } from 'fastify';
import { recordAudit } from '../../audit/record.ts';
import type { Database } from '../../db/database.ts';
import type { Clock } from '../../deps.ts';
import type { App } from '../../http/app-type.ts';
import { originOf } from '../../http/requests/origin.ts';

interface TrailDeps {
  readonly db: Database;
  readonly clock: Clock;
}

/**
 * Puts on record whatever support asks for in a user's name, but for reading, with both names. The line is written
 * before the request is carried out: what cannot be recorded is not done.
 */
export function recordSupport(app: App, { db, clock }: TrailDeps): void {
  app.addHook('preHandler', async (request) => {
    const session = request.sessionScope;
    if (session === null || session.actor === null || isReading(request)) return;
    const { address, requestId } = originOf(request);
    await db.transaction((tx) =>
      recordAudit(tx, {
        action: 'support.request',
        at: clock.now(),
        resellerId: session.resellerId,
        address,
        requestId,
        userId: session.userId,
        userEmail: session.email,
        actor: session.actor,
        sessionId: session.sessionId,
        customerId: request.customerScope?.customerId,
        detail: { call: `${request.method} ${request.routeOptions.url ?? ''}`, ...idsOf(request.params) },
      }),
    );
  });
}

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Only ids of ours: other parts of an address may be secrets. */
function idsOf(params: unknown): Record<string, string> {
  const entries = typeof params === 'object' && params !== null ? Object.entries(params) : [];
  return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && isId(value)));
}
