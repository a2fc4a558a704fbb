/** Taking the money: token to payment method to payment intent, with one key per attempt and step. */
import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { describeFault } from '../kit/redact.ts';
import { destroySecrets } from '../kit/secret-bytes.ts';
import type {
  Charge,
  ChargeSource,
  GatewayRef,
  GatewayState,
  LookupResult,
  OneDebit,
  Outcome,
  SaveState,
} from '../port/gateway.ts';
import { ask, begin, readIntentById, type StripeAnswer, type StripeDeps } from './client.ts';
import {
  type ChargeParts,
  chargeRequest,
  intoState,
  isPassing,
  isServerError,
  lookupFromIntent,
  outcomeFromFault,
  readIntent,
  type StripeFault,
  type StripeState,
  toWireAmount,
} from './wire.ts';
import { isBankType, type MethodReply, partsOf, readMethod } from './wire-method.ts';

/** Keys of one attempt: another step is another key, another attempt another reference. At most 255 characters. */
export const keyFor = (ref: GatewayRef, step: 'method' | 'charge' | 'give-back' | `save-${string}`): string =>
  `counterfoil:${ref}:${step}`;

/** Waits before the second and third send of the same request; together they keep within the server's 25 s. */
const repeatAfterMs = [400, 1_200] as const;
/** No repeat is begun later than this after the first send. */
const repeatUntilMs = 12_000;

/**
 * Sends the same request again, with the same key, while Stripe says 409, 429 or a first 5xx, or cuts the connection. A replayed 5xx
 * is the saved one and would come back for ever, so it ends the repeats.
 */
export async function askWithRepeats(
  deps: StripeDeps,
  call: () => Promise<Stripe.Response<unknown>>,
): Promise<StripeAnswer> {
  const begun = deps.now().getTime();
  let mayHaveRun = false;
  let answer = await ask(begin(call));
  for (const milliseconds of repeatAfterMs) {
    if (answer.is === 'ok' || !isPassing(answer.fault)) break;
    if (deps.now().getTime() - begun > repeatUntilMs) break;
    // 429 is said before anything runs; after a 5xx, a 409 or a cut nobody knows.
    if (answer.fault.status !== 429) mayHaveRun = true;
    deps.log.debug({ status: answer.fault.status, code: answer.fault.code }, 'asking Stripe the same again');
    await deps.pause(milliseconds);
    answer = await ask(begin(call));
  }
  return answer.is === 'error' && mayHaveRun ? { ...answer, fault: { ...answer.fault, mayHaveRun } } : answer;
}

export const digestOf = (body: Stripe.PaymentIntentCreateParams): string =>
  createHash('sha256').update(JSON.stringify(body)).digest('hex');

const isSaved = (pay: ChargeSource): pay is { readonly saved: GatewayState } =>
  pay !== 'lost' && 'saved' in pay;

/** Whether a saved method pays; its loss is told apart from a faulty request. */
export const usesSavedMethod = (charge: Charge): boolean => isSaved(charge.source);

/** What a charge's request says of its method. */
export interface ChargedMethod {
  readonly id: string;
  readonly type: string;
  readonly agreed?: ChargeParts['agreed'];
}

/** The saved method of a charge, else the one made from its token before. */
export function methodOf(charge: Charge, state: StripeState): ChargedMethod | undefined {
  if (isSaved(charge.source)) {
    const { paymentMethod, type } = charge.source.saved;
    return paymentMethod === undefined ? undefined : { id: paymentMethod, type: type ?? 'card' };
  }
  const { paymentMethod: id, type = 'card', agreedIp: ip, agreedAgent: agent } = state;
  if (id === undefined) return undefined;
  return { id, type, ...(ip === undefined ? {} : { agreed: { ip, agent: agent ?? '' } }) };
}

/** The request of a charge, or why there can be none. */
export function buildCharge(
  charge: Charge,
  method: ChargedMethod,
):
  | { readonly is: 'body'; readonly body: Stripe.PaymentIntentCreateParams; readonly digest: string }
  | { readonly is: 'refused'; readonly why: string } {
  const amount = toWireAmount(charge.amount);
  if (amount.is === 'refused') return amount;
  const parts: ChargeParts = {
    wireAmount: amount.value,
    paymentMethod: method.id,
    type: method.type,
    customer: charge.payer['customer'],
    agreed: method.agreed,
  };
  const body = chargeRequest(charge, parts);
  return { is: 'body', body, digest: digestOf(body) };
}

