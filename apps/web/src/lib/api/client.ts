import type { CUSTOMER_HEADER } from '@counterfoil/contract/envelope.ts';
import { t } from '../../messages/common.ts';
import type { SessionStore } from '../session/session-store.ts';
import type { TabLock } from '../session/tab-lock.ts';
import { ApiError, errorFrom } from './api-error.ts';
import { createRefresher } from './refresh.ts';
import { requestToken } from './token.ts';

/** The specification's time-out of every call (portal §7). */
export const REQUEST_TIMEOUT_MS = 300_000;
const customerHeader: typeof CUSTOMER_HEADER = 'x-customer-id';

export type QueryValue = string | number | boolean | null | undefined;

export interface CallOptions {
  /** Query parameters; null and undefined are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which host answers (runtime configuration); default: the API's. */
  readonly host?: 'api' | 'reseller';
  /** Sent without a token and without a customer: brand before sign-in, the pay page. */
  readonly anonymous?: boolean;
}

/** A list read page by page: the total stands beside the page. */
export interface Page<T> {
  readonly data: readonly T[];
  readonly totalCount: number;
}

/** A file the server sent, with the name it gave. */
export interface ReceivedFile {
  readonly blob: Blob;
  readonly fileName: string | undefined;
}

/** Every call to the API. All throw {@link ApiError}; paths begin with '/v1/'. */
export interface Api {
  readonly get: <T>(path: string, options?: CallOptions) => Promise<T>;
  readonly getPage: <T>(path: string, options?: CallOptions) => Promise<Page<T>>;
  readonly post: <T>(path: string, body?: unknown, options?: CallOptions) => Promise<T>;
  readonly put: <T>(path: string, body?: unknown, options?: CallOptions) => Promise<T>;
  readonly delete: <T>(path: string, options?: CallOptions) => Promise<T>;
  readonly file: (path: string, options?: CallOptions) => Promise<ReceivedFile>;
  /** Like `file`, for downloads that are asked for with a body. */
  readonly postFile: (path: string, body: unknown, options?: CallOptions) => Promise<ReceivedFile>;
}

export interface ApiParts {
  readonly fetch: typeof fetch;
  readonly session: SessionStore;
  readonly lock: TabLock;
  readonly hosts: { readonly api: string; readonly reseller: string };
  /** The stored session was cleared: go to the sign-in page. */
  readonly onSignedOut: () => void;
  /** The chosen customer is not the user's: forget the choice and load the page again, once. */
  readonly onForeignCustomer: () => void;
  /** The brand asks for a second factor that the person does not have: nothing else is open until it is set up. */
  readonly onSecondFactorRequired: () => void;
}

/** The portal's one way to the server: token, customer, time-out, one refresh, one shape of errors. */
export function createApi(parts: ApiParts): Api {
  const { session, hosts } = parts;
  const refresher = createRefresher({
    session,
    lock: parts.lock,
    onSignedOut: parts.onSignedOut,
    trade: (refreshToken) =>
      requestToken(
        parts.fetch,
        hosts.api,
        { grant_type: 'refresh_token', refresh_token: refreshToken },
        AbortSignal.timeout(REQUEST_TIMEOUT_MS),
      ),
  });

  const attempt = async (
    method: string,
    path: string,
    body: unknown,
    options: CallOptions,
    token?: string,
  ) => {
    const headers = new Headers({ Accept: 'application/json', ...options.headers });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    if (token !== undefined) headers.set('Authorization', `Bearer ${token}`);
    const customer = options.anonymous ? null : session.customerId();
    if (customer !== null) headers.set(customerHeader, customer);
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    try {
      return await parts.fetch(`${hosts[options.host ?? 'api']}${path}${queryText(options.query)}`, {
        method,
        headers,
        signal: options.signal ? AbortSignal.any([options.signal, timeout]) : timeout,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      if (options.signal?.aborted) throw cause;
      throw timeout.aborted
        ? new ApiError(0, 'client.timeout', t('error.timeout'), {}, cause)
        : new ApiError(0, 'client.unreachable', t('error.offline'), {}, cause);
    }
  };

  const send = async (
    method: string,
    path: string,
    body: unknown,
    options: CallOptions,
  ): Promise<Response> => {
    let response: Response;
    if (options.anonymous) {
      response = await attempt(method, path, body, options);
    } else {
      // Its failure belongs to the calls that caused it; this one finds out by itself.
      await refresher.underWay()?.catch(() => undefined);
      const token = session.auth()?.access_token;
      if (token === undefined) throw refresher.signOut();
      response = await attempt(method, path, body, options, token);
      if (response.status === 401) {
        const fresh = await refresher.renew(token);
        response = await attempt(method, path, body, options, fresh.access_token);
        // A brand-new token that is refused: the session was ended on the server.
        if (response.status === 401) throw refresher.signOut(await errorFrom(response));
      }
    }
    if (response.ok) return response;
    const error = await errorFrom(response);
    if (error.code === 'customer.notYours') parts.onForeignCustomer();
    if (error.code === 'secondFactor.required') parts.onSecondFactorRequired();
    throw error;
  };

  const json = async (
    method: string,
    path: string,
    body: unknown,
    options: CallOptions = {},
  ): Promise<unknown> => {
    const response = await send(method, path, body, options);
    if (response.status === 204) return { data: undefined };
    try {
      return await response.json();
    } catch (cause) {
      throw new ApiError(response.status, 'client.unreadable', t('error.unreadable'), {}, cause);
    }
  };
  // The contract's schemas are what the server answers with; the type names which one.
  const data = async <T>(answer: Promise<unknown>): Promise<T> =>
    ((await answer) as { readonly data: T }).data;

  return {
    get: (path, options) => data(json('GET', path, undefined, options)),
    getPage: async (path, options) => (await json('GET', path, undefined, options)) as Page<never>,
    post: (path, body, options) => data(json('POST', path, body, options)),
    put: (path, body, options) => data(json('PUT', path, body, options)),
    delete: (path, options) => data(json('DELETE', path, undefined, options)),
    file: async (path, options = {}) => received(await send('GET', path, undefined, fileOptions(options))),
    postFile: async (path, body, options = {}) =>
      received(await send('POST', path, body, fileOptions(options))),
  };
}

const fileOptions = (options: CallOptions): CallOptions => ({
  ...options,
  headers: { Accept: '*/*', ...options.headers },
});

async function received(response: Response): Promise<ReceivedFile> {
  return { blob: await response.blob(), fileName: fileNameFrom(response.headers.get('content-disposition')) };
}

/** The name of RFC 6266, the encoded form (`filename*`) first. */
export function fileNameFrom(disposition: string | null): string | undefined {
  const encoded = disposition?.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  if (encoded !== undefined) {
    try {
      return decodeURIComponent(encoded);
    } catch {
      // Badly encoded: the plain form stands beside it.
    }
  }
  return disposition?.match(/filename="([^"]*)"/i)?.[1];
}

function queryText(query: CallOptions['query']): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== null && value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? '' : `?${search}`;
}
