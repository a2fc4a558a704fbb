import { isOpen } from '@counterfoil/domain/paying/attempt.ts';
import type { GatewayEvent, RemoteId } from '@counterfoil/gateways/port/gateway.ts';
import { sql } from '../../../db/sql.ts';
import type { GatewayAccount } from '../accounts.ts';
import { recheckSoon } from '../after-end/tasks.ts';
import type { AttemptRow } from '../attempts/attempt-row.ts';
import { askByHint, askEnded, type EngineDeps, readAttempt } from '../attempts/engine.ts';
import { lookUpRefund } from '../refunds/refund-lookup.ts';
import { openResubmission } from '../reversals/resubmission-begin.ts';
import { isCollected, lookUpResubmission } from '../reversals/resubmissions.ts';
import { bookReversal } from '../reversals/reversals.ts';
import { type EventOrigin, isAboutMethod } from './inbox.ts';

/**
 * Follows an event about a saved method, a mandate or a payer. The engine does not know these: whoever puts the server
 * together passes it in.
 * @returns what was done, for the inbox; undefined when the gateway cannot tell now
 */
export type ReceiveMethodEvent = (
  deps: EngineDeps,
  account: GatewayAccount,
  event: GatewayEvent,
) => Promise<string | undefined>;

export interface FollowUpDeps extends EngineDeps {
  readonly receiveMethodEvent: ReceiveMethodEvent;
}

/** Why an event waits, and for the log what it is about. */
export interface Waits {
  readonly waits: string;
  readonly attempt?: string;
  readonly ref?: string;
  readonly remote?: string | undefined;
  /** What comes of it where nothing more is to be waited for; without it that is left to a person. */
  readonly otherwise?: string;
}

const UNKNOWN = 'no such payment here';

/**
 * Follows up one event. What it says is not believed: the gateway is asked. Any number of times, and by several at once.
 * @param mayWait whether it is tried again where it cannot be followed up now
 * @returns what came of it, for the inbox; {@link Waits} when it cannot be followed up now
 */
export async function followUpEvent(
  deps: FollowUpDeps,
  origin: EventOrigin,
  event: GatewayEvent,
  mayWait: boolean,
): Promise<string | Waits> {
  const { account } = origin;
  const resolved = (await account.gateway.resolveEvent?.(event)) ?? [event];
  if (resolved === 'inconclusive')
    return { waits: 'what it is about cannot be read at the gateway', remote: event.remote };
  // What the gateway says when it is asked needs no signature.
  const trust = account.gateway.resolveEvent === undefined ? origin.trust : 'signed';
  const outcomes: string[] = [];
  let waits: Waits | undefined;
  for (const one of resolved) {
    const outcome = await followResolved(deps, { account, trust }, one, mayWait);
    if (typeof outcome === 'string') outcomes.push(outcome);
    else waits ??= outcome;
  }
  return waits ?? (outcomes.length === 0 ? `nothing to follow: ${event.about}` : outcomes.join('; '));
}

/** The same for an event that says all there is to say. */
async function followResolved(
  deps: FollowUpDeps,
  { account, trust }: EventOrigin,
  event: GatewayEvent,
  mayWait: boolean,
): Promise<string | Waits> {
  // Of what happens after the end, only a proven sender's own word counts.
  const late = trust === 'signed' ? event.reversal : undefined;
  if (isAboutMethod(event))
    return (
      (await deps.receiveMethodEvent(deps, account, event)) ?? {
        waits: `its ${event.about} cannot be read at the gateway`,
      }
    );
  const canList = account.gateway.listReversals !== undefined;
  if (late === undefined && event.about !== 'charge' && !canList) return `not followed: ${event.about}`;
  const of = event.reversal?.of;
  const attempt = await findAttempt(deps, account, of === undefined ? event : { remote: of });
  // Told once, of a charge whose own answer may still be on its way to us; of any other the gateway is asked anyway.
  if (attempt === undefined) return late === undefined ? UNKNOWN : { waits: UNKNOWN, otherwise: UNKNOWN };
  const waits = (problem: string): Waits => ({
    waits: problem,
    attempt: attempt.id,
    ref: attempt.ref,
    remote: event.remote,
  });
  const isAboutCharge = late === undefined && event.about === 'charge' && event.reversal === undefined;
  const other = isAboutCharge ? await otherThan(deps, attempt, event.remote) : undefined;
  const state = await followUp(deps, attempt, other);
  // One that is open is the reconciler's, whatever its webhook could not bring.
  if (state === undefined && late === undefined && !mayWait && isOpen(attempt.state)) return attempt.state;
  // What a proven sender says of a later time is judged all the same, once nothing more is waited for.
  if (state === undefined && (late === undefined || mayWait))
    return waits('what became of it at the gateway cannot be found out');
  if (late === undefined) return hinted(deps, account, attempt, state ?? attempt.state);
  const key = { customerId: attempt.customer_id, attemptId: attempt.id };
  const collected = late.kind === 'failed' ? await isCollected(deps, account, attempt) : undefined;
  const about = { ref: event.ref, isCollected: collected };
  const booked = await bookReversal(deps, key, late.of ?? event.remote, late, about);
  if (booked === 'tooEarly') return waits(`${late.kind} of what is not known`);
  return `${late.kind}: ${booked}`;
}

