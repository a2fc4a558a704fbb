/** The official SDK over our own transport, with its answers and errors as values; and payments read back through it. */

import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { defaultTimeoutMs, type GatewayFetch, jsonOf, reachOf, send } from '../kit/http.ts';
import { describeFault, redact } from '../kit/redact.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type { CancelResult, Charge, LookupResult } from '../port/gateway.ts';
import {
  absenceAfterReplayed5xxMs,
  absenceProvenMs,
  apiVersion,
  type StripeRole,
  type StripeSettings,
} from './manifest.ts';
import {
  fromWireAmount,
  type IntentReply,
  intoState,
  isIdle,
  lookupFromIntent,
  metadataRef,
  readIntent,
  type StripeFault,
  type StripeState,
} from './wire.ts';

const require = createRequire(import.meta.url);
/** The SDK takes twenty megabytes of memory: a process that never pays through Stripe never loads it. */
const sdk = (): typeof Stripe => require('stripe') as typeof Stripe;

export type StripeContext = GatewayContext<StripeSettings, StripeRole>;

/** What the parts of this adapter share. */
export interface StripeDeps {
  readonly stripe: Stripe;
  readonly now: () => Date;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly log: { debug(fields: Readonly<Record<string, unknown>>, message: string): void };
}

export type StripeAnswer =
  | { readonly is: 'ok'; readonly value: unknown; readonly replayed: boolean }
  | { readonly is: 'error'; readonly fault: StripeFault };

const replayHeader = 'idempotent-replayed';

class TransportFault extends Error {
  /**
   * Never one of the SDK's 'connection closed' codes: after those it repeats a request by itself, even with
   * no repeats allowed, and then hides that an earlier one may have run. `askWithRepeats` repeats in the open.
   */
  readonly code = 'TRANSPORT';
  readonly reach: 'notSent' | 'sent';
  readonly isCut: boolean;

  constructor(reach: 'notSent' | 'sent', detail: string) {
    super(detail);
    this.name = 'TransportFault';
    this.reach = reach;
    this.isCut = reach === 'sent' && /UND_ERR_SOCKET|ECONNRESET|EPIPE/.test(detail);
  }
}

/** The SDK's transport: bounded answers, one time limit for the whole exchange, no redirects, nothing printed. */
function httpClient(fetchWith: GatewayFetch | undefined): ReturnType<typeof Stripe.createFetchHttpClient> {
  return {
    getClientName: () => 'counterfoil',
    async makeRequest(host, port, path, method, headers, requestData, protocol, timeout) {
      const sent: Record<string, string> = {};
      for (const [name, value] of Object.entries(headers)) {
        // fetch counts the body itself.
        if (name.toLowerCase() !== 'content-length') sent[name] = String(value);
      }
      const reply = await send(
        {
          method: method as 'GET' | 'POST' | 'DELETE',
          url: `${protocol}://${host}:${port}${path}`,
          headers: sent,
          timeoutMs: timeout,
          ...(method === 'POST' ? { body: requestData } : {}),
        },
        fetchWith,
      );
      if (reply.is === 'fault') throw new TransportFault(reply.reach, reply.detail);
      const replyHeaders = Object.fromEntries(reply.headers);
      // Otherwise the SDK prints it as a process warning.
      delete replyHeaders['stripe-notice'];
      return {
        getStatusCode: () => reply.status,
        getHeaders: () => replyHeaders,
        getRawResponse: () => ({ headers: replyHeaders }),
        toStream: () => {
          throw new TypeError('streams are not used');
        },
        toJSON: () => {
          const parsed = jsonOf(reply.bytes);
          return parsed.is === 'json'
            ? Promise.resolve(parsed.value)
            : Promise.reject(new SyntaxError(`HTTP ${reply.status}: ${parsed.detail}`));
        },
      };
    },
  };
}

