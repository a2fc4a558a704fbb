/** The protocol: reading a request, its keys, the words of a refusal; and what happens later by itself. */

import type { SandboxHost, SandboxRequest } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { digest } from '@counterfoil/sandbox/ids.ts';
import {
  type Answer,
  Exchange,
  type Passage,
  type Protocol,
  type Trouble,
} from '@counterfoil/sandbox/requests/exchange.ts';
import { canonical, decodeForm, type FormMap } from '@counterfoil/sandbox/requests/form.ts';
import type { KeyPolicy } from '@counterfoil/sandbox/requests/idempotency.ts';
import { matchRoute } from '@counterfoil/sandbox/requests/routes.ts';
import { type Call, gateway, openAccount, type Route, type Work } from './account.ts';
import { settleDebit } from './charges.ts';
import { checkoutRoutes, expireSession, followDebit } from './checkout.ts';
import { customerRoutes } from './customers.ts';
import { answerBacsMandate } from './methods.ts';
import type { Dispute } from './objects.ts';
import { paymentMethodRoutes, tokenRoutes } from './payment-methods.ts';
import { paymentIntentRoutes } from './payments.ts';
import { finishRefund, openDispute, recordRoutes, refundRoutes, selfVoid, winDispute } from './records.ts';
import { setupIntentRoutes } from './setups.ts';
import { authenticate, faultFrom, invalid, pinnedVersion, readVersion, StripeFault } from './wire.ts';

const longestKey = 255;

