import type { ConfirmationRequest, PayAnswer } from '@counterfoil/contract/paying/public-pay.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../../app-error.ts';
import { forCustomer } from '../../../db/row-security/for-customer.ts';
import { authorisedCustomer, type CustomerScope } from '../../../http/requests/scope.ts';
import * as payments from '../../payments/queries.ts';
import { type AttemptRow, answer, confirm } from '../../payments/service.ts';
import { settledAnswer } from '../present.ts';
import * as queries from '../queries.ts';
import type { BulkPayDeps } from '../service.ts';

/**
 * How a payment stands: for a signed-in customer by the session's public id or an attempt's, of theirs only; for
 * anybody else by the public id, and then the status is all that is told.
 * @throws {AppError} when there is no such payment
 */
export async function confirmSession(
  deps: BulkPayDeps,
  scope: CustomerScope | null,
  body: ConfirmationRequest,
): Promise<PayAnswer> {
  const own = scope && (await forCustomer(scope.customerId, () => confirmOwn(deps, scope, body)));
  if (own !== null && own !== undefined) return own;
  const { status, expected } = await confirmAnonymously(deps, body);
  return { status, ...(expected === undefined ? {} : { expected }) };
}

async function confirmOwn(
  deps: BulkPayDeps,
  scope: CustomerScope,
  body: ConfirmationRequest,
): Promise<PayAnswer | undefined> {
  const session = await queries.findSession(deps.db, scope, body.reqUid);
  const settled = session && settledAnswer(session);
  if (settled !== undefined) return settled;
  const own =
    session !== undefined
      ? await payments.findAttemptOfSession(deps.db, scope, session.id)
      : isId(body.reqUid)
        ? await payments.findCharge(deps.db, scope, body.reqUid)
        : undefined;
  return own && confirmAttempt(deps, own, body);
}

async function confirmAnonymously(deps: BulkPayDeps, body: ConfirmationRequest): Promise<PayAnswer> {
  const owner = await queries.findSessionOwner(deps.db, body.reqUid);
  if (owner === undefined) throw new AppError('payment.unknownAttempt');
  const scope = authorisedCustomer(owner.customer_id, owner.reseller_id, 'paySession');
  return forCustomer(scope.customerId, async () => {
    const session = await queries.findSession(deps.db, scope, body.reqUid);
    if (session !== undefined && session.settled_ref !== null) return { status: 'succeeded' };
    const attempt = await payments.findAttemptOfSession(deps.db, scope, owner.session_id);
    if (attempt === undefined) throw new AppError('payment.unknownAttempt');
    return confirmAttempt(deps, attempt, body);
  });
}

async function confirmAttempt(
  deps: BulkPayDeps,
  attempt: AttemptRow,
  body: ConfirmationRequest,
): Promise<PayAnswer> {
  const account = await deps.accounts.byId(attempt.gateway_account_id);
  return answer(deps.db, await confirm(deps, attempt, body), account);
}
