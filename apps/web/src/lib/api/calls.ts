import { t } from '../../text/common.ts';
import { errorBanner } from '../error-banner.ts';
import { ApiError, errorFrom } from './api-error.ts';

/** The specification's time-out of every call (portal §7). */
export const REQUEST_TIMEOUT_MS = 300_000;

export type QueryValue = string | number | boolean | null | undefined;

export interface CallOptions {
  /** Query parameters; null and undefined are left out. */
  readonly query?: Readonly<Record<string, QueryValue>>;
  readonly signal?: AbortSignal | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Which host answers (runtime configuration); default: the API's. */
  readonly host?: 'api' | 'reseller';
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
  /** The whole answer, where something stands beside `data`. */
  readonly postWhole: <T>(path: string, body?: unknown, options?: CallOptions) => Promise<T>;
  readonly put: <T>(path: string, body?: unknown, options?: CallOptions) => Promise<T>;
  readonly delete: <T>(path: string, options?: CallOptions) => Promise<T>;
  readonly file: (path: string, options?: CallOptions) => Promise<ReceivedFile>;
  /** Like `file`, for downloads that are asked for with a body. */
  readonly postFile: (path: string, body: unknown, options?: CallOptions) => Promise<ReceivedFile>;
}

/** Where calls go. */
export interface Hosts {
  readonly api: string;
  readonly reseller: string;
}

/** One call before it is sent. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body: unknown;
  readonly options: CallOptions;
}

/** Sends a call with further headers. @returns the answer, whatever its status @throws {ApiError} when none came */
export type Sender = (call: Call, headers: Readonly<Record<string, string>>) => Promise<Response>;

export const createSender =
  (fetcher: typeof fetch, hosts: Hosts): Sender =>
  async ({ method, path, body, options }, more) => {
    const headers = new Headers({ Accept: 'application/json', ...options.headers, ...more });
    if (body !== undefined) headers.set('Content-Type', 'application/json');
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    try {
      return await fetcher(`${hosts[options.host ?? 'api']}${path}${queryText(options.query)}`, {
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

/** The calls over a way to send them. @param send throws {@link ApiError} for an answer that is no success */
export function callsOver(sendCall: (call: Call) => Promise<Response>): Api {
  const send = async (call: Call): Promise<Response> => {
    const name = `${call.method} ${call.path}`;
    try {
      const response = await sendCall(call);
      errorBanner.mend(name);
      return response;
    } catch (error) {
      if (error instanceof ApiError) error.call = name;
      throw error;
    }
  };
  const json = async (
    method: Call['method'],
    path: string,
    body: unknown,
    options: CallOptions = {},
  ): Promise<unknown> => {
    const response = await send({ method, path, body, options });
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
  const file = async (
    method: Call['method'],
    path: string,
    body: unknown,
    options: CallOptions = {},
  ): Promise<ReceivedFile> =>
    received(
      await send({
        method,
        path,
        body,
        options: { ...options, headers: { Accept: '*/*', ...options.headers } },
      }),
    );
  return {
    get: (path, options) => data(json('GET', path, undefined, options)),
    getPage: async (path, options) => (await json('GET', path, undefined, options)) as Page<never>,
    post: (path, body, options) => data(json('POST', path, body, options)),
    postWhole: async (path, body, options) => (await json('POST', path, body, options)) as never,
    put: (path, body, options) => data(json('PUT', path, body, options)),
    delete: (path, options) => data(json('DELETE', path, undefined, options)),
    file: (path, options) => file('GET', path, undefined, options),
    postFile: (path, body, options) => file('POST', path, body, options),
  };
}

/** Calls of nobody: without token and customer, for what is open to everybody. */
export function createOpenApi(fetcher: typeof fetch, hosts: Hosts): Api {
  const sender = createSender(fetcher, hosts);
  return callsOver(async (call) => {
    const response = await sender(call, {});
    if (response.ok) return response;
    throw await errorFrom(response);
  });
}

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
