import { runtimeConfig } from '../page/runtime-config.ts';
import { dropForeignCustomer, goToSecurity, leaveEnded } from '../session/leave.ts';
import { session, sharedStorage } from '../session/session-store.ts';
import { createTabLock } from '../session/tab-lock.ts';
import { createApi } from './client.ts';

/** The API as this browser reaches it. */
export const api = createApi({
  fetch: (input, init) => globalThis.fetch(input, init),
  session,
  lock: createTabLock(globalThis.navigator?.locks, sharedStorage),
  hosts: { api: runtimeConfig.apiHost, reseller: runtimeConfig.resellerApiHost || runtimeConfig.apiHost },
  onSignedOut: leaveEnded,
  onForeignCustomer: dropForeignCustomer,
  onSecondFactorRequired: goToSecurity,
});
