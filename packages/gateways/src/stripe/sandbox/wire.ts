/** How Stripe says things: errors, the account of a key, versions, parameters of every call, lists. */

import { digest } from '@counterfoil/sandbox/ids.ts';
import { pageOf } from '@counterfoil/sandbox/requests/paging.ts';
import { ParamFault, type ParamProblem } from '@counterfoil/sandbox/requests/param-fault.ts';
import { group, id, list, metadataRule, type Rule, whole } from '@counterfoil/sandbox/requests/params.ts';
import type { Collection } from '@counterfoil/sandbox/store.ts';

export interface ErrorFields {
  readonly code?: string;
  readonly decline_code?: string;
  readonly param?: string;
  readonly advice_code?: string;
  readonly charge?: string;
  readonly payment_intent?: object;
  readonly setup_intent?: object;
  readonly payment_method?: object;
}

export type ErrorType = 'invalid_request_error' | 'card_error' | 'idempotency_error' | 'api_error';

export class StripeFault extends Error {
  readonly status: number;
  readonly type: ErrorType;
  readonly fields: ErrorFields;
  /** Whether the endpoint had begun its work: only then is the answer kept for its idempotency key. */
  readonly begun: boolean;

  constructor(status: number, type: ErrorType, message: string, fields: ErrorFields = {}, begun = false) {
    super(message);
    this.status = status;
    this.type = type;
    this.fields = fields;
    this.begun = begun;
  }

  /** The error as sent. */
  body(requestId: string): object {
    const code = this.fields.code;
    return {
      error: {
        ...this.fields,
        ...(code === undefined
          ? {}
          : { doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }),
        message: this.message,
        ...(this.status === 401
          ? {}
          : { request_log_url: `https://dashboard.stripe.com/test/logs/${requestId}` }),
        type: this.type,
      },
    };
  }
}

/** 400 for a request that is wrong before anything was done. */
export function invalid(message: string, param?: string, code?: string): StripeFault {
  return new StripeFault(400, 'invalid_request_error', message, {
    ...(code === undefined ? {} : { code }),
    ...(param === undefined ? {} : { param }),
  });
}

/** 400 for a request that came in the wrong state; kept for its idempotency key. */
export function conflict(message: string, fields: ErrorFields = {}): StripeFault {
  return new StripeFault(400, 'invalid_request_error', message, fields, true);
}

