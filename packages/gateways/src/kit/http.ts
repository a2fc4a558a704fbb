/**
 * Shared transport for gateways without an SDK, and the one place that decides whether a fault of the
 * network leaves a payment `notAttempted` (nothing was sent) or `unknown` (something may have been).
 */
import type { GatewayState, Outcome } from '../port/gateway.ts';
import { describeFault, redact } from './redact.ts';

export type GatewayFetch = typeof globalThis.fetch;

/** Default wait for one answer. The server answers its own caller within 25 s. */
export const defaultTimeoutMs = 20_000;
const defaultMaxBytes = 1024 * 1024;

export interface GatewayRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly timeoutMs?: number;
  /** Longest answer taken, bytes (1 MiB). A longer one is a `sent` fault: it was answered, but not understood. */
  readonly maxBytes?: number;
}

export type HttpReply =
  /** Any complete answer, whatever its status. Redirects are answers, never followed. */
  | { readonly is: 'reply'; readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array }
  /** `notSent`: nothing left this machine. `sent`: the request may have been executed. */
  | { readonly is: 'fault'; readonly reach: 'notSent' | 'sent'; readonly detail: string };

/** Faults of name resolution, connecting and the TLS handshake: before the first byte of a request. */
const beforeSending = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_INVALID_URL',
]);

/**
 * Whether anything can have reached the gateway. Looks through causes and through the several errors of a
 * host with several addresses; in doubt `sent`.
 */
export function reachOf(fault: unknown): 'notSent' | 'sent' {
  if (!(fault instanceof Error)) return 'sent';
  if (fault instanceof AggregateError && fault.errors.length > 0) {
    return fault.errors.every((one) => reachOf(one) === 'notSent') ? 'notSent' : 'sent';
  }
  const code = 'code' in fault ? fault.code : undefined;
  if (typeof code === 'string') {
    if (beforeSending.has(code)) return 'notSent';
    // EHOSTUNREACH, ENETUNREACH and ETIMEDOUT also end established connections: only those of connect count.
    return 'syscall' in fault && fault.syscall === 'connect' ? 'notSent' : 'sent';
  }
  return fault.cause === undefined ? 'sent' : reachOf(fault.cause);
}

/** The outcome of a money call that ended in a fault of the network. */
export const outcomeOfFault = (
  reach: 'notSent' | 'sent',
  detail: string,
  state: GatewayState | undefined,
): Outcome =>
  reach === 'notSent'
    ? { is: 'notAttempted', why: 'unreachable', detail }
    : { is: 'unknown', evidence: detail, ...(state === undefined ? {} : { state }) };

async function readBounded(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  if (response.body !== null) {
    for await (const part of response.body as AsyncIterable<Uint8Array>) {
      size += part.byteLength;
      // Leaving the loop cancels the stream and with it the connection.
      if (size > maxBytes) throw new RangeError(`the answer is longer than ${maxBytes} bytes`);
      parts.push(part);
    }
  }
  return Buffer.concat(parts, size);
}

/** Sends one request. Never throws, never repeats, never follows a redirect; the time limit covers the body too. */
export async function send(
  request: GatewayRequest,
  fetchWith: GatewayFetch = globalThis.fetch,
): Promise<HttpReply> {
  const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
  try {
    const response = await fetchWith(request.url, {
      method: request.method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      ...(request.headers === undefined ? {} : { headers: request.headers }),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    const bytes = await readBounded(response, request.maxBytes ?? defaultMaxBytes);
    return { is: 'reply', status: response.status, headers: response.headers, bytes };
  } catch (fault) {
    return { is: 'fault', reach: reachOf(fault), detail: describeFault(fault) };
  }
}

/**
 * Text of an answer's body as UTF-8, without a byte-order mark (some gateways send one).
 * @returns undefined when the bytes are not UTF-8
 */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A body as JSON; `fault` is redacted and says what came instead (a gateway's HTML error page, an empty body). */
export function jsonOf(
  bytes: Uint8Array,
): { readonly is: 'json'; readonly value: unknown } | { readonly is: 'fault'; readonly detail: string } {
  const text = textOf(bytes);
  if (text === undefined) return { is: 'fault', detail: 'the answer is not UTF-8' };
  try {
    return { is: 'json', value: JSON.parse(text) };
  } catch {
    return { is: 'fault', detail: `the answer is not JSON: ${redact(text.slice(0, 120)) || '(empty)'}` };
  }
}
