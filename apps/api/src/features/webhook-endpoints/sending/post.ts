import { lookup } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { traced } from '../../../tracing/spans.ts';
import { isPublicAddress } from './address-guard.ts';

/** A delivery has this long, from the look-up of the host's name to the answer's first bytes. */
export const TIMEOUT_MS = 15_000;
/** Of an answer's body as much is kept, and no more is read. */
const KEPT_BYTES = 2_048;
/** An answer whose body does not come is not waited for: its status has said what counts. */
const BODY_WITHIN_MS = 1_000;

/** What came of one try. */
export interface Posted {
  /** Null where there was no answer. */
  readonly status: number | null;
  /** Why it is no delivery; null where it is one. */
  readonly problem: string | null;
  /** The beginning of the answer. */
  readonly answer: string | null;
}

export interface PostOptions {
  /** Whether addresses inside private networks may be reached. */
  readonly allowsPrivate: boolean;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The name leads into a private network. */
class PrivateAddress extends Error {
  override readonly name = 'PrivateAddress';
}
const PRIVATE = 'its host is inside a private network, which WEBHOOKS_ALLOW_PRIVATE does not allow';

/**
 * Looks a name up and refuses it where any of its addresses is private. It is the look-up of the connection itself, so that a
 * name that is answered otherwise the second time leads nowhere else.
 */
const lookupPublic: LookupFunction = (host, options, done) => {
  lookup(host, { ...options, all: true }, (error, found) => {
    if (error !== null) return done(error, [], 0);
    const [first] = found;
    if (first === undefined || found.some(({ address }) => !isPublicAddress(address)))
      return done(new PrivateAddress(PRIVATE), [], 0);
    return options.all === true ? done(null, found) : done(null, first.address, first.family);
  });
};

/**
 * Posts a body once. No redirect is followed, no more than the beginning of an answer is read, and every answer but 2xx is a
 * failure. Never throws.
 */
export const post = (
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  options: PostOptions,
): Promise<Posted> =>
  traced('client', 'send webhook', { 'http.request.method': 'POST' }, async (span) => {
    const posted = await postOnce(url, body, headers, options);
    if (posted.status !== null) span?.tell({ 'http.response.status_code': posted.status });
    if (posted.problem !== null) span?.fail(posted.status === null ? 'unanswered' : String(posted.status));
    return posted;
  });

function postOnce(
  url: URL,
  body: string,
  headers: Readonly<Record<string, string>>,
  options: PostOptions,
): Promise<Posted> {
  const { allowsPrivate, timeoutMs = TIMEOUT_MS } = options;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!allowsPrivate && isIP(host) !== 0 && !isPublicAddress(host))
    return Promise.resolve({ status: null, problem: PRIVATE, answer: null });
  return new Promise((resolve) => {
    const over = AbortSignal.timeout(timeoutMs);
    const signal = options.signal === undefined ? over : AbortSignal.any([over, options.signal]);
    const failed = (error: Error) => {
      const problem = over.aborted ? `no answer within ${timeoutMs / 1000} s` : wordsOf(error);
      if (!isAnswered) resolve({ status: null, problem, answer: null });
    };
    let isAnswered = false;
    const call = (url.protocol === 'http:' ? requestHttp : requestHttps)(
      url,
      {
        method: 'POST',
        agent: false,
        signal,
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        ...(allowsPrivate ? {} : { lookup: lookupPublic }),
      },
      (reply) => {
        isAnswered = true;
        void beginningOf(reply).then((answer) => {
          call.destroy();
          const status = reply.statusCode ?? 0;
          resolve({ status, problem: problemOf(status), answer });
        });
      },
    );
    call.on('error', failed);
    call.end(body);
  });
}

function problemOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `it answered with a redirect (${status}), which is not followed`;
  return `it answered ${status}`;
}

/** The first bytes of a body as text, as far as they come in time. */
async function beginningOf(reply: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, BODY_WITHIN_MS);
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    reply.on('data', (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length >= KEPT_BYTES) end();
    });
    reply.on('end', end).on('error', end).on('close', end);
  });
  // No NUL and no half character: the database takes neither.
  return Buffer.concat(parts)
    .subarray(0, KEPT_BYTES)
    .toString('utf8')
    .replaceAll('\0', '')
    .replace(/\uFFFD$/, '');
}

/** What a person is told of a call that brought no answer. */
function wordsOf(error: Error): string {
  if (error instanceof PrivateAddress) return error.message;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  if (code === undefined) return 'the connection broke';
  return (
    WORDS[code] ??
    (/CERT|SSL|TLS|SELF_SIGNED|VERIFY/.test(code)
      ? `its certificate is not accepted (${code})`
      : `the connection broke (${code})`)
  );
}

const WORDS: Readonly<Record<string, string>> = {
  ENOTFOUND: 'its host is not known',
  EAI_AGAIN: 'its host could not be looked up',
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'it closed the connection without an answer',
  EHOSTUNREACH: 'its address cannot be reached',
  ENETUNREACH: 'its address cannot be reached',
  ETIMEDOUT: 'it did not answer in time',
  HPE_INVALID_CONSTANT: 'it does not speak HTTP',
};
