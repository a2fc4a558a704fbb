import { roleScopes } from '@counterfoil/contract/operator/access/operators.ts';
import { AppError } from '../../app-error.ts';
import type { App } from '../../http/app-type.ts';
import { refuseOtherPages } from '../../http/guards/cross-site.ts';
import {
  authenticatedInstallation,
  authenticatedOperator,
  authenticatedProgram,
} from '../../http/requests/scope.ts';
import { programLimit } from '../../limits/limits.ts';
import { resellerOfCall } from '../api-keys/service.ts';
import type { SessionRow } from './queries.ts';
import { actorOf, type OperatorDeps, sessionOfCookie } from './session.ts';

/**
 * Proves the operator of a call before any handler runs, by the cookie of the console. A call for programs takes an
 * operator as well: its scope is then looked for in the role. Register before the authentication of API keys, which
 * answers for calls that bring neither.
 */
export function authenticateOperators(app: App, deps: OperatorDeps): void {
  app.addHook('onRequest', async (request) => {
    const { access, scope, ofInstallation, signsOperatorsIn, ownersOnly } = request.routeOptions.config ?? {};
    if (signsOperatorsIn === true) refuseOtherPages(request, deps.publicUrl);
    // Where a key comes along, the key counts.
    const isCall = access === 'program' && request.headers.authorization === undefined;
    if (access !== 'operator' && !isCall) return;
    const found = await sessionOfCookie(deps, request);
    if (found === undefined) {
      if (isCall) return;
      throw new AppError('operator.signInNeeded');
    }
    refuseOtherPages(request, deps.publicUrl);
    if (ownersOnly === true && found.role !== 'owner') throw new AppError('operator.role');
    if (isCall) {
      await deps.limiter.require([{ limit: programLimit, of: [found.id] }]);
      if (scope === undefined || !roleScopes[found.role].includes(scope)) throw new AppError('operator.role');
      const [actor, scopes] = [actorOf(found), roleScopes[found.role]];
      const isOfInstallation = found.reseller_id === null;
      if (ofInstallation === true) {
        if (!isOfInstallation) throw new AppError('installation.only');
        request.installationScope = authenticatedInstallation(actor);
      } else {
        const resellerId = await resellerOfCall(deps, request, found.reseller_id);
        request.programScope = authenticatedProgram({ resellerId, actor, scopes, isOfInstallation });
      }
    }
    request.operatorScope = scopeOf(found);
  });
}

const scopeOf = (row: SessionRow) =>
  authenticatedOperator({
    sessionId: row.session_id,
    operatorId: row.id,
    resellerId: row.reseller_id,
    email: row.email,
    displayName: row.display_name,
    role: row.role,
  });
