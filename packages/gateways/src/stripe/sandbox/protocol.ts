/** How Stripe says things: errors, the account of a key, versions, keys of requests, parameters that many calls have. */
import { digest } from '@counterfoil/sandbox/ids.ts';
import type { KeyPolicy } from '@counterfoil/sandbox/requests/idempotency.ts';
import { ParamFault, type ParamProblem } from '@counterfoil/sandbox/requests/param-fault.ts';
import { group, id, list, metadataRule, text, whole } from '@counterfoil/sandbox/requests/params.ts';

type ErrorType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';
type Fields = Readonly<Record<string, unknown>>;

export class StripeFault extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly fields: Fields;
  /** Whether the endpoint had begun its work: only then is the answer kept for its idempotency key. */
  readonly begun: boolean;

  constructor(status: number, type: ErrorType, message: string, fields: Fields = {}, begun = false) {
    super(message);
    this.status = status;
    this.type = type;
    this.fields = fields;
    this.begun = begun;
  }

  /** As sent. */
  answer() {
    const { status, type, message, fields } = this;
    return { status, body: JSON.stringify({ error: { ...fields, message, type } }) };
  }
}

/** 400 for a request that is wrong before anything was done. */
export function invalid(message: string, param?: string, code?: string): StripeFault {
  return new StripeFault(400, 'invalid_request_error', message, { code, param });
}

/** 400 for a parameter that has to be there. */
export const needed = (param: string): StripeFault =>
  invalid(`Missing required param: ${param}.`, param, 'parameter_missing');

/** 400 for a request that came in the wrong state; kept for its idempotency key. */
export function conflict(message: string, fields: Fields = {}): StripeFault {
  return new StripeFault(400, 'invalid_request_error', message, fields, true);
}

/** 402 of a card; `begun` where it was tried. */
export const cardError = (message: string, fields: Fields, begun = false): StripeFault =>
  new StripeFault(402, 'card_error', message, fields, begun);

/** 404 for an id in the path, 400 for one in the body. */
export function missing(what: string, name: string, param: string, inPath = false): StripeFault {
  const fields = { code: 'resource_missing', param };
  return new StripeFault(inPath ? 404 : 400, 'invalid_request_error', `No such ${what}: '${name}'`, fields);
}

const codes: Readonly<Partial<Record<ParamProblem, string>>> = {
  missing: 'parameter_missing',
  empty: 'parameter_invalid_empty',
  unknown: 'parameter_unknown',
  integer: 'parameter_invalid_integer',
  length: 'parameter_invalid_string_length',
  address: 'url_invalid',
};

/** What a piece of work threw, in Stripe's words; `undefined` for a fault of the sandbox itself. */
export function faultFrom(cause: unknown): StripeFault | undefined {
  if (cause instanceof StripeFault) return cause;
  if (cause instanceof ParamFault) return invalid(cause.message, cause.param, codes[cause.problem]);
  return undefined;
}

export interface Caller {
  readonly account: string;
  readonly publishable: boolean;
}

/** @throws {StripeFault} 401 when the key is missing, malformed, of live mode, or revoked */
export function authenticate(authorization: string | undefined, keyParam: string | undefined): Caller {
  const key = /^Bearer (.*)$/i.exec(authorization ?? '')?.[1]?.trim() ?? keyParam ?? '';
  const [, kind, name = ''] = /^(sk|rk|pk)_test_([A-Za-z0-9_]{1,200})$/.exec(key) ?? [];
  if (kind === undefined || name.startsWith('invalid')) {
    const said =
      key === '' ? 'You did not provide an API key.' : `Invalid API Key provided: ${key.slice(0, 8)}***`;
    throw new StripeFault(401, 'invalid_request_error', said);
  }
  return { account: accountOf(key), publishable: kind === 'pk' };
}

/** Of ids and prints: letters and digits only. */
export const print = (...parts: readonly string[]): string =>
  digest(...parts)
    .replace(/[-_]/g, '')
    .slice(0, 16);

/** The account behind a key; an account's own name stands for itself. */
export const accountOf = (key: string): string =>
  key.startsWith('acct_') ? key : `acct_${print(key.replace(/^(sk|rk|pk)_test_/, ''))}`;

export const pinnedVersion = '2026-10-28.endive';

/** @throws {StripeFault} 400 without code for a version that does not exist */
export function readVersion(header = pinnedVersion): string {
  // The one before the pinned one still named payment method types by the older parameter.
  if (header !== pinnedVersion && header !== '2026-08-26.dahlia')
    throw invalid(`Invalid Stripe API version: ${header}`);
  return header;
}

export const isEndive = (version: string): boolean => version === pinnedVersion;

/** Keys are kept for a day, replayed, never usable for another request. https://docs.stripe.com/api/idempotent_requests */
export const keys: KeyPolicy = {
  keptForMs: 24 * 3600 * 1000,
  replay(kept, { endpoint, digest: asked, key }) {
    if (kept.endpoint === endpoint && kept.digest === asked) return kept;
    const message = `Keys for idempotent requests can only be used with the same endpoint and parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StripeFault(400, 'idempotency_error', message);
  },
  inUse: () =>
    new StripeFault(
      409,
      'idempotency_error',
      'There is currently another in-progress request using this Idempotent Key. Please try again later.',
      { code: 'idempotency_key_in_use' },
    ),
};

const longestKey = 255;

/** The key of a request; only POST has one. @throws {StripeFault} 400 when it is too long */
export function keyOf(method: string, key: string | undefined): string | null {
  if (method !== 'POST' || key === undefined || key === '') return null;
  if (key.length > longestKey)
    throw invalid(`Idempotency keys can be at most ${longestKey} characters long, yours has ${key.length}.`);
  return key;
}

// ---- Parameters ----

/** Of every call. */
export const common = { expand: list(id(), 20) };
/** Of every list. */
export const paging = { limit: whole(1, 100), starting_after: id() };
/** Of lists of what has a time: seconds. */
export const created = group({ gte: whole(0) });
export const metadata = metadataRule({ keys: 50, key: 40, value: 500 });

/** Takes a metadata parameter into existing metadata. */
export function mergeMetadata(
  known: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>> | 'clear' | undefined,
): Record<string, string> {
  if (change === 'clear') return {};
  return Object.fromEntries(Object.entries({ ...known, ...change }).filter(([, value]) => value !== ''));
}

const place = {
  city: text(),
  country: text(),
  line1: text(),
  line2: text(),
  postal_code: text(),
  state: text(),
};
/** Who owns a method. */
export const billingFields = group({ address: group(place), email: text(512), name: text(), phone: text() });
