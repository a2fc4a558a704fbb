import { CUSTOMER_HEADER } from '@counterfoil/contract/envelope.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../app-error.ts';
import { forCustomer } from '../../db/row-security/for-customer.ts';
import type { App } from '../../http/app-type.ts';
import { authenticatedSession, authorisedCustomer, type SessionScope } from '../../http/requests/scope.ts';
import { mayEnter } from './may-enter.ts';
import * as queries from './queries.ts';
import type { AuthDeps } from './session.ts';
import { readAccessToken } from './tokens/access-token.ts';

/**
 * Proves session and customer before any handler runs. The token says who, the database says whether the session
 * still lives and whether the customer is theirs; the header only chooses among these.
 */
export function authenticateSessions(app: App, deps: AuthDeps): void {
  app.addHook('onRequest', async (request) => {
    const { access, areas, inPersonOnly, openToLooking, beforeSecondFactor, authenticatesIfSignedIn } =
      request.routeOptions.config ?? {};
    const isAsked = authenticatesIfSignedIn === true && request.headers.authorization !== undefined;
    if (access !== 'session' && access !== 'customer' && !isAsked) return;
    const wanted = access === 'session' ? 'none' : wantedCustomer(request.headers[CUSTOMER_HEADER]);
    const row = await authenticateSession(request, { wanted, areas: areas ?? [] }, deps);
    const session = sessionOfRow(row);
    if (inPersonOnly === true && session.actor !== null) throw new AppError('support.notAllowed');
    if (session.isLookOnly && openToLooking !== true && !isReading(request))
      throw new AppError('support.lookOnly');
    if (session.needsSecondFactor && beforeSecondFactor !== true) throw new AppError('secondFactor.required');
    request.sessionScope = session;
    if (access !== 'session') {
      if (row.customer_id === null)
        throw new AppError(wanted === 'first' ? 'customer.none' : 'customer.notYours');
      if (row.is_area_off) throw new AppError('area.disabled');
      request.customerScope = authorisedCustomer(row.customer_id, session.resellerId, 'session');
    }
  });
  // After the body was read, whose events would not carry whose work it is.
  app.addHook('preHandler', (request, _reply, done) => {
    const isCustomers = request.routeOptions.config.access === 'customer';
    if (isCustomers && request.customerScope !== null) forCustomer(request.customerScope.customerId, done);
    else done();
  });
}

const isReading = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD';

/** Whom a header asks for: the customer it names, else the first by label. What is no id names none. */
function wantedCustomer(header: string | string[] | undefined): queries.WantedCustomer {
  const id = Array.isArray(header) ? header[0] : header;
  if (id === undefined || id === '') return 'first';
  return isId(id) ? { id: id.toLowerCase() } : 'none';
}

async function authenticateSession(
  request: FastifyRequest,
  of: Parameters<typeof queries.readSession>[3],
  deps: AuthDeps,
): Promise<queries.SessionRow> {
  const token = /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (token === undefined)
    throw new AppError('session.missing', { headers: { 'www-authenticate': 'Bearer' } });
  const claims = await readAccessToken(token, deps.secrets, deps.clock);
  const now = deps.clock.now();
  const row = claims === undefined ? undefined : await queries.readSession(deps.db, claims.sid, now, of);
  if (row === undefined || row.user_id !== claims?.sub || !mayEnter(deps, row)) {
    throw new AppError('session.ended', { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } });
  }
  return row;
}

const sessionOfRow = (row: queries.SessionRow): SessionScope =>
  authenticatedSession({
    sessionId: row.session_id,
    userId: row.user_id,
    resellerId: row.reseller_id,
    email: row.email,
    displayName: row.display_name,
    actor: row.actor,
    isLookOnly: row.look_only,
    needsSecondFactor: row.needs_factor,
    passwordExpiresAt: row.password_expires_at,
  });