/** Keys are kept for a day, replayed, never usable for another request. https://docs.stripe.com/api/idempotent_requests */
const keys: KeyPolicy = {
  keptForMs: 24 * 3600 * 1000,
  replay(kept, { endpoint, digest: asked, key }) {
    if (kept.endpoint === endpoint && kept.digest === asked) return kept;
    const difference =
      kept.endpoint === endpoint
        ? 'with the same parameters they were first used with'
        : `for the same endpoint they were first used for ('${kept.endpoint}' vs '${endpoint}')`;
    throw new StripeFault(
      400,
      'idempotency_error',
      `Keys for idempotent requests can only be used ${difference}. Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  },
  inUse: () =>
    new StripeFault(
      409,
      'idempotency_error',
      'There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through). Please try again later.',
      { code: 'idempotency_key_in_use' },
    ),
};

/** The key of a request; only POST has one. @throws {StripeFault} 400 when it is too long */
function keyOf({ method, headers }: SandboxRequest): string | null {
  const key = headers['idempotency-key'];
  if (method !== 'POST' || key === undefined || key === '') return null;
  if (key.length > longestKey) {
    throw invalid(`Idempotency keys can be at most ${longestKey} characters long, yours has ${key.length}.`);
  }
  return key;
}

function readForm(request: SandboxRequest): FormMap {
  if (request.method !== 'POST') return decodeForm(request.query);
  const text = request.body.toString('utf8');
  const type = request.headers['content-type'] ?? '';
  if (text !== '' && type !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw invalid(
      `Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.`,
    );
  }
  return decodeForm(request.query === '' ? text : `${request.query}&${text}`);
}

const troubles: Readonly<Record<Trouble, StripeFault>> = {
  'rate-limit': new StripeFault(429, 'invalid_request_error', 'Request rate limit exceeded.', {
    code: 'rate_limit',
  }),
  'lock-timeout': new StripeFault(
    429,
    'invalid_request_error',
    'This object cannot be accessed right now because another API request is currently accessing it.',
    { code: 'lock_timeout' },
  ),
  'lookup-down': new StripeFault(503, 'api_error', 'The service is temporarily unavailable.'),
  failed: new StripeFault(500, 'api_error', 'An error occurred with our servers. Please try again later.'),
};

const answerOf = (fault: StripeFault, requestId: string): Answer => ({
  status: fault.status,
  body: JSON.stringify(fault.body(requestId)),
});

/** A passage that also knows its version, for the answer's header. */
const versions = new WeakMap<Passage, string>();

function read(host: SandboxHost, routes: readonly Route[], passage: Passage): ReturnType<Protocol['read']> {
  const { request } = passage;
  const { key: keyParam, ...params } = readForm(request);
  const caller = authenticate(
    request.headers['authorization'],
    typeof keyParam === 'string' ? keyParam : undefined,
  );
  passage.account = caller.account;
  passage.fromBrowser = caller.publishable;
  const version = readVersion(request.headers['stripe-version']);
  versions.set(passage, version);
  const found = matchRoute(routes, request.method, request.path);
  if (found === undefined) {
    throw new StripeFault(
      404,
      'invalid_request_error',
      `Unrecognized request URL (${request.method}: ${request.path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`,
    );
  }
  passage.operation = found.route.operation;
  passage.key = keyOf(request);
  if (caller.publishable && !found.route.browser) {
    throw new StripeFault(
      403,
      'invalid_request_error',
      'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
      { code: 'secret_key_required' },
    );
  }
  return {
    account: caller.account,
    endpoint: request.path,
    digest: passage.key === null ? '' : digest(canonical(params), version),
    run(turn) {
      const call: Call = {
        ...turn,
        account: openAccount(host, caller.account),
        version,
        publishable: caller.publishable,
        clientIp: request.headers['x-forwarded-for'] ?? '127.0.0.1',
      };
      return { status: 200, body: JSON.stringify(found.route.run(call, found.variables, params)) };
    },
  };
}

function blind({ request, requestId }: Passage): Answer {
  const { path } = request;
  // What is looked up by its id has a digit in it; a list's path has none.
  const id = path.slice(path.lastIndexOf('/') + 1);
  if (/^(pi|seti|cs_test|re|pyr|ch|py)_/.test(id)) {
    const fields = { code: 'resource_missing', param: 'id' };
    return answerOf(
      new StripeFault(404, 'invalid_request_error', `No such object: '${id}'`, fields),
      requestId,
    );
  }
  const search = path.endsWith('/search');
  const empty = {
    object: search ? 'search_result' : 'list',
    data: [],
    has_more: false,
    url: path,
    ...(search ? { next_page: null } : {}),
  };
  return { status: 200, body: JSON.stringify(empty) };
}

/** The API at `/v1`. */
export function stripeApi(host: SandboxHost, routes: readonly Route[]): Exchange {
  return new Exchange(host, {
    gateway,
    keys,
    read: (passage) => read(host, routes, passage),
    refusal(cause, requestId) {
      const fault = faultFrom(cause);
      return fault && { answer: answerOf(fault, requestId), begun: fault.begun };
    },
    trouble: (kind, requestId) => answerOf(troubles[kind], requestId),
    blind,
    headers: (passage, { original }) => ({
      'content-type': 'application/json',
      'request-id': passage.requestId,
      'stripe-version': versions.get(passage) ?? pinnedVersion,
      'cache-control': 'no-cache, no-store',
      ...(passage.key === null || passage.key === undefined ? {} : { 'idempotency-key': passage.key }),
      ...(original === undefined ? {} : { 'idempotent-replayed': 'true', 'original-request': original }),
    }),
  });
}

type Payload = Readonly<Record<string, string>>;

const tasks: Readonly<Record<string, (work: Work, payload: Payload) => void>> = {
  'settle-debit': (work, { payment = '', charge = '' }) => {
    settleDebit(work, payment, charge);
    const intent = work.account.payments.get(payment);
    if (intent !== undefined) followDebit(work, intent);
  },
  'bacs-mandate': (work, { mandate = '' }) => answerBacsMandate(work, mandate),
  'finish-refund': (work, { refund = '', status }) =>
    finishRefund(work, refund, status === 'failed' ? 'failed' : 'succeeded'),
  'self-void': (work, { charge = '' }) => selfVoid(work, charge),
  dispute: (work, { charge = '', reason = 'fraudulent', status, wonAfterMs }) =>
    openDispute(work, {
      charge,
      reason,
      status: (status ?? 'needs_response') as Dispute['status'],
      ...(wonAfterMs === undefined ? {} : { wonAfterMs: Number(wonAfterMs) }),
    }),
  'win-dispute': (work, { dispute = '' }) => winDispute(work, dispute),
  'expire-session': (work, { session = '' }) => expireSession(work, session),
};

/** Runs a scheduled task; an unknown name comes from an older journal and is dropped. */
export function runTask(work: Work, task: string, payload: Payload): void {
  tasks[task]?.(work, payload);
}

export const routes: readonly Route[] = [
  ...paymentIntentRoutes,
  ...paymentMethodRoutes,
  ...setupIntentRoutes,
  ...customerRoutes,
  ...tokenRoutes,
  ...refundRoutes,
  ...checkoutRoutes,
  ...recordRoutes,
];