/** `POST /v1/payment_intents` with the attempt's key. */
export const sendCharge = (
  deps: StripeDeps,
  ref: GatewayRef,
  body: Stripe.PaymentIntentCreateParams,
): Promise<Stripe.Response<unknown>> =>
  deps.stripe.paymentIntents.create(body, { idempotencyKey: keyFor(ref, 'charge') });

const invalid = (detail: string): Outcome => ({ is: 'notAttempted', why: 'invalid', detail });
const unreached = (detail: string): Outcome => ({ is: 'notAttempted', why: 'unreachable', detail });

/** Keeps what the money call will be found by; the end of the attempt where that fails. */
export async function notKept(saveState: SaveState, state: StripeState): Promise<Outcome | undefined> {
  try {
    await saveState(intoState({}, state));
    return undefined;
  } catch (fault) {
    return unreached(`our own store: ${describeFault(fault)}`);
  }
}

type MadeMethod =
  | ({ readonly is: 'made'; readonly shown?: string } & ChargedMethod)
  | { readonly is: 'ended'; readonly outcome: Outcome };

const ended = (outcome: Outcome): MadeMethod => ({ is: 'ended', outcome });

/** An error before the money call: it took nothing, whatever it says. */
function notMade(fault: StripeFault): MadeMethod {
  const outcome = outcomeFromFault(fault, {}, false);
  return ended(outcome.is === 'unknown' ? unreached(outcome.evidence) : outcome);
}

/** A payment method for the charge. Nothing here can take money, so nothing here is `unknown`. */
async function makeMethod(deps: StripeDeps, charge: Charge): Promise<MadeMethod> {
  const { source: pay } = charge;
  if (pay === 'lost') throw new TypeError('a charge whose token is lost can only be looked for');
  if ('saved' in pay) {
    const saved = methodOf(charge, {});
    return saved === undefined ? ended(invalid('the saved method has no id')) : { is: 'made', ...saved };
  }
  if (!('token' in pay)) {
    destroySecrets(pay);
    return ended(invalid('Stripe takes card numbers from the browser only'));
  }
  if (pay.debit !== undefined) return accountOf(deps, pay.token, pay.debit);
  if (pay.token.startsWith('pm_')) return { is: 'made', id: pay.token, type: 'card' };
  if (!pay.token.startsWith('tok_')) return ended(invalid('the token is neither tok_… nor pm_…'));

  const body = { type: 'card' as const, card: { token: pay.token } };
  const idempotencyKey = keyFor(charge.ref, 'method');
  const answer = await askWithRepeats(deps, () =>
    deps.stripe.paymentMethods.create(body, { idempotencyKey }),
  );
  if (answer.is === 'error') return notMade(answer.fault);
  const made = readMethod(answer.value);
  if (made !== undefined) return { is: 'made', id: made.id, type: 'card', ...shownOf(made) };
  return ended(unreached('the answer is not a payment method'));
}

/** The account behind a token, looked at before it is debited: it must be of the kind its holder has agreed for. */
async function accountOf(deps: StripeDeps, token: string, debit: OneDebit): Promise<MadeMethod> {
  const { scheme, consent } = debit;
  if (!token.startsWith('pm_') || !isBankType(scheme)) return ended(invalid('no account of a known kind'));
  if (consent === undefined) return ended(invalid('the holder of the account has not agreed'));
  const answer = await ask(deps.stripe.paymentMethods.retrieve(token));
  if (answer.is === 'error') return notMade(answer.fault);
  const account = readMethod(answer.value);
  if (account?.type !== scheme) return ended(invalid(`the token is no ${scheme}`));
  const { last4 } = partsOf(account);
  return {
    is: 'made',
    id: account.id,
    type: scheme,
    agreed: { ip: consent.ip, agent: consent.agent },
    ...(last4 === undefined ? {} : { shown: ` ${last4}` }),
  };
}

