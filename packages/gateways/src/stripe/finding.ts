/** Finding out what became of a charge, by the plans of the manifest. */
import { timingSafeEqual } from 'node:crypto';
import type { CancelResult, Charge, GatewayState, LookupResult, LookupStrategy } from '../port/gateway.ts';
import { buildCharge, methodOf, readAnswer, sendCharge, usesSavedMethod } from './charging.ts';
import { closePage, findPage, resumePage } from './checkout.ts';
import { ask, type StripeDeps, type StripeFault } from './client.ts';
import { keyLifeMs } from './manifest.ts';
import {
  closeIntent,
  elapsed,
  findByList,
  inconclusive,
  isOurs,
  notRead,
  readIntentById,
  settle,
} from './reading.ts';
import {
  intoState,
  isServerError,
  lookupFromIntent,
  outcomeFromFault,
  readIntent,
  readState,
  type StripeState,
} from './wire.ts';

/** A key that is about to be pruned is not used any more. */
const keyMarginMs = 60 * 60_000;

/** {@link Gateway.find} of Stripe. */
export async function findCharge(
  deps: StripeDeps,
  charge: Charge,
  sealed: GatewayState | undefined,
  plan: LookupStrategy,
): Promise<LookupResult> {
  const state = readState(sealed);
  if (state.page !== undefined) return findPage(deps, charge, state, plan);
  switch (plan.by) {
    case 'remote':
      return byId(deps, charge, state);
    case 'replay':
      return plan.mayCharge ? byReplay(deps, charge, state) : inconclusive('sending again may charge');
    case 'scan':
      return byScan(deps, charge, sealed, state);
    case 'ref':
      return inconclusive('Stripe cannot be asked by our reference');
  }
}

async function byId(deps: StripeDeps, charge: Charge, state: StripeState): Promise<LookupResult> {
  if (state.intent === undefined) return inconclusive('the id is not known');
  const read = await readIntentById(deps, state.intent);
  if (read.is === 'fault') return notRead(read.fault, state);
  return settle(deps, charge, read.intent, state);
}

/** {@link Gateway.lookupByRemoteId} of Stripe: only read, for it may be anybody's who copied our reference. */
export async function lookupByRemoteId(deps: StripeDeps, charge: Charge, id: string): Promise<LookupResult> {
  const read = await readIntentById(deps, id);
  if (read.is === 'fault') return notRead(read.fault, {});
  return isOurs(charge, read.intent) === 'other'
    ? inconclusive(`${id} does not carry our reference`)
    : lookupFromIntent(read.intent, {});
}

/**
 * The method of a one-time token is kept before the money call: where nothing was kept and the list shows
 * nothing, no money call was made, and none will be. Otherwise absence has to wait.
 */
async function byScan(
  deps: StripeDeps,
  charge: Charge,
  sealed: GatewayState | undefined,
  state: StripeState,
): Promise<LookupResult> {
  const found = await findByList(deps, charge, state);
  const nothingKept = sealed === undefined && charge.source === 'lost';
  return found.is === 'absent' && nothingKept ? { is: 'absent', proven: true } : found;
}

async function byReplay(deps: StripeDeps, charge: Charge, state: StripeState): Promise<LookupResult> {
  if (state.replayStopped !== undefined) return inconclusive('a saved server error would be replayed');
  if (elapsed(deps, charge.sentAt) > keyLifeMs - keyMarginMs) return inconclusive('the key may be pruned');
  const method = methodOf(charge, state);
  if (method === undefined) return inconclusive('the one-time token is lost');
  const built = buildCharge(charge, method);
  if (built.is === 'refused') return inconclusive(built.why);
  if (state.digest !== undefined && state.digest !== built.digest) {
    return inconclusive('the request would differ from the first one');
  }

  const answer = await ask(sendCharge(deps, charge.ref, built.body));
  if (answer.is === 'ok') return readAnswer(deps, answer, state);
  const { fault } = answer;
  if (isServerError(fault) && fault.replayed) {
    const stopped = intoState(state, { replayStopped: deps.now().toISOString() });
    return { is: 'inconclusive', why: `replayed: ${fault.detail}`, state: stopped, sent: true };
  }
  return replayFault(deps, charge, fault, state);
}

/**
 * An error to a replay. Only a decline answers for the first send too; that this send did not get through,
 * or was refused, says nothing about the first.
 */
async function replayFault(
  deps: StripeDeps,
  charge: Charge,
  fault: StripeFault,
  state: StripeState,
): Promise<LookupResult> {
  const outcome = outcomeFromFault(fault, state, usesSavedMethod(charge));
  switch (outcome.is) {
    case 'declined': {
      const intent = readIntent(fault.paymentIntent);
      // A replayed decline is the saved one; the intent may have gone on since.
      return fault.replayed && intent !== undefined
        ? byId(deps, charge, { ...state, intent: intent.id })
        : outcome;
    }
    case 'notAttempted':
      return outcome.why === 'unreachable'
        ? { is: 'unknown', evidence: outcome.detail, state: intoState({}, state) }
        : { is: 'inconclusive', why: outcome.detail, sent: true };
    case 'unknown':
      return fault.type === 'idempotency_error'
        ? { is: 'inconclusive', why: outcome.evidence, sent: true }
        : outcome;
    default:
      return outcome;
  }
}

/** {@link Gateway.resume} of Stripe: nothing in the address is believed, but what contradicts the attempt is refused. */
export async function resumeCharge(
  deps: StripeDeps,
  charge: Charge,
  sealed: GatewayState,
  query: Readonly<Record<string, string>>,
): Promise<LookupResult> {
  const state = readState(sealed);
  if (state.page !== undefined) return resumePage(deps, charge, state);
  // As Stripe writes them in the address, or as our own call names them.
  const named = query['payment_intent'] ?? query['paymentIntent'];
  if (state.intent === undefined) return findByList(deps, charge, state);
  if (named !== undefined && named !== state.intent) return inconclusive('the address names another payment');
  const read = await readIntentById(deps, state.intent);
  if (read.is === 'fault') return notRead(read.fault, state);
  const secret = query['payment_intent_client_secret'] ?? query['paymentIntentClientSecret'];
  if (secret !== undefined && !sameText(secret, read.intent.client_secret ?? '')) {
    return inconclusive('the client secret of the address is not that of the payment');
  }
  return settle(deps, charge, read.intent, state);
}

function sameText(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}

/** {@link Gateway.close} of Stripe. */
export async function closeCharge(
  deps: StripeDeps,
  charge: Charge,
  sealed: GatewayState | undefined,
): Promise<CancelResult> {
  const state = readState(sealed);
  if (state.page !== undefined) return closePage(deps, charge, state);
  if (state.intent !== undefined) return closeIntent(deps, state.intent, state);
  const found = await findByList(deps, charge, state);
  const intent = 'state' in found ? readState(found.state).intent : undefined;
  const isEnded = found.is === 'succeeded' || found.is === 'pending';
  return intent === undefined || isEnded ? found : closeIntent(deps, intent, state);
}
