/**
 * Stripe's sandbox: the API at `/v1`, and at `/stripe` what browsers load: the fake Stripe.js, the
 * challenge page and hosted checkout.
 */
import type {
  GatewaySandbox,
  SandboxHost,
  SandboxInstance,
  SandboxReply,
  SandboxRequest,
} from '@counterfoil/sandbox/gateway-sandbox.ts';
import { page } from '@counterfoil/sandbox/pages/page.ts';
import {
  type BrowserFiles,
  browserFile,
  cardElementParts,
  cardFrameFiles,
} from '@counterfoil/sandbox/pages/scripts.ts';
import { gateway, openAccount, signedDelivery, taskWork } from './sandbox/account.ts';
import { routes, runTask, stripeApi } from './sandbox/api.ts';
import { cardChallenge, challengePath, checkoutPage, checkoutPath } from './sandbox/pages.ts';
import { accountOf } from './sandbox/wire.ts';

const files: BrowserFiles = {
  ...cardFrameFiles,
  'stripe.js': [...cardElementParts, new URL('./fake-stripe-js/stripe.ts', import.meta.url)],
};

async function browserPage(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  if (request.path.startsWith(`${challengePath}/`)) return await cardChallenge(host, request);
  if (request.path.startsWith(`${checkoutPath}/`)) return await checkoutPage(host, request);
  return (
    browserFile(host, request, '/stripe/v3/', files) ??
    page(404, 'Not found', '<h1>There is nothing here</h1>', { frameAncestors: [] })
  );
}

export const sandbox: GatewaySandbox = {
  gateway,
  prefixes: ['/v1', '/stripe'],
  browserHeaders: {
    sent: ['stripe-version', 'idempotency-key'],
    read: ['request-id', 'idempotent-replayed', 'stripe-version'],
  },
  open(host: SandboxHost): SandboxInstance {
    const api = stripeApi(host, routes);
    return {
      async handle(request) {
        const isApi = request.path === '/v1' || request.path.startsWith('/v1/');
        return isApi ? await api.handle(request) : await browserPage(host, request);
      },
      run(task, payload, tx) {
        const work = taskWork(host, openAccount(host, payload['account'] ?? ''), tx);
        runTask(work, task, payload);
        if (work.deliveries.length > 0) setImmediate(() => host.webhooks.pump());
      },
      webhook: (endpoint, event) => signedEvent(host, endpoint, event),
      accountOf,
      reset: () => api.reset(),
    };
  },
};

/** Events know their account by being found in it: an endpoint of all accounts has none of its own. */
function signedEvent(host: SandboxHost, endpoint: Parameters<typeof signedDelivery>[1], event: string) {
  if (endpoint.account !== undefined)
    return signedDelivery(openAccount(host, endpoint.account), endpoint, event);
  for (const name of host.store.collectionNames()) {
    const account = /^stripe\/(acct_\w+)\/event$/.exec(name)?.[1];
    const found = account && signedDelivery(openAccount(host, account), endpoint, event);
    if (found) return found;
  }
  return undefined;
}
