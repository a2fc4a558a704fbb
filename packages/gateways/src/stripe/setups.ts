/** Saving a method: set up with a SetupIntent, so that it can be charged later without the payer. */
import { destroySecrets } from '../kit/secret-bytes.ts';
import type {
  BillingOwner,
  GatewayRef,
  GatewayState,
  Method,
  MethodKind,
  SetupCompletion,
  SetupRequest,
  SetupResult,
  SetupStarted,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import { shownOwner } from '../port/owner.ts';
import { askWithRepeats, keyFor } from './charging.ts';
import { ask, type StripeAnswer, type StripeDeps } from './client.ts';
import { allowedTypes, metadataRef, outcomeFromFault, type StripeFault } from './wire.ts';
import { declineOf } from './wire-decline.ts';
import {
  browserAddress,
  editRequest,
  idOf,
  isBankType,
  isKnownType,
  type MethodReply,
  mandateData,
  mandateFromWire,
  methodFromWire,
  ownerOf,
  readMethod,
  readSetup,
  type SetupReply,
} from './wire-method.ts';

export const invalid = (detail: string): SetupResult => ({ is: 'notAttempted', why: 'invalid', detail });
export const notUnderstood: SetupResult = { is: 'unknown', evidence: 'the answer is not what was asked for' };

/** An error as a setup. No money moves here, so a fault of the network only leaves the setup open. */
export function setupFromFault(fault: StripeFault, state?: GatewayState): SetupResult {
  const outcome = outcomeFromFault(fault, {}, false);
  switch (outcome.is) {
    case 'declined':
      return { is: 'refused', why: outcome.why };
    case 'notAttempted':
      return outcome;
    default:
      return { is: 'unknown', evidence: fault.detail, ...(state === undefined ? {} : { state }) };
  }
}

const typeOf = (kind: MethodKind, scheme: string | undefined): string | undefined => {
  if (kind === 'card') return 'card';
  return scheme !== undefined && isKnownType(scheme) ? scheme : undefined;
};

/** {@link Gateway.beginSetup} of Stripe: the customer on first use, then an open SetupIntent for the browser. */
export async function beginSetup(deps: StripeDeps, request: SetupRequest): Promise<SetupStarted> {
  const type = typeOf(request.kind, request.scheme);
  if (type === undefined)
    return { payer: request.payer, result: invalid('the kind of account is not named') };
  const payer = await ensureCustomer(deps, request);
  if ('is' in payer) return { payer: request.payer, result: payer };
  const body = {
    customer: payer.customer,
    usage: 'off_session' as const,
    metadata: { [metadataRef]: request.ref },
    ...setupTypes(type),
  };
  const idempotencyKey = keyFor(request.ref, 'save-setup');
  const answer = await askWithRepeats(deps, () => deps.stripe.setupIntents.create(body, { idempotencyKey }));
  return { payer, payerRemote: remoteId(payer.customer), result: await settle(deps, answer, type, {}) };
}

const setupTypes = (type: string): { allowed_payment_method_types: ['card'] } =>
  allowedTypes(type) as { allowed_payment_method_types: ['card'] };

async function ensureCustomer(
  deps: StripeDeps,
  { ref, payer, person }: SetupRequest,
): Promise<{ readonly customer: string } | SetupResult> {
  const known = payer?.['customer'];
  if (known !== undefined) return { customer: known };
  const body = {
    name: person.name,
    email: person.email,
    metadata: { customerId: person.customerId, resellerId: person.resellerId },
  };
  const idempotencyKey = keyFor(ref, 'save-customer');
  const answer = await askWithRepeats(deps, () => deps.stripe.customers.create(body, { idempotencyKey }));
  if (answer.is === 'error') return setupFromFault(answer.fault);
  const { value } = answer;
  const isCustomer = typeof value === 'object' && value !== null && 'id' in value;
  return isCustomer && typeof value.id === 'string' && value.id.startsWith('cus_')
    ? { customer: value.id }
    : notUnderstood;
}

/** {@link Gateway.completeSetup} of Stripe. Repeated with the same reference and input it gives the same answer. */
export async function completeSetup(deps: StripeDeps, request: SetupCompletion): Promise<SetupResult> {
  const { input, step } = request;
  const setup = step['setupIntent'];
  const type = step['type'] ?? 'card';
  if (setup === undefined) return invalid('nothing was begun');
  if ('secrets' in input) {
    destroySecrets(input);
    return invalid('Stripe takes card and account numbers from the browser only');
  }
  if ('fields' in input) return finishFromBrowser(deps, request, setup, type, input.fields);

  const method = await methodFromToken(deps, request.ref, input.token);
  if (typeof method !== 'string') return method;
  const body = {
    payment_method: method,
    return_url: request.returnTo,
    ...(request.consent === undefined || type === 'card'
      ? {}
      : { mandate_data: mandateData(request.consent) }),
  };
  // A second card after a declined one is another step of the same setup.
  const idempotencyKey = keyFor(request.ref, `save-confirm-${method}`);
  const answer = await askWithRepeats(deps, () =>
    deps.stripe.setupIntents.confirm(setup, body, { idempotencyKey }),
  );
  return settle(deps, answer, type, { ...step, ...ownerState(request.owner) });
}

async function methodFromToken(
  deps: StripeDeps,
  ref: GatewayRef,
  token: string,
): Promise<string | SetupResult> {
  if (token.startsWith('pm_')) return token;
  if (!token.startsWith('tok_')) return invalid('the token is neither tok_… nor pm_…');
  const body = { type: 'card' as const, card: { token } };
  const idempotencyKey = keyFor(ref, `save-${token}`);
  const answer = await askWithRepeats(deps, () =>
    deps.stripe.paymentMethods.create(body, { idempotencyKey }),
  );
  if (answer.is === 'error') return setupFromFault(answer.fault);
  return readMethod(answer.value)?.id ?? notUnderstood;
}

/** Back from a redirect, or from Stripe.js, or with what the bank statement says of a small deposit. */
async function finishFromBrowser(
  deps: StripeDeps,
  { ref, step }: SetupCompletion,
  setup: string,
  type: string,
  fields: Readonly<Record<string, string>>,
): Promise<SetupResult> {
  const named = fields['setup_intent'];
  if (named !== undefined && named !== setup) return invalid('the address names another setup');
  const code = fields['descriptorCode'];
  const amounts = fields['amounts']?.split(/[ ,;]+/).map(Number);
  if (code === undefined && amounts === undefined) {
    return settle(deps, await ask(deps.stripe.setupIntents.retrieve(setup)), type, step);
  }
  const proof = code === undefined ? { amounts: amounts ?? [] } : { descriptor_code: code };
  const idempotencyKey = keyFor(ref, `save-verify-${code ?? amounts?.join('-') ?? ''}`);
  const answer = await ask(deps.stripe.setupIntents.verifyMicrodeposits(setup, proof, { idempotencyKey }));
  if (answer.is === 'error' && /^payment_method_microdeposit_/.test(answer.fault.code)) {
    return { is: 'refused', why: declineOf(answer.fault) };
  }
  return settle(deps, answer, type, step);
}

/** What a setup intent says. One line per documented status. */
async function settle(
  deps: StripeDeps,
  answer: StripeAnswer,
  type: string,
  step: GatewayState,
): Promise<SetupResult> {
  const hasState = step['setupIntent'] === undefined ? undefined : step;
  if (answer.is === 'error') return setupFromFault(answer.fault, hasState);
  const setup = readSetup(answer.value);
  if (setup === undefined) return notUnderstood;
  const state: GatewayState = { setupIntent: setup.id, type, ...keptOwner(step) };
  switch (setup.status) {
    case 'succeeded':
      return saved(deps, setup, state);
    case 'processing':
      return { is: 'underWay', state };
    case 'requires_action':
      return afterAction(deps, setup, state);
    case 'requires_confirmation':
    case 'requires_payment_method':
      return openSetup(setup, state);
    case 'canceled':
      return { is: 'refused', why: { class: 'retryLater', code: 'canceled', text: 'Please start again' } };
    default:
      return { is: 'unknown', evidence: `${setup.id}: status ${setup.status} is not known`, state };
  }
}

async function afterAction(deps: StripeDeps, setup: SetupReply, state: GatewayState): Promise<SetupResult> {
  const to = browserAddress(setup.next_action?.redirect_to_url?.url);
  if (to !== undefined) return { is: 'continue', action: { do: 'redirect', to }, state };
  // Small deposits take a day or two to arrive; Stripe's page for them is offered beside our own form.
  if (setup.next_action?.type !== 'verify_with_microdeposits')
    return { is: 'unknown', evidence: `${setup.id}: an action a redirect cannot follow`, state };
  const page = browserAddress(setup.next_action.verify_with_microdeposits?.hosted_verification_url);
  const needs = { fields: ['descriptorCode', 'amounts'], ...(page === undefined ? {} : { page }) };
  const method = await waitingMethod(deps, setup);
  return { is: 'underWay', state, needs, ...(method === undefined ? {} : { method }) };
}

/** The account that is being verified; not knowing it changes nothing. */
async function waitingMethod(deps: StripeDeps, setup: SetupReply): Promise<Method | undefined> {
  const id = idOf(setup.payment_method);
  const answer = id === undefined ? undefined : await ask(deps.stripe.paymentMethods.retrieve(id));
  const reply = answer?.is === 'ok' ? readMethod(answer.value) : undefined;
  return reply === undefined ? undefined : methodFromWire(reply, { usable: 'pending' });
}

function openSetup(setup: SetupReply, state: GatewayState): SetupResult {
  const error = setup.last_setup_error;
  if (error !== null && error !== undefined) {
    const codes = {
      code: error.code ?? '',
      declineCode: error.decline_code ?? '',
      adviceCode: error.advice_code ?? '',
    };
    return { is: 'refused', why: declineOf(codes) };
  }
  const clientSecret = setup.client_secret ?? '';
  if (clientSecret === '') return { is: 'unknown', evidence: `${setup.id}: no client secret`, state };
  return {
    is: 'continue',
    action: { do: 'browser', config: { clientSecret, type: state['type'] ?? '' } },
    state,
  };
}

async function saved(deps: StripeDeps, setup: SetupReply, state: GatewayState): Promise<SetupResult> {
  const id = idOf(setup.payment_method);
  if (id === undefined) return { is: 'unknown', evidence: `${setup.id}: succeeded without a method`, state };
  const answer = await ask(deps.stripe.paymentMethods.retrieve(id));
  const reply = answer.is === 'ok' ? readMethod(answer.value) : undefined;
  if (reply === undefined)
    return { is: 'unknown', evidence: `${setup.id}: its method could not be read`, state };
  const whole = await withMandate(deps, await fillOwner(deps, reply, state), idOf(setup.mandate));
  return whole.is === 'unknown' ? { ...whole, state } : whole;
}

/** A saved method with the mandate it is debited under; one that needs a mandate and has none cannot be debited. */
export async function withMandate(
  deps: StripeDeps,
  reply: MethodReply,
  mandateId: string | undefined,
): Promise<Extract<SetupResult, { is: 'saved' | 'unknown' }>> {
  if (mandateId === undefined)
    return {
      is: 'saved',
      method: methodFromWire(reply, { usable: isBankType(reply.type) ? 'never' : 'now' }),
    };
  const read = await ask(deps.stripe.mandates.retrieve(mandateId));
  const mandate = read.is === 'ok' ? mandateFromWire(read.value) : undefined;
  if (mandate === undefined) return { is: 'unknown', evidence: `${reply.id}: its mandate could not be read` };
  // A pending Bacs mandate may be debited; only a dead or suspended one may not.
  const usable = mandate.state === 'dead' || mandate.state === 'suspended' ? 'never' : 'now';
  return { is: 'saved', method: methodFromWire(reply, { usable, mandate }) };
}

// ---- The owner ----
// What was typed beside a one-time token and is not in it, e.g. the e-mail address: Stripe.js puts name and address of a
// card into its token, other callers nothing. It waits in the step's state while the payer is at the bank.

const PREFIX = 'owner.';

/** As members of a step's state; what is empty is left out. */
export const ownerState = (owner: BillingOwner = {}): GatewayState =>
  Object.fromEntries(Object.entries(shownOwner(owner)).map(([name, value]) => [`${PREFIX}${name}`, value]));

/** The members of a state that {@link ownerState} made. */
export const keptOwner = (state: GatewayState): GatewayState =>
  Object.fromEntries(Object.entries(state).filter(([name]) => name.startsWith(PREFIX)));

/**
 * Adds what the saved method does not say of its owner; what it says stays. The method is saved whether this works or
 * not, so a fault leaves it as it is.
 */
export async function fillOwner(
  deps: StripeDeps,
  reply: MethodReply,
  state: GatewayState,
): Promise<MethodReply> {
  const known = ownerOf(reply);
  const gaps = Object.entries(keptOwner(state)).flatMap(([key, value]) => {
    const name = key.slice(PREFIX.length);
    return known[name] === null || known[name] === undefined ? [[name, value] as const] : [];
  });
  const change = gaps.length === 0 ? undefined : editRequest(Object.fromEntries(gaps));
  if (change === undefined) return reply;
  const idempotencyKey = `counterfoil:${reply.id}:owner`;
  const answer = await ask(deps.stripe.paymentMethods.update(reply.id, change, { idempotencyKey }));
  return (answer.is === 'ok' ? readMethod(answer.value) : undefined) ?? reply;
}
