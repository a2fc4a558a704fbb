/** The official SDK over our own transport, with its answers and errors as values; and payments read back through it. */

import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import * as z from 'zod/mini';
import { defaultTimeoutMs, type GatewayFetch, jsonOf, reachOf, send } from '../kit/http.ts';
import { describeFault, redact } from '../kit/redact.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import type { CancelResult, Charge, LookupResult } from '../port/gateway.ts';
import {
  absenceAfterReplayed5xxMs,
  absenceProvenMs,
  apiVersion,
  keyLifeMs,
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
const pageSize = 100;
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
  let intents: IntentReply[];
  try {
    intents = await listOurs(deps, charge);
  } catch (cause) {
    return notListed(cause, state);
  }
  const [first, ...others] = intents;
  if (first === undefined) return { is: 'absent', proven: isAbsenceProven(deps, charge, state) };
  if (others.length === 0) return settle(deps, charge, first, state);
  const ids = intents.map((intent) => intent.id).join(', ');
  return { is: 'unknown', evidence: `several payments carry our reference: ${ids}` };
}

/** Why the same request is not sent again, if it is not: its key may be gone, or keeps a server error. */
export function replayBar(
  deps: StripeDeps,
  sentAt: Date,
  stopped: string | undefined,
  marginMs = 60 * 60_000,
): string | undefined {
  if (stopped !== undefined) return 'a saved server error would be replayed';
  // A key that is about to be pruned is not used any more.
  return elapsed(deps, sentAt) > keyLifeMs - marginMs ? 'the key may be pruned' : undefined;
}

/** Whether a list that shows nothing proves that nothing was made. */
export function isAbsenceProven(deps: StripeDeps, charge: Charge, state: StripeState): boolean {
  if (elapsed(deps, charge.lastSentAt) < absenceProvenMs + sendingMarginMs) return false;
  return (
    state.replayStopped === undefined ||
    elapsed(deps, new Date(state.replayStopped)) >= absenceAfterReplayed5xxMs
  );
}

const page = z.looseObject({ data: z.array(z.unknown()), has_more: z.boolean() });

/** A list that cannot be read to its end: an answer that is an error, or none of a list; or too many pages. */
export class ListFault extends Error {
  readonly isTooLong: boolean;
  readonly fault: StripeFault | undefined;

  constructor(why: 'tooLong' | StripeFault | undefined) {
    const said = why === undefined ? 'it is none, or what is in it is something else' : 'it is too long';
    super(`the list cannot be read: ${typeof why === 'object' ? why.detail : said}`);
    this.isTooLong = why === 'tooLong';
    this.fault = typeof why === 'object' ? why : undefined;
  }
}

/**
 * Every object of a list, page by page.
 * @param list asks for the page after an id
 * @param read an object of the list; undefined for what is none
 * @throws {ListFault} when the list, or one in it, cannot be read: half a list is not a list
 */
export async function* everyOf<T extends { readonly id: string }>(
  list: (query: { readonly limit: number; starting_after?: string }) => Promise<Stripe.Response<unknown>>,
  read: (value: unknown) => T | undefined,
  most = mostPages,
): AsyncGenerator<T> {
  let after: { readonly starting_after?: string } = {};
  for (let at = 0; at < most; at += 1) {
    const answer = await ask(list({ limit: pageSize, ...after }));
    if (answer.is === 'error') throw new ListFault(answer.fault);
    const { data } = z.safeParse(page, answer.value);
    if (data === undefined) throw new ListFault(undefined);
    for (const value of data.data) {
      const one = read(value);
      if (one === undefined) throw new ListFault(undefined);
      yield one;
      after = { starting_after: one.id };
    }
    if (!data.has_more || data.data.length === 0) return;
  }
  throw new ListFault('tooLong');
}

/** What a list that could not be read says. @throws whatever is no {@link ListFault} */
export function notListed(cause: unknown, state: StripeState): LookupResult {
  if (!(cause instanceof ListFault)) throw cause;
  return cause.isTooLong ? inconclusive('it is not among the newest') : notRead(cause.fault, state);
}

/** From when on an attempt's payments and pages are listed. */
export const since = (charge: Charge) => ({ gte: Math.floor(charge.sentAt.getTime() / 1000) - 60 });

/** All payments since the attempt that carry its reference. Every page is read: one may stand on any. */
async function listOurs({ stripe }: StripeDeps, charge: Charge): Promise<IntentReply[]> {
  const { customer } = charge.payer;
  const about = { created: since(charge), ...(customer === undefined ? {} : { customer }) };
  const listed = everyOf((query) => stripe.paymentIntents.list({ ...about, ...query }), readIntent);
  const intents: IntentReply[] = [];
  for await (const intent of listed) if (isOurs(charge, intent) !== 'other') intents.push(intent);
  return intents;
}