/** An SDK bound to one account and address. It never repeats by itself. */
export function stripeClient(context: StripeContext): Stripe {
  const address = new URL(context.addresses.api);
  if (address.pathname !== '/')
    throw new TypeError('the address of Stripe must have no path: its SDK knows none');
  const secure = address.protocol === 'https:';
  return new (sdk())(context.config.secretKey, {
    apiVersion,
    host: address.hostname,
    port: address.port === '' ? (secure ? 443 : 80) : address.port,
    protocol: secure ? 'https' : 'http',
    httpClient: httpClient(context.fetch),
    timeout: context.timeoutMs ?? defaultTimeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Anything the SDK throws, as a value. */
export function faultOf(thrown: unknown): StripeFault {
  if (!(thrown instanceof sdk().errors.StripeError)) {
    // A reply the SDK stumbles over (a literal null): it was answered, so it may have been executed.
    return { ...noFault, detail: describeFault(thrown) };
  }
  const cause: unknown = thrown.detail;
  const reach = cause instanceof TransportFault ? cause.reach : reachOf(cause);
  const detail = [
    thrown.statusCode,
    thrown.rawType,
    thrown.code,
    thrown.param,
    thrown.message,
    thrown.requestId,
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  return {
    status: thrown.statusCode,
    reach,
    isCut: cause instanceof TransportFault && cause.isCut,
    type: text(thrown.rawType),
    code: text(thrown.code),
    declineCode: text(thrown.decline_code),
    adviceCode: text(thrown.advice_code),
    param: text(thrown.param),
    detail: redact(cause instanceof Error ? `${detail} (${describeFault(cause)})` : detail),
    replayed: thrown.headers?.[replayHeader] === 'true',
    mayHaveRun: false,
    paymentIntent: thrown.payment_intent,
    setupIntent: thrown.setup_intent,
  };
}

const noFault: StripeFault = {
  status: undefined,
  reach: 'sent',
  isCut: false,
  type: '',
  code: '',
  declineCode: '',
  adviceCode: '',
  param: '',
  detail: '',
  replayed: false,
  mayHaveRun: false,
  paymentIntent: undefined,
  setupIntent: undefined,
};

/**
 * Begins an SDK call without the note that the SDK makes of where it was begun: its errors become values, whose stack
 * nobody reads, and the note takes as long as all else the SDK does.
 */
export function begin<T>(call: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return call();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Runs one SDK call. Never throws for anything that comes from Stripe or the network. */
export async function ask(call: Promise<Stripe.Response<unknown>>): Promise<StripeAnswer> {
  try {
    const value = await call;
    const headers: Readonly<Record<string, string>> = value.lastResponse.headers;
    return { is: 'ok', value, replayed: headers[replayHeader] === 'true' };
  } catch (thrown) {
    return { is: 'error', fault: faultOf(thrown) };
  }
}

// ---- Reading payments back: one by its id, all of an attempt from the list, and cancelling one ----

/** Repeats of the adapter itself and a slow network, added to every span that begins with the last send. */
const sendingMarginMs = 60_000;
export const pageSize = 100;
/** 10,000 intents: beyond that a scan says that it cannot tell, instead of running on. */
const mostPages = 100;

export const inconclusive = (why: string): LookupResult => ({ is: 'inconclusive', why });

/** Milliseconds since then. */
export const elapsed = (deps: StripeDeps, since: Date): number => deps.now().getTime() - since.getTime();

/** @returns the intent as it is now; never throws */
export async function readIntentById(
  deps: StripeDeps,
  id: string,
): Promise<{ is: 'intent'; intent: IntentReply } | { is: 'fault'; fault: StripeFault | undefined }> {
  const answer = await ask(deps.stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
  if (answer.is === 'error') return { is: 'fault', fault: answer.fault };
  const intent = readIntent(answer.value);
  return intent === undefined ? { is: 'fault', fault: undefined } : { is: 'intent', intent };
}

/** A failed read says nothing about the money. Refused ones will not get better by asking again this way. */
export function notRead(fault: StripeFault | undefined, state: StripeState): LookupResult {
  const evidence = fault === undefined ? 'the answer is not a payment intent' : fault.detail;
  const status = fault?.status ?? 0;
  if (status >= 400 && status < 500 && status !== 409 && status !== 429) return inconclusive(evidence);
  return { is: 'unknown', evidence, state: intoState({}, state) };
}

/** Whether an intent is the one of this attempt: our reference, the amount and the currency. */
export function isOurs(charge: Charge, intent: IntentReply): 'ours' | 'other' | 'differs' {
  if (intent.metadata?.[metadataRef] !== charge.ref) return 'other';
  const amount = fromWireAmount(intent.amount, intent.currency);
  const same = amount?.minor === charge.amount.minor && amount.currency === charge.amount.currency;
  return same ? 'ours' : 'differs';
}

/** What a found intent means for this attempt. One that nobody can be working on any more is cancelled. */
export async function settle(
  deps: StripeDeps,
  charge: Charge,
  intent: IntentReply,
  state: StripeState,
): Promise<LookupResult> {
  switch (isOurs(charge, intent)) {
    case 'other':
      return inconclusive(`${intent.id} does not carry our reference`);
    case 'differs':
      return {
        is: 'unknown',
        evidence: `${intent.id} carries our reference with another amount`,
        state: intoState(state, { intent: intent.id }),
      };
    case 'ours': {
      const isOver = elapsed(deps, charge.lastSentAt) > absenceProvenMs + sendingMarginMs;
      if (!isIdle(intent) || !isOver) return lookupFromIntent(intent, state);
      const closed = await closeIntent(deps, intent.id, state);
      return closed.is === 'cannotCancel' ? lookupFromIntent(intent, state) : closed;
    }
  }
}

/**
 * Cancels a payment. A refusal is followed by reading it: it may have succeeded meanwhile.
 * @returns `closed` when it can never capture; `cannotCancel` when it is still open and Stripe will not cancel it
 */
export async function closeIntent(deps: StripeDeps, id: string, state: StripeState): Promise<CancelResult> {
  // Cancelling twice is harmless, and a saved refusal must not stand in the way of a later try: a new key each time.
  const answer = await ask(
    deps.stripe.paymentIntents.cancel(
      id,
      { cancellation_reason: 'abandoned' },
      { idempotencyKey: `counterfoil:${id}:cancel:${randomUUID()}` },
    ),
  );
  if (answer.is === 'ok') {
    const intent = readIntent(answer.value);
    if (intent !== undefined) return lookupFromIntent(intent, state);
  }
  const read = await readIntentById(deps, id);
  if (read.is === 'fault') return notRead(read.fault, state);
  const found = lookupFromIntent(read.intent, state);
  const isStillOpen = found.is === 'requiresAction' || found.is === 'unknown' || found.is === 'declined';
  if (!isStillOpen) return found;
  if (answer.is === 'error' && answer.fault.status === 400) return { is: 'cannotCancel' };
  const evidence =
    answer.is === 'error' ? answer.fault.detail : 'the answer to cancel is not a payment intent';
  return { is: 'unknown', evidence, state: intoState(state, { intent: id }) };
}

/** {@link Gateway.lookup} by the list, which is consistent; search is not and is never used. */
export async function findByList(
  deps: StripeDeps,
  charge: Charge,
  state: StripeState,
): Promise<LookupResult> {
  const listed = await listOurs(deps, charge);
  if (listed.is === 'fault') return notRead(listed.fault, state);
  if (listed.is === 'tooMany') return inconclusive(`not among the newest ${mostPages * pageSize} payments`);
  const [first, ...others] = listed.intents;
  if (first === undefined) return { is: 'absent', proven: isAbsenceProven(deps, charge, state) };
  if (others.length === 0) return settle(deps, charge, first, state);
  const ids = listed.intents.map((intent) => intent.id).join(', ');
  return { is: 'unknown', evidence: `several payments carry our reference: ${ids}` };
}

/** Whether a list that shows nothing proves that nothing was made. */
export function isAbsenceProven(deps: StripeDeps, charge: Charge, state: StripeState): boolean {
  if (elapsed(deps, charge.lastSentAt) < absenceProvenMs + sendingMarginMs) return false;
  return (
    state.replayStopped === undefined ||
    elapsed(deps, new Date(state.replayStopped)) >= absenceAfterReplayed5xxMs
  );
}

type Listed =
  | { readonly is: 'intents'; readonly intents: readonly IntentReply[] }
  | { readonly is: 'tooMany' }
  | { readonly is: 'fault'; readonly fault: StripeFault | undefined };

/** One page of a list. */
export const readList = (
  value: unknown,
): { readonly data: readonly unknown[]; readonly hasMore: boolean } | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('data' in value) || !Array.isArray(value.data) || !('has_more' in value)) return undefined;
  return { data: value.data, hasMore: value.has_more === true };
};

/** All payments since the attempt that carry its reference. Every page is read: one may stand on any. */
async function listOurs(deps: StripeDeps, charge: Charge): Promise<Listed> {
  const customer = charge.payer['customer'];
  const query: Stripe.PaymentIntentListParams = {
    created: { gte: Math.floor(charge.sentAt.getTime() / 1000) - 60 },
    limit: pageSize,
    ...(customer === undefined ? {} : { customer }),
  };
  const intents: IntentReply[] = [];
  let after: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const answer = await ask(
      deps.stripe.paymentIntents.list(after === undefined ? query : { ...query, starting_after: after }),
    );
    if (answer.is === 'error') return { is: 'fault', fault: answer.fault };
    const list = readList(answer.value);
    if (list === undefined) return { is: 'fault', fault: undefined };
    for (const value of list.data) {
      const intent = readIntent(value);
      if (intent === undefined) return { is: 'fault', fault: undefined };
      if (isOurs(charge, intent) !== 'other') intents.push(intent);
      after = intent.id;
    }
    if (!list.hasMore || list.data.length === 0) return { is: 'intents', intents };
  }
  return { is: 'tooMany' };
}