/** What a hint comes to: of a charge that has ended, the gateway is asked soon what became of it since. */
async function hinted(
  deps: EngineDeps,
  { gateway }: GatewayAccount,
  attempt: AttemptRow,
  state: AttemptRow['state'],
): Promise<string> {
  if (isOpen(state) || gateway.listReversals === undefined || attempt.direction !== 'charge') return state;
  await recheckSoon(deps.db, attempt, deps.clock.now());
  return `${state}; asked what became of it`;
}

/** The charge that an event names, where it carries our reference and is not the one we know. */
async function otherThan(
  deps: EngineDeps,
  attempt: AttemptRow,
  remote: RemoteId | undefined,
): Promise<RemoteId | undefined> {
  if (remote === undefined || attempt.direction === 'refund' || isOpen(attempt.state)) return undefined;
  const known = await deps.db.maybeOne(sql`
    select 1 from gateway_object
     where gateway_account_id = ${attempt.gateway_account_id} and remote = ${remote} and about = 'charge'
       and customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id}
    union all
    select 1 from capture
     where customer_id = ${attempt.customer_id} and attempt_id = ${attempt.id} and remote = ${remote} limit 1`);
  return known === undefined ? remote : undefined;
}

/**
 * What has become of the payment: asked of the gateway, and money for an ended one is taken in.
 * @param other a charge with its reference that is not its own
 * @returns its state; undefined when the gateway cannot tell now
 */
async function followUp(
  deps: EngineDeps,
  attempt: AttemptRow,
  other: RemoteId | undefined,
): Promise<AttemptRow['state'] | undefined> {
  const again = isOpen(attempt.state) ? undefined : await openResubmission(deps.db, attempt);
  if (again !== undefined) await lookUpResubmission(deps, again, 'webhook');
  if (attempt.state === 'succeeded' && other === undefined) return attempt.state;
  if (attempt.direction === 'refund')
    return isOpen(attempt.state) ? (await lookUpRefund(deps, attempt, 'webhook')).state : attempt.state;
  if (isOpen(attempt.state)) return (await askByHint(deps, attempt, 'webhook'))?.state;
  return (await askEnded(deps, attempt, other)) ? attempt.state : undefined;
}

/** The payment an event is about, made through this reseller's account at this gateway. */
async function findAttempt(
  deps: EngineDeps,
  account: GatewayAccount,
  event: Pick<GatewayEvent, 'remote' | 'ref'>,
): Promise<AttemptRow | undefined> {
  const found = await deps.db.many<{ customer_id: string; attempt_id: string }>(sql`
    select customer_id, attempt_id from gateway_object
     where gateway_account_id = ${account.id} and remote = ${event.remote ?? null} and about = 'charge'
    union all
    select customer_id, attempt_id from attempt_ref where ref = ${event.ref ?? null}`);
  for (const { customer_id, attempt_id } of found) {
    const attempt = await readAttempt(deps, { customerId: customer_id, attemptId: attempt_id });
    // A reference is only a hint: no event changes a payment made through another account.
    if (attempt?.gateway_account_id === account.id) return attempt;
  }
  return undefined;
}
