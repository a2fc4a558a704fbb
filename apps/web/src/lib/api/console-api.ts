import type { RESELLER_HEADER } from '@counterfoil/contract/operator/access/api-keys.ts';
import { runtimeConfig } from '../page/runtime-config.ts';
import { ApiError, errorFrom } from './api-error.ts';
import { type Api, type Call, callsOver, createSender } from './calls.ts';

const resellerHeader: typeof RESELLER_HEADER = 'x-reseller-id';

let reseller: number | null = null;
let leave: () => void = () => undefined;

/** For which reseller calls are from now on; null where none is chosen. */
export const setReseller = (id: number | null): void => {
  reseller = id;
};

/** What happens when the session has ended. */
export const onOperatorSignedOut = (act: () => void): void => {
  leave = act;
};

const sender = createSender((input, init) => globalThis.fetch(input, init), {
  api: runtimeConfig.apiHost,
  reseller: runtimeConfig.apiHost,
});

const ofReseller = (): Readonly<Record<string, string>> =>
  reseller === null ? {} : { [resellerHeader]: String(reseller) };

async function accepted(response: Response): Promise<Response> {
  if (response.ok) return response;
  const error = await errorFrom(response);
  if (response.status === 401) leave();
  throw error;
}

const send = async (call: Call): Promise<Response> => accepted(await sender(call, ofReseller()));

/** The API as an operator calls it: the browser adds the cookie, this the reseller. */
export const consoleApi: Api = callsOver(send);

/** Whether a change was refused because what it is about is in another state than the one it names. */
export const isPreconditionFailed = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'precondition.failed';

/** What a call answers, with the state that a change of it names in `If-Match`. */
export interface WithState<T> {
  readonly data: T;
  readonly state: string;
}

/** Reads something that is changed by the state it was read in. */
export async function getWithState<T>(path: string, signal: AbortSignal): Promise<WithState<T>> {
  const response = await send({ method: 'GET', path, body: undefined, options: { signal } });
  const { data } = (await response.json()) as { readonly data: T };
  return { data, state: response.headers.get('etag') ?? '' };
}

/** Changes members of something that was read in a state. @throws {ApiError} precondition.failed where it is in another */
export async function patch<T>(path: string, change: object, state: string): Promise<T> {
  const options = { headers: { 'If-Match': state } };
  const response = await send({ method: 'PATCH', path, body: change, options });
  return ((await response.json()) as { readonly data: T }).data;
}

/** Sends a file as it is. @param about its content type, where the browser's is not meant, and the query @throws {ApiError} */
export async function sendFile<T>(
  method: 'POST' | 'PUT',
  path: string,
  file: Blob,
  about: { readonly type?: string; readonly query?: Readonly<Record<string, string>> } = {},
): Promise<T> {
  const { type = file.type, query = {} } = about;
  const search = new URLSearchParams(query);
  const address = `${runtimeConfig.apiHost}${path}${search.size === 0 ? '' : `?${search}`}`;
  const response = await globalThis.fetch(address, {
    method,
    headers: { Accept: 'application/json', 'Content-Type': type, ...ofReseller() },
    body: file,
  });
  return ((await (await accepted(response)).json()) as { readonly data: T }).data;
}

/** A list read by cursor. */
export interface CursorPage<T> {
  readonly data: readonly T[];
  readonly nextCursor: string | null;
}

/** A page of a list that is read by cursor. */
export const getCursorPage = async <T>(
  path: string,
  options?: Parameters<Api['getPage']>[1],
): Promise<CursorPage<T>> => (await consoleApi.getPage(path, options)) as unknown as CursorPage<T>;
