import type { RESELLER_HEADER } from '@counterfoil/contract/operator/api-keys.ts';
import { runtimeConfig } from '../page/runtime-config.ts';
import { errorFrom } from './api-error.ts';
import { type Api, callsOver, createSender } from './calls.ts';

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

/** The API as an operator calls it: the browser adds the cookie, this the reseller. */
export const consoleApi: Api = callsOver(async (call) => {
  const response = await sender(call, reseller === null ? {} : { [resellerHeader]: String(reseller) });
  if (response.ok) return response;
  const error = await errorFrom(response);
  if (response.status === 401) leave();
  throw error;
});

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
