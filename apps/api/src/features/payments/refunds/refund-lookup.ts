import { type AttemptRow, openGatewayState } from '../attempts/attempt-row.ts';
import { type EngineDeps, recordLookUp } from '../attempts/engine.ts';
import type { Finding, Known } from '../attempts/finding.ts';
import { lookUp } from '../attempts/lookup.ts';
import { isCalling } from '../attempts/schedule.ts';
import { buildRefund, settleRefund } from './refund.ts';

/**
 * Looks up what became of an open refund, by the strategies its gateway declares. A hint, of a webhook or an
 * operator, never sends again.
 * @param cause `webhook`, `operator`, or the reconciler
 */
export async function lookUpRefund(
  deps: EngineDeps,
  row: AttemptRow,
  cause: 'webhook' | 'operator' | 'reconciler' = 'reconciler',
): Promise<AttemptRow> {
  const key = { customerId: row.customer_id, attemptId: row.id };
  const isHint = cause !== 'reconciler';
  if (isHint && isCalling(row, deps.clock.now())) return row;
  const record = (finding: Finding, known?: Known) => settleRefund(deps, key, finding, cause, known);
  const flag = (why: string) => (isHint ? row : record({ is: 'flagForReview', why }));
  const account = await deps.accounts.byId(row.gateway_account_id);
  const lookup = account?.gateway.lookupRefund;
  if (account === undefined || lookup === undefined)
    return flag('this gateway cannot be asked about a refund');
  if ((await buildRefund(deps, row)) === undefined) return flag('its charge cannot be read');
  const looked = await lookUp(deps, row, {
    account,
    isHint,
    strategies: account.gateway.capabilities.refundLookup,
    mayCharge: !isHint,
    ask: async (current, strategy) => {
      const order = await buildRefund(deps, current);
      if (order === undefined) return { is: 'inconclusive', why: 'its charge cannot be read' };
      return lookup.call(
        account.gateway,
        order,
        openGatewayState(current.gateway_state_sealed, current.id, deps.secrets),
        strategy,
      );
    },
  });
  if (!isHint) return recordLookUp(deps, looked, record);
  return looked.is === 'decided' ? record(looked.found, looked.attempt) : looked.attempt;
}
