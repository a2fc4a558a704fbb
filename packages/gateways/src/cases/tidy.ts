/** After a case: refunds, closes and removes what it made, and says what stays. */
import { money } from '@counterfoil/domain/money/money.ts';
import type { CancelResult, Gateway, Outcome } from '../port/gateway.ts';
import { newGatewayRef } from '../port/gateway-ref.ts';
import { type CaseSession, inWords, lost, type MadeCharge } from './session.ts';

export interface Tidied {
  undone: number;
  readonly left: string[];
}

/** Never throws: what could not be undone is said. */
export async function tidy(session: CaseSession, gateway: Gateway): Promise<Tidied> {
  const tidied: Tidied = { undone: 0, left: [] };
  for (const made of [...session.charges].reverse()) {
    try {
      await undo(made, gateway, session, tidied);
    } catch {
      tidied.left.push(`${nameOf(made)}: could not be looked at`);
    }
  }
  for (let setup = 0; setup < session.waiting; setup += 1)
    tidied.left.push('a setup that waits for its owner, who never comes');
  for (const { remote, state } of session.methods) {
    const removed = await gateway.removeMethod?.(state).catch(() => 'unknown' as const);
    if (removed === 'gone') tidied.undone += 1;
    else
      tidied.left.push(
        `saved method${session.ids.has(remote) ? ` ${remote}` : ''}: ${removed ?? 'not removable'}`,
      );
  }
  return tidied;
}

async function undo(made: MadeCharge, gateway: Gateway, session: CaseSession, tidied: Tidied): Promise<void> {
  const state = await stateOf(made, gateway);
  switch (state.is) {
    case 'succeeded':
      return refundRest(made, state, gateway, session, tidied);
    case 'closed':
      tidied.undone += 1;
      return;
    case 'declined':
    case 'notAttempted':
    case 'absent':
      // No money, and nobody can pay it any more.
      return;
    case 'pending':
      return callBack(made, gateway, tidied);
    default:
      tidied.left.push(`${nameOf(made)}: ${inWords(state)}`);
  }
}

/** Some gateways can still end what is on its way to the bank. */
async function callBack(made: MadeCharge, gateway: Gateway, tidied: Tidied): Promise<void> {
  const closed = await gateway.cancel(lost(made.charge), made.state);
  if (closed.is === 'closed') tidied.undone += 1;
  else tidied.left.push(`${nameOf(made)}: on its way, test money only`);
}

/** What is certain, else what ending it brings. */
async function stateOf(
  { charge, outcome, state }: MadeCharge,
  gateway: Gateway,
): Promise<Outcome | CancelResult> {
  if (outcome !== undefined && outcome.is !== 'requiresAction' && outcome.is !== 'unknown') return outcome;
  return gateway.cancel(lost(charge), state);
}

async function refundRest(
  made: MadeCharge,
  paid: Extract<Outcome, { is: 'succeeded' }>,
  gateway: Gateway,
  session: CaseSession,
  tidied: Tidied,
): Promise<void> {
  const { minor, currency } = paid.captured;
  const rest = minor - made.refunded;
  if (rest <= 0n) {
    tidied.undone += 1;
    return;
  }
  const sentAt = session.run.now();
  const outcome = await gateway.refund({
    ref: newGatewayRef(),
    sentAt,
    lastSentAt: sentAt,
    amount: money(rest, currency),
    of: {
      ref: made.charge.ref,
      remote: paid.remote,
      state: paid.state,
      captured: paid.captured,
      refundedBefore: money(made.refunded, currency),
    },
  });
  if (outcome.is === 'succeeded' || outcome.is === 'pending') tidied.undone += 1;
  else tidied.left.push(`${nameOf(made)}: not refunded, ${inWords(outcome)}`);
}

const nameOf = ({ charge, outcome }: MadeCharge): string => {
  const remote = outcome !== undefined && 'remote' in outcome ? outcome.remote : undefined;
  return `payment ${remote ?? `with our reference ${charge.ref}`}`;
};
