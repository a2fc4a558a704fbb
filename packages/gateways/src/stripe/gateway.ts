/** One reseller's Stripe account behind the gateway port. */

import { timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod/mini';
import type { GatewayContext } from '../port/define-gateway.ts';
import type {
  CancelResult,
  Charge,
  CredentialCheck,
  Gateway,
  GatewayState,
  LookupResult,
  LookupStrategy,
} from '../port/gateway.ts';
import { buildCharge, chargeWith, methodOf, readAnswer, sendCharge, usesSavedMethod } from './charging.ts';
import { closePage, findPage, openPage, resumePage } from './checkout.ts';
import {
  ask,
  closeIntent,
  findByList,
  inconclusive,
  isOurs,
  notRead,
  readIntentById,
  replayBar,
  type StripeDeps,
  settle,
  stripeClient,
} from './client.ts';
import { listCharges } from './listing.ts';
import { manifest, type StripeRole, type StripeSettings } from './manifest.ts';
import { lookupRefundWith, refundWith } from './refunds.ts';
import {
  editMethod,
  listMethods,
  preferMethod,
  preferredMethod,
  readSaved,
  removeMethod,
} from './saved-methods.ts';
import { beginSetup, completeSetup } from './setups.ts';
import { readHook } from './webhook.ts';
import {
  intoState,
  isServerError,
  lookupFromIntent,
  outcomeFromFault,
  readIntent,
  readState,
  type StripeFault,
  type StripeState,
} from './wire.ts';

const modeOf = (key: string): string => key.split('_')[1] ?? '';

/** Reads the list the reconciler depends on: it proves key, right and address at once, and changes nothing. */
async function check(deps: StripeDeps, config: StripeSettings): Promise<CredentialCheck> {
  if (modeOf(config.secretKey) !== modeOf(config.publishableKey)) {
    return { ok: false, rights: [], why: 'the secret and the publishable key are of different modes' };
  }
  const answer = await ask(deps.stripe.paymentIntents.list({ limit: 1 }));
  if (answer.is === 'ok') {
    return z.safeParse(z.looseObject({ object: z.literal('list') }), answer.value).success
      ? { ok: true, rights: ['payments.read'] }
      : { ok: false, rights: [], why: 'the address does not answer like Stripe' };
  }
  const { status, detail } = answer.fault;
  const isVerdict = status !== undefined && status >= 400 && status < 500 && status !== 409 && status !== 429;
  return { ok: false, rights: [], why: detail, ...(isVerdict ? {} : { unreachable: true as const }) };
}

/** @throws {TypeError} when the address of the API has a path: the SDK knows none */
export function createGateway(context: GatewayContext<StripeSettings, StripeRole>): Gateway {
  const { config, clock, log } = context;
  const deps: StripeDeps = {
    stripe: stripeClient(context),
    now: () => clock.now(),
    pause: context.pause ?? ((milliseconds) => wait(milliseconds)),
    log,
  };
  return {
    capabilities: manifest.capabilities,
    verifyCredentials: () => check(deps, config),
    charge: (charge, saveState) => chargeWith(deps, charge, saveState),
    createCheckout: (charge, saveState) => openPage(deps, charge, saveState),
    lookup: (charge, state, plan) => findCharge(deps, charge, state, plan),
    lookupByRemoteId: (charge, remote) => lookupByRemoteId(deps, charge, remote),
    handleReturn: (charge, state, query) => resumeCharge(deps, charge, state, query),
    cancel: (charge, state) => closeCharge(deps, charge, state),
    refund: (refund) => refundWith(deps, refund),
    lookupRefund: (refund, state, plan) => lookupRefundWith(deps, refund, state, plan),
    beginSetup: (request) => beginSetup(deps, request),
    completeSetup: (request) => completeSetup(deps, request),
    listMethods: (payer) => listMethods(deps, payer),
    getMethod: (method) => readSaved(deps, method),
    setDefaultMethod: (payer, method) => preferMethod(deps, payer, method),
    getDefaultMethod: (payer) => preferredMethod(deps, payer),
    updateMethod: (ref, method, change) => editMethod(deps, ref, method, change),
    removeMethod: (method) => removeMethod(deps, method),
    listCharges: (since) => listCharges(deps, since),
    parseWebhook: (raw, headers, now) => readHook(config.webhookSecrets, raw, headers, now),
  };
}

// ---- Finding out what became of a charge, by the strategies of the manifest ----

/** {@link Gateway.lookup} of Stripe. */
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
  const bar = replayBar(deps, charge.sentAt, state.replayStopped);
  if (bar !== undefined) return inconclusive(bar);
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

/** {@link Gateway.handleReturn} of Stripe: nothing in the address is believed, but what contradicts the attempt is refused. */
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

/** {@link Gateway.cancel} of Stripe. */
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
