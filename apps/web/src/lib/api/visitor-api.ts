import { runtimeConfig } from '../page/runtime-config.ts';
import { session, sharedStorage } from '../session/session-store.ts';
import { createTabLock } from '../session/tab-lock.ts';
import { createApi } from './client.ts';

const stay = (): void => undefined;

/**
 * The API for a page that anybody may open and that only asks who may be signed in: where nobody is, or no longer, it stays
 * where it is.
 */
export const visitorApi = createApi({
  fetch: (input, init) => globalThis.fetch(input, init),
  session,
  lock: createTabLock(globalThis.navigator?.locks, sharedStorage),
  hosts: { api: runtimeConfig.apiHost, reseller: runtimeConfig.resellerApiHost || runtimeConfig.apiHost },
  onSignedOut: stay,
  onForeignCustomer: stay,
  onSecondFactorRequired: stay,
});
