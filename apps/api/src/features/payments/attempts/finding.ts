import { type AttemptEvent, nextAttemptState } from '@counterfoil/domain/paying/attempt.ts';
import type { CancelResult, GatewayState } from '@counterfoil/gateways/port/gateway.ts';
import type { Tx } from '../../../db/database.ts';
import { sqlOnce } from '../../../db/sql.ts';
import type { AttemptKey, AttemptRow } from './attempt-row.ts';

/** Who brought the event; kept with each transition. */
export type Cause = 'response' | 'redirect' | 'webhook' | 'reconciler' | 'close' | 'gateway' | 'operator';

/** What an attempt is told: an answer of the gateway, or the engine's own decision that a person must look. */
export type Finding =
  | CancelResult
  | { readonly is: 'flagForReview'; readonly why: string; readonly state?: GatewayState }
  | ManualResolution;

/** What a person found out at the gateway where nobody else could; it stands with their name. */
export interface ManualResolution {
  readonly is: 'manualResolution';
  /** Whether the money moved. */
  readonly taken: boolean;
  /** The gateway's id, where the operator gives it. */
  readonly id?: string;
  readonly by: string;
  readonly note: string;
}

/** What the bringer of a finding knew before: that nothing was taken holds only for the requests known then. */
export interface Known {
  /** When the latest request that may charge was sent. */
  readonly last_sent_at?: Date;
  readonly gateway_state_sealed?: Buffer | null;
  /** The earliest time at which the gateway can be asked again, where that is known. */
  readonly againAt?: Date | undefined;
  /** The gateway was not asked about this attempt but listed its charge: it did not know what is kept of it. */
  readonly isListed?: true;
}

const EVENTS: Readonly<Record<Finding['is'], AttemptEvent | undefined>> = {
  succeeded: 'succeeded',
  requiresAction: 'requiresAction',
  pending: 'pending',
  declined: 'declined',
  notAttempted: 'notAttempted',
  unknown: 'unknown',
  closed: 'closed',
  flagForReview: 'flagForReview',
  manualResolution: undefined,
  absent: 'unknown',
  inconclusive: undefined,
  cannotCancel: undefined,
};

/** The state of an attempt after it was told something; the same where that changes nothing. */
export function stateAfter(attempt: Pick<AttemptRow, 'state'>, observed: Finding): AttemptRow['state'] {
  const event = eventOf(observed);
  return event === undefined ? attempt.state : nextAttemptState(attempt.state, event);
}

function eventOf(observed: Finding): AttemptEvent | undefined {
  if (observed.is === 'absent' && observed.proven) return 'absentProven';
  if (observed.is === 'manualResolution') return observed.taken ? 'resolvedAsTaken' : 'resolvedAsNotTaken';
  return EVENTS[observed.is];
}

/**
 * What a finding is worth for this attempt now, under its lock.
 * @param isElsewhere whether its charge has paid another attempt, see {@link hasPaidAnother}
 */
export function apply(
  attempt: AttemptRow,
  finding: Finding,
  cause: Cause,
  known: Known | undefined,
  isElsewhere: boolean,
): Finding {
  const judged = judge(attempt, finding, cause, known, isElsewhere);
  // Anybody can send a webhook: the reconciler comes to the same by itself.
  return judged.is === 'flagForReview' && cause === 'webhook'
    ? { is: 'unknown', evidence: judged.why }
    : judged;
}

/** Whether another attempt of the customer was paid by the charge that is found for this one. */
export async function hasPaidAnother(
  tx: Tx,
  { customerId, attemptId }: AttemptKey,
  finding: Finding,
): Promise<boolean> {
  if (finding.is !== 'succeeded') return false;
  const other = await tx.maybeOne(sqlOnce`
    select c.attempt_id from attempt a
      join capture c on c.customer_id = a.customer_id and c.gateway_account_id = a.gateway_account_id
     where a.customer_id = ${customerId} and a.id = ${attemptId}
       and c.customer_id = ${customerId} and c.remote = ${finding.remote} and c.attempt_id <> a.id`);
  return other !== undefined;
}

function judge(
  attempt: AttemptRow,
  finding: Finding,
  cause: Cause,
  known: Known | undefined,
  isElsewhere: boolean,
): Finding {
  switch (finding.is) {
    case 'succeeded':
      if (finding.captured.currency !== attempt.currency)
        return { is: 'flagForReview', why: `captured in ${finding.captured.currency}` };
      return isElsewhere ? { is: 'flagForReview', why: `${finding.remote} paid another attempt` } : finding;
    case 'notAttempted':
    case 'declined':
      return asOwnAnswer(attempt, finding, cause, known);
    case 'unknown':
      return finding.needsPerson === true ? flagged(finding) : finding;
    case 'absent':
      return finding.proven && hasMoved(attempt, known) ? { is: 'absent', proven: false } : finding;
    default:
      return finding;
  }
}

/** What is not known, put before a person; what the adapter wants to see again is kept. */
export const flagged = ({ evidence, state }: Extract<Finding, { is: 'unknown' }>): Finding => ({
  is: 'flagForReview',
  why: evidence,
  ...(state === undefined ? {} : { state }),
});

/**
 * Only the answer to the call itself says that the call did not run, whenever it comes; and neither that nor a decline
 * says anything of a request that was sent after it.
 */
export function asOwnAnswer(
  attempt: AttemptRow,
  finding: Extract<Finding, { is: 'notAttempted' | 'declined' }>,
  cause: Cause,
  known: Known | undefined,
): Finding {
  const why = finding.is === 'declined' ? finding.why.code : finding.why;
  if (cause !== 'response')
    return finding.is === 'declined' ? finding : { is: 'unknown', evidence: `not asked: ${why}` };
  return wasSentSince(attempt, known)
    ? { is: 'unknown', evidence: `sent again before the answer: ${why}` }
    : finding;
}

const wasSentSince = (attempt: AttemptRow, known: Known | undefined): boolean =>
  known?.last_sent_at !== undefined && attempt.last_sent_at.getTime() !== known.last_sent_at.getTime();

/** Whether a step was kept or a request sent since the gateway was asked: then its absence proves nothing. */
export function hasMoved(attempt: AttemptRow, known: Known | undefined): boolean {
  const before = known?.gateway_state_sealed;
  const isSameState =
    before === undefined ||
    (attempt.gateway_state_sealed === null || before === null
      ? attempt.gateway_state_sealed === before
      : attempt.gateway_state_sealed.equals(before));
  return !isSameState || wasSentSince(attempt, known);
}
