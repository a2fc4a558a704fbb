import { CUSTOMER_HEADER } from '@counterfoil/contract/envelope.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import type { AreaFlag } from '../../http/guards/access.ts';
import {
  authenticatedSession,
  authorisedCustomer,
  type ScopeCustomer,
  type SessionScope,
} from '../../http/requests/scope.ts';
import { mayEnter } from './may-enter.ts';
import * as queries from './queries.ts';
import type { AuthDeps } from './session.ts';
import { readAccessToken } from './tokens/access-token.ts';

/**
 * Proves session and customer before any handler runs. The token says who, the database says whether the session
 * still lives and which customers are theirs; the header only chooses among these.
 */
export function authenticateSessions(app: App, deps: AuthDeps): void {
  app.addHook('onRequest', async (request) => {
    const { access, areas, inPersonOnly, openToLooking, beforeSecondFactor, authenticatesIfSignedIn } =
      request.routeOptions.config ?? {};
    const isAsked = authenticatesIfSignedIn === true && request.headers.authorization !== undefined;
    if (access !== 'session' && access !== 'customer' && !isAsked) return;
    const session = await authenticateSession(request, areas ?? [], deps);
    if (inPersonOnly === true && session.actor !== null) throw new AppError('support.notAllowed');
    if (session.isLookOnly && openToLooking !== true && !isReading(request))
      throw new AppError('support.lookOnly');
    if (session.needsSecondFactor && beforeSecondFactor !== true) throw new AppError('secondFactor.required');
    request.sessionScope = session;
    if (access !== 'session') {
      const customer = chooseCustomer(session, request.headers[CUSTOMER_HEADER]);
      if (customer.isAreaOff) throw new AppError('area.disabled');
      request.customerScope = authorisedCustomer(customer.customerId, session.resellerId, 'session');
    }
  });
}

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

async function authenticateSession(
  request: FastifyRequest,
  areas: readonly AreaFlag[],
  deps: AuthDeps,
): Promise<SessionScope> {
  const token = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined)
    throw new AppError('session.missing', { headers: { 'www-authenticate': 'Bearer' } });
  const claims = await readAccessToken(token, deps.secrets, deps.clock);
  const now = deps.clock.now();
  const rows = claims === undefined ? [] : await queries.readSession(deps.db, claims.sid, now, areas);
  const [first] = rows;
  if (first === undefined || first.user_id !== claims?.sub || !mayEnter(deps, first)) {
    throw new AppError('session.ended', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
  }
  return authenticatedSession({
    sessionId: first.session_id,
    userId: first.user_id,
    resellerId: first.reseller_id,
    email: first.email,
    displayName: first.display_name,
    actor: first.actor,
    isLookOnly: first.look_only,
    customers: rows.flatMap((row): ScopeCustomer[] =>
      row.customer_id === null || row.label === null
        ? []
        : [
            {
              customerId: row.customer_id,
              label: row.label,
              brandId: row.brand_id,
              isAreaOff: row.is_area_off,
            },
          ],
    ),
    needsSecondFactor: rows.some((row) => row.needs_factor),
    passwordExpiresAt: first.password_expires_at,
  });
}

/**
 * The customer a request is about: the header's, else the first by label.
 * @throws {AppError} customer.notYours for any other id, customer.none for a user without customers
 */
export function chooseCustomer(session: SessionScope, header: string | string[] | undefined): ScopeCustomer {
  const wanted = Array.isArray(header) ? header[0] : header;
  if (wanted === undefined || wanted === '') {
    const [first] = session.customers;
    if (first === undefined) throw new AppError('customer.none');
    return first;
  }
  const found = isId(wanted)
    ? session.customers.find((one) => one.customerId === wanted.toLowerCase())
    : undefined;
  if (found === undefined) throw new AppError('customer.notYours');
  return found;
}
