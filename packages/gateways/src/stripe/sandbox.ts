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
import { digest } from '@counterfoil/sandbox/ids.ts';
import { page } from '@counterfoil/sandbox/pages/page.ts';
import {
  type BrowserFiles,
  browserFile,
  cardElementParts,
  cardFrameFiles,
} from '@counterfoil/sandbox/pages/scripts.ts';
import {
  type Answer,
  Exchange,
  type Passage,
  type Protocol,
  type Trouble,
} from '@counterfoil/sandbox/requests/exchange.ts';
import { canonical, decodeForm } from '@counterfoil/sandbox/requests/form.ts';
import { matchRoute } from '@counterfoil/sandbox/requests/routes.ts';
import type { Endpoint } from '@counterfoil/sandbox/webhooks.ts';
import {
  cardChallenge,
  challengePath,
  checkoutPage,
  checkoutPath,
  checkoutRoutes,
  expireSession,
  followIntent,
} from './sandbox/checkout.ts';
import { customerRoutes } from './sandbox/customers.ts';
import { intentRoutes } from './sandbox/intents.ts';
import { answerBacsMandate } from './sandbox/methods.ts';
import {
  finishRefund,
  openDispute,
  refundRoutes,
  selfVoid,
  settleDebit,
  winDispute,
} from './sandbox/money.ts';
import {
  accountOf,
  authenticate,
  faultFrom,
  keyOf,
  keys,
  missing,
  paging,
  pinnedVersion,
  readVersion,
  StripeFault,
} from './sandbox/protocol.ts';
import {
  type Call,
  gateway,
  get,
  listOf,
  type Route,
  route,
  signedDelivery,
  taskWork,
  type Work,
} from './sandbox/work.ts';

const eventRoutes: readonly Route[] = [
  route('GET', '/v1/events', paging, (call, params) => {
    const page = listOf(call, 'event', params);
    return {
      ...page,
      data: (page['data'] as { json: string }[]).map(({ json }): unknown => JSON.parse(json)),
    };
  }),
];
export const routes = [
  ...intentRoutes,
  ...customerRoutes,
  ...refundRoutes,
  ...checkoutRoutes,
  ...eventRoutes,
];

const troubles: Readonly<Record<Trouble, StripeFault>> = {
  'rate-limit': new StripeFault(429, 'invalid_request_error', 'Too many requests.', { code: 'rate_limit' }),
  'lock-timeout': new StripeFault(429, 'invalid_request_error', 'It is locked.', { code: 'lock_timeout' }),
  'lookup-down': new StripeFault(503, 'api_error', 'The service is temporarily unavailable.'),
  failed: new StripeFault(500, 'api_error', 'An error occurred with our servers. Please try again later.'),
};

/** A passage that also knows its version, for the answer's header. */
const versions = new WeakMap<Passage, string>();

function read(passage: Passage): ReturnType<Protocol['read']> {
  const { method, path, query, headers, body } = passage.request;
  const { key: keyParam, ...params } = decodeForm(method === 'POST' ? body.toString('utf8') : query);
  const { account, publishable } = authenticate(headers['authorization'], String(keyParam ?? ''));
  passage.account = account;
  passage.fromBrowser = publishable;
  const version = readVersion(headers['stripe-version']);
  versions.set(passage, version);
  const found = matchRoute(routes, method, path);
  if (found === undefined)
    throw new StripeFault(404, 'invalid_request_error', `Unrecognized request URL (${method}: ${path}).`);
  passage.operation = found.route.operation;
  passage.key = keyOf(method, headers['idempotency-key']);
  if (publishable && !found.route.browser) {
    const message = 'This API call cannot be made with a publishable API key.';
    throw new StripeFault(403, 'invalid_request_error', message, { code: 'secret_key_required' });
  }
  const clientIp = headers['x-forwarded-for'] ?? '127.0.0.1';
  return {
    account,
    endpoint: path,
    digest: passage.key === null ? '' : digest(canonical(params), version),
    run(turn) {
      const call: Call = { ...turn, account, version, publishable, clientIp };
      return { status: 200, body: JSON.stringify(found.route.run(call, found.variables, params)) };
    },
  };
}

function blind({ request: { path } }: Passage): Answer {
  // What is looked up by its id has a digit in it; a list's path has none.
  const id = path.slice(path.lastIndexOf('/') + 1);
  if (/^(pi|seti|cs_test|re|pyr)_/.test(id)) return missing('object', id, 'id', true).answer();
  const empty = { object: path.endsWith('/search') ? 'search_result' : 'list', data: [], has_more: false };
  return { status: 200, body: JSON.stringify(empty) };
}

const protocol: Protocol = {
  gateway,
  keys,
  read,
  refusal(cause) {
    const fault = faultFrom(cause);
    return fault && { answer: fault.answer(), begun: fault.begun };
  },
  trouble: (kind) => troubles[kind].answer(),
  blind,
  headers: (passage, { original }) => ({
    'content-type': 'application/json',
    'request-id': passage.requestId,
    'stripe-version': versions.get(passage) ?? pinnedVersion,
    'cache-control': 'no-cache, no-store',
    ...(original === undefined ? {} : { 'idempotent-replayed': 'true', 'original-request': original }),
  }),
};

/** By name; an unknown one comes from an older journal and is dropped. */
const tasks: Readonly<Record<string, (work: Work, payload: Readonly<Record<string, string>>) => void>> = {
  'settle-debit': (work, { payment = '', charge = '' }) => {
    settleDebit(work, payment, charge);
    const intent = get(work, 'payment_intent', payment);
    if (intent !== undefined) followIntent(work, intent);
  },
  'bacs-mandate': (work, { mandate = '' }) => answerBacsMandate(work, mandate),
  'finish-refund': (work, { refund = '' }) => finishRefund(work, refund),
  'self-void': (work, { charge = '' }) => selfVoid(work, charge),
  dispute: openDispute,
  'win-dispute': (work, { dispute = '' }) => winDispute(work, dispute),
  'expire-session': (work, { session }) => expireSession(work, get(work, 'checkout.session', session)),
};

const files: BrowserFiles = {
  ...cardFrameFiles,
  'stripe.js': [...cardElementParts, new URL('./sandbox/script.ts', import.meta.url)],
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
    const api = new Exchange(host, protocol);
    return {
      async handle(request) {
        const isApi = request.path === '/v1' || request.path.startsWith('/v1/');
        return isApi ? await api.handle(request) : await browserPage(host, request);
      },
      run(task, payload, tx) {
        const work = taskWork(host, payload['account'] ?? '', tx);
        tasks[task]?.(work, payload);
        if (work.deliveries.length > 0) setImmediate(() => host.webhooks.pump());
      },
      webhook: (endpoint, event) => signedEvent(host, endpoint, event),
      accountOf,
      reset: () => api.reset(),
    };
  },
};

/** Events know their account by being found in it: an endpoint of all accounts has none of its own. */
function signedEvent(host: SandboxHost, endpoint: Endpoint, event: string) {
  if (endpoint.account !== undefined) return signedDelivery(host, endpoint.account, endpoint, event);
  for (const name of host.store.collectionNames()) {
    const account = /^stripe\/(acct_\w+)\/event$/.exec(name)?.[1];
    const found = account && signedDelivery(host, account, endpoint, event);
    if (found) return found;
  }
  return undefined;
}
