import { runtimeConfig } from '../page/runtime-config.ts';
import { createOpenApi } from './calls.ts';

/** The API without a session, as this browser reaches it: brand before sign-in, mailed links, the pay page. */
export const openApi = createOpenApi((input, init) => globalThis.fetch(input, init), {
  api: runtimeConfig.apiHost,
  reseller: runtimeConfig.resellerApiHost || runtimeConfig.apiHost,
});