/** 404 for an id in the path, 400 for one in the body. */
export function missing(what: string, id: string, param: string, inPath = false): StripeFault {
  return new StripeFault(inPath ? 404 : 400, 'invalid_request_error', `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
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
  const key = keyIn(authorization) ?? keyParam;
  if (key === undefined || key === '') {
    throw unauthorised(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    );
  }
  const match = /^(sk|rk|pk)_test_([A-Za-z0-9_]{1,200})$/.exec(key);
  if (match === null || match[2]?.startsWith('invalid'))
    throw unauthorised(`Invalid API Key provided: ${masked(key)}`);
  if (match[2]?.startsWith('expired')) {
    throw new StripeFault(401, 'invalid_request_error', `Expired API Key provided: ${masked(key)}`, {
      code: 'api_key_expired',
    });
  }
  return { account: accountOf(key), publishable: match[1] === 'pk' };
}

/** The account behind a key; an account's own name stands for itself. */
export function accountOf(key: string): string {
  if (key.startsWith('acct_')) return key;
  return `acct_${digest(key.replace(/^(sk|rk|pk)_test_/, ''))
    .replace(/[-_]/g, '')
    .slice(0, 16)}`;
}

function keyIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const [scheme = '', credentials = ''] = authorization.split(/\s+(.*)/s, 2);
  if (scheme.toLowerCase() === 'bearer') return credentials.trim();
  if (scheme.toLowerCase() !== 'basic') return undefined;
  return Buffer.from(credentials, 'base64').toString('utf8').split(':', 1)[0];
}

function unauthorised(message: string): StripeFault {
  return new StripeFault(401, 'invalid_request_error', message);
}

function masked(key: string): string {
  return key.length < 12 ? `${key.slice(0, 3)}***` : `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`;
}

export const pinnedVersion = '2026-10-28.endive';

/** The version before the pinned one: payment method types were still named by the older parameter. */
const known = ['2026-08-26.dahlia', pinnedVersion];

/** @throws {StripeFault} 400 without code for a version that does not exist */
export function readVersion(header: string | undefined): string {
  if (header === undefined || header === '') return pinnedVersion;
  if (known.includes(header)) return header;
  throw invalid(`Invalid Stripe API version: ${header}`);
}

/** Versions are dates, so text order is time order. */
export function isSince(version: string, date: string): boolean {
  return version >= date;
}

/** The parameters that name payment method types, checked against the version and each other. */
export function readTypes(
  version: string,
  params: {
    readonly payment_method_types: readonly string[] | undefined;
    readonly allowed_payment_method_types: readonly string[] | undefined;
    readonly excluded_payment_method_types?: readonly string[] | undefined;
    readonly automatic_payment_methods?: unknown;
    readonly payment_method_configuration?: unknown;
  },
): { readonly types: readonly string[] | undefined; readonly allowed: readonly string[] | null } {
  const { payment_method_types: types, allowed_payment_method_types: allowed } = params;
  if (types !== undefined && isSince(version, '2026-09-30')) {
    throw invalid(
      'The parameter `payment_method_types` is no longer supported in this API version. Use `allowed_payment_method_types` instead.',
      'payment_method_types',
      'payment_method_types_no_longer_supported',
    );
  }
  if (allowed !== undefined) {
    const exclusive = (
      [
        'payment_method_types',
        'excluded_payment_method_types',
        'automatic_payment_methods',
        'payment_method_configuration',
      ] as const
    ).find((name) => params[name] !== undefined);
    if (exclusive !== undefined) {
      throw invalid(
        `You may only specify one of these parameters: allowed_payment_method_types, ${exclusive}.`,
        'allowed_payment_method_types',
      );
    }
  }
  for (const type of types ?? []) {
    if (!knownTypes.includes(type))
      throw invalid(`The payment method type "${type}" is invalid.`, 'payment_method_types');
  }
  const kept = allowed?.filter((type) => knownTypes.includes(type));
  if (kept?.length === 0) {
    throw invalid('No valid payment method types for this intent.', 'allowed_payment_method_types');
  }
  return { types: types ?? kept, allowed: allowed ?? null };
}

export const knownTypes: readonly string[] = [
  'card',
  'au_becs_debit',
  'us_bank_account',
  'bacs_debit',
  'sepa_debit',
  'link',
];

/** On every call. */
export const common = { expand: list(id(), 20) };
/** On every list. */
export const paging = { ...common, limit: whole(1, 100), starting_after: id(), ending_before: id() };
export const metadata = metadataRule({ keys: 50, key: 40, value: 500 });

interface Range {
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

/** Takes a metadata parameter into existing metadata. */
export function mergeMetadata(
  known: Readonly<Record<string, string>>,
  change: Readonly<Record<string, string>> | 'clear' | undefined,
): Record<string, string> {
  if (change === 'clear') return {};
  const merged = Object.entries({ ...known, ...change }).filter(([, value]) => value !== '');
  if (merged.length > 50) throw invalid('Metadata can have at most 50 keys.', 'metadata');
  return Object.fromEntries(merged);
}

export const created: Rule<Range | undefined> = {
  read(form, name) {
    if (form === undefined) return undefined;
    if (typeof form === 'string') {
      const at = whole(0).read(form, name) ?? 0;
      return { gte: at, lte: at };
    }
    const range = group({ gt: whole(0), gte: whole(0), lt: whole(0), lte: whole(0) }).read(form, name) ?? {};
    return Object.fromEntries(Object.entries(range).filter(([, value]) => value !== undefined));
  },
};

export function isWithin(at: number, range: Range | undefined): boolean {
  if (range === undefined) return true;
  return (
    at > (range.gt ?? -1) &&
    at >= (range.gte ?? 0) &&
    at < (range.lt ?? Number.POSITIVE_INFINITY) &&
    at <= (range.lte ?? Number.POSITIVE_INFINITY)
  );
}

/** One page of a collection's values that fit. */
export function listOf<T extends { readonly id: string }>(
  url: string,
  all: Collection<T>,
  params: {
    readonly limit?: number | undefined;
    readonly starting_after?: string | undefined;
    readonly ending_before?: string | undefined;
  },
  fits: (value: T) => boolean,
): Record<string, unknown> {
  const { limit = 10, starting_after: after, ending_before: before } = params;
  for (const param of ['starting_after', 'ending_before'] as const) {
    const cursor = params[param];
    if (cursor !== undefined && all.get(cursor) === undefined) throw missing('object', cursor, param);
  }
  const { items, hasMore } = pageOf(all, { limit, after, before }, fits);
  return { object: 'list', data: items.map((value) => visible(value)), has_more: hasMore, url };
}

/** A copy without the sandbox's own fields. */
export function visible(object: object): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(object)) if (!name.startsWith('_')) shown[name] = value;
  return shown;
}