function shownOf(made: MethodReply): { readonly shown?: string } {
  const { brand, last4 } = partsOf(made);
  return brand && last4 ? { shown: `${brand} ${last4}` } : {};
}

/** {@link Gateway.charge} of Stripe. */
export async function chargeWith(deps: StripeDeps, charge: Charge, saveState: SaveState): Promise<Outcome> {
  // Before the token is spent: an amount that cannot be said needs no request.
  const amount = toWireAmount(charge.amount);
  if (amount.is === 'refused') return invalid(amount.why);
  const method = await makeMethod(deps, charge);
  if (method.is === 'ended') return method.outcome;
  const built = buildCharge(charge, method);
  if (built.is === 'refused') return invalid(built.why);

  const state: StripeState = usesSavedMethod(charge)
    ? { digest: built.digest }
    : {
        paymentMethod: method.id,
        ...(method.type === 'card' ? {} : { type: method.type }),
        ...(method.agreed && { agreedIp: method.agreed.ip, agreedAgent: method.agreed.agent }),
        digest: built.digest,
        ...(method.shown === undefined ? {} : { shown: method.shown }),
      };
  const lost = state.paymentMethod === undefined ? undefined : await notKept(saveState, state);
  if (lost !== undefined) return lost;

  const answer = await askWithRepeats(deps, () => sendCharge(deps, charge.ref, built.body));
  return outcomeOf(deps, charge, answer, { state, methodId: method.id });
}

async function outcomeOf(
  deps: StripeDeps,
  charge: Charge,
  answer: StripeAnswer,
  { state, methodId }: { readonly state: StripeState; readonly methodId: string },
): Promise<Outcome> {
  if (answer.is === 'ok') return asOutcome(await readAnswer(deps, answer, state));
  const { fault } = answer;
  if (isServerError(fault) && fault.replayed) {
    const stopped = intoState(state, { replayStopped: deps.now().toISOString() });
    return { is: 'unknown', evidence: `replayed: ${fault.detail}`, state: stopped };
  }
  const outcome = outcomeFromFault(fault, state, usesSavedMethod(charge));
  if (outcome.is !== 'notAttempted' || outcome.why !== 'invalid' || !usesSavedMethod(charge)) return outcome;
  // A detached method is refused without a code that says so: the method itself tells.
  return (await isDetached(deps, methodId)) ? { ...outcome, why: 'methodGone' } : outcome;
}

/** Whether a saved method is certainly no longer one: unknown to Stripe, or without a customer. */
export async function isDetached(deps: StripeDeps, id: string): Promise<boolean> {
  const answer = await ask(deps.stripe.paymentMethods.retrieve(id));
  if (answer.is === 'error') return answer.fault.status === 404;
  return readMethod(answer.value)?.customer === null;
}

/**
 * A successful answer as what is true now. A replayed answer is the saved first one, so the intent is read
 * again: it may have gone on since.
 */
export async function readAnswer(
  deps: StripeDeps,
  answer: Extract<StripeAnswer, { is: 'ok' }>,
  state: StripeState,
): Promise<LookupResult> {
  const intent = readIntent(answer.value);
  if (intent === undefined) {
    return { is: 'unknown', evidence: 'the answer is not a payment intent', state: intoState({}, state) };
  }
  if (!answer.replayed) return lookupFromIntent(intent, state);
  const now = await readIntentById(deps, intent.id);
  if (now.is === 'intent') return lookupFromIntent(now.intent, state);
  return {
    is: 'unknown',
    evidence: `${intent.id} was replayed but not read`,
    state: intoState(state, { intent: intent.id }),
  };
}

/** The answer to a charge as one of the six outcomes: an intent that was closed meanwhile took nothing. */
function asOutcome(found: LookupResult): Outcome {
  switch (found.is) {
    case 'closed':
      return {
        is: 'declined',
        why: { class: 'retryLater', code: 'canceled', text: 'The payment was cancelled. Please try again' },
      };
    case 'absent':
    case 'inconclusive':
      return { is: 'unknown', evidence: found.is };
    default:
      return found;
  }
}
