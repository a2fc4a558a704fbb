/** The official SDK over our own transport, with its answers and errors as values. */
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import { defaultTimeoutMs, type GatewayFetch, jsonOf, reachOf, send } from '../kit/http.ts';
import { describeFault, redact } from '../kit/redact.ts';
import type { GatewayContext } from '../port/define-gateway.ts';
import { apiVersion, type StripeRole, type StripeSettings } from './manifest.ts';

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

/** An error answer, or a fault of the network, reduced to what decisions need. Texts are redacted. */
export interface StripeFault {
  /** HTTP status; undefined when no complete answer came. */
  readonly status: number | undefined;
  /** Only without a status: whether anything can have reached Stripe. */
  readonly reach: 'notSent' | 'sent';
  /** Only without a status: the connection was closed on us, as an idle one may be. */
  readonly isCut: boolean;
  readonly type: string;
  readonly code: string;
  readonly declineCode: string;
  readonly adviceCode: string;
  readonly param: string;
  readonly detail: string;
  /** The saved result of an earlier request with the same key. */
  readonly replayed: boolean;
  /** An earlier send of this very request ended without certainty: whatever came now, that one may have run. */
  readonly mayHaveRun: boolean;
  /** Objects that an error carries, as they came. */
  readonly paymentIntent: unknown;
  readonly setupIntent: unknown;
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
