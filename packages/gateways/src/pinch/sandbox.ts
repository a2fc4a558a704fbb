/** Pinch's sandbox. Written from its documentation, never from `wire.ts`: one misreading must not sit on both sides. */
import { createHmac } from 'node:crypto';
import type {
  GatewaySandbox,
  SandboxHost,
  SandboxReply,
  SandboxRequest,
} from '@counterfoil/sandbox/gateway-sandbox.ts';
import { random } from '@counterfoil/sandbox/ids.ts';
import {
  type Answer,
  Exchange,
  type Passage,
  type Protocol,
} from '@counterfoil/sandbox/requests/exchange.ts';
import { matchRoute } from '@counterfoil/sandbox/requests/routes.ts';
import { ownTurn, type Turn } from '@counterfoil/sandbox/turn.ts';
import type { Endpoint } from '@counterfoil/sandbox/webhooks.ts';
import {
  type Body,
  eventsOf,
  gateway,
  merchantOfKey,
  Refusal,
  type StoredEvent,
  secretOf,
} from './sandbox-data.ts';
import { MerchantWork } from './sandbox-work.ts';

const auth = '/pinch/auth';
const api = '/pinch/api';
const bearerSeconds = 3_600;

interface BearerRecord {
  readonly merchant: string;
  readonly until: number;
}
const bearersOf = (host: SandboxHost) => host.store.collection<BearerRecord>('pinch/bearer');

const answer = (status: number, body?: unknown): Answer => ({
  status,
  body: body === undefined ? '' : JSON.stringify(body),
});

// ---- Tokens for servers ----

const plain = (status: number, body: object): SandboxReply => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});

/** Client credentials, by Basic or in the form. A body of another type is not read. */
async function connectToken(host: SandboxHost, { headers, body }: SandboxRequest): Promise<SandboxReply> {
  if (!/^application\/x-www-form-urlencoded\b/.test(headers['content-type'] ?? ''))
    return plain(400, { error: 'invalid_request' });
  const form = new URLSearchParams(body.toString());
  const [, basic = ''] = /^Basic (\S+)$/.exec(headers['authorization'] ?? '') ?? [];
  const [id = '', secret = ''] =
    basic === ''
      ? [form.get('client_id') ?? '', form.get('client_secret') ?? '']
      : Buffer.from(basic, 'base64').toString().split(':', 2);
  const [, merchant] = /^(?:app|mch)_(\w{1,60})$/.exec(id) ?? [];
  if (merchant === undefined || secret !== secretOf(merchant)) return plain(400, { error: 'invalid_client' });
  if (form.get('grant_type') !== 'client_credentials') return plain(400, { error: 'unsupported_grant_type' });
  if (form.get('scope') !== 'api1') return plain(400, { error: 'invalid_scope' });
  const parts = [{ alg: 'RS256', typ: 'at+jwt' }, { merchant_id: `mch_${merchant}` }];
  const [head, claims] = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'));
  const token = `${head}.${claims}.${random(40)}`;
  const tx = host.store.begin();
  tx.put(bearersOf(host), token, { merchant, until: host.clock.now() + bearerSeconds * 1_000 });
  await tx.commit();
  return plain(200, { access_token: token, expires_in: bearerSeconds, token_type: 'Bearer' });
}

/** Whose a request is; undefined for a token that is missing, unknown or over. */
function merchantOf(host: SandboxHost, { headers }: SandboxRequest): string | undefined {
  const [, token = ''] = /^Bearer (\S+)$/.exec(headers['authorization'] ?? '') ?? [];
  const found = bearersOf(host).get(token);
  return found === undefined || found.until <= host.clock.now() ? undefined : found.merchant;
}

// ---- The API ----

type Run = (work: MerchantWork, body: Body, ids: readonly string[], query: URLSearchParams) => Answer;
interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation?: Passage['operation'];
  readonly run: Run;
}

const route = (call: string, run: Run, operation?: Passage['operation']): Route => {
  const [method = '', path = ''] = call.split(' ');
  return { method, path, run, operation };
};
const found = (object: object | undefined): Answer =>
  object === undefined ? answer(404, {}) : answer(200, object);

const routes: readonly Route[] = [
  route('POST /payers', (work, body) => answer(...work.putPayer(body))),
  route('GET /payers/:id', (work, _body, [id = '']) => found(work.payer(id))),
  route('POST /payers/:id/sources', (work, body, [id = '']) => answer(200, work.addSource(id, body)), 'save'),
  route('DELETE /payers/:id/sources/:source', (work, _body, [id = '', source = '']) => {
    work.removeSource(id, source);
    return answer(200);
  }),
  route('POST /payments/realtime', (work, body) => answer(...work.pay(body)), 'charge'),
  route('POST /payments/nonce', (work, body) => answer(200, work.byNonce('payment', body)), 'find'),
  route('GET /payments/payer/:id', (work, _body, [id = '']) => answer(200, work.paymentsOf(id)), 'find'),
  route('GET /payments/:id', (work, _body, [id = '']) => found(work.payment(id)), 'find'),
  route('POST /refunds', (work, body) => answer(...work.refund(body)), 'refund'),
  route('POST /refunds/nonce', (work, body) => answer(200, work.byNonce('refund', body)), 'find'),
  route('GET /refunds/:id', (work, _body, [id = '']) => found(work.refundOf(id)), 'find'),
  route('GET /events', (work, _body, _ids, query) => answer(200, work.events(query))),
  route('GET /events/:id', (work, _body, [id = '']) => found(work.event(id))),
];

/** Names in any casing are one; what is no JSON object has no properties. */
function readBody(bytes: Buffer): Body {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name.toLowerCase(), member]));
  } catch {
    return {};
  }
}

const protocolOf = (host: SandboxHost): Protocol => ({
  gateway,
  // A nonce stands in the body, and what it names is an object: no answer is kept.
  keys: { keptForMs: 0, replay: (kept) => kept, inUse: (key) => new Error(key) },
  read(passage) {
    const { request } = passage;
    const [, mode, path = ''] = /^\/pinch\/api\/(test|live)(\/.*)$/.exec(request.path) ?? [];
    if (mode === undefined) throw new Refusal(404, {});
    const body = readBody(request.body);
    if (path === '/tokens' && request.method === 'POST') {
      const merchant = merchantOfKey(body, mode);
      passage.account = merchant;
      const run = (turn: Turn) => answer(200, new MerchantWork(turn, merchant).createToken(body));
      return { account: merchant, endpoint: path, digest: '', run };
    }
    const merchant = mode === 'test' ? merchantOf(host, request) : undefined;
    if (path === '/health/auth') {
      if (merchant === undefined) throw new Refusal(404, {});
      return { account: merchant, endpoint: path, digest: '', run: () => answer(200) };
    }
    if (merchant === undefined) throw new Refusal(401);
    passage.account = merchant;
    const [version, type] = [request.headers['pinch-version'], request.headers['content-type'] ?? ''];
    if (version !== '2020.1') throw Refusal.of(['', `This sandbox knows version 2020.1, not ${version}.`]);
    if (request.method === 'POST' && !/^application\/json\b/.test(type)) throw new Refusal(415);
    const match = matchRoute(routes, request.method, path);
    if (match === undefined) throw new Refusal(404, {});
    passage.operation = match.route.operation;
    const query = new URLSearchParams(request.query);
    return {
      account: merchant,
      endpoint: match.route.path,
      digest: '',
      run: (turn) => match.route.run(new MerchantWork(turn, merchant), body, match.variables, query),
    };
  },
  refusal: (cause) =>
    cause instanceof Refusal ? { answer: answer(cause.status, cause.body), begun: false } : undefined,
  trouble: (kind) =>
    kind === 'rate-limit' ? answer(429) : { status: 500, body: '<html><body>Server error</body></html>' },
  blind: ({ request }) =>
    request.path.endsWith('/nonce')
      ? answer(200, { isNonceReplay: false, nonce: readBody(request.body)['nonce'], data: null })
      : answer(404, {}),
  headers({ request }, { status, body }) {
    const created = status === 201 ? /"id":"((?:pmt|ref|pyr)_\w+)"/.exec(body)?.[1] : undefined;
    return {
      'content-type': 'application/json; charset=utf-8',
      ...(created === undefined ? {} : { location: `${request.path.replace('/realtime', '')}/${created}` }),
    };
  },
});

// ---- Webhooks ----

const pascal = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(pascal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.charAt(0).toUpperCase() + name.slice(1),
      pascal(member),
    ]),
  );
};

/** Names in Pascal case, as addresses get them that ask for nothing else; signed by the time of the delivery. */
function delivered({ secret }: Endpoint, { account, ...event }: StoredEvent) {
  const body = JSON.stringify(pascal({ ...event, merchantId: `mch_${account}` }));
  const at = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex');
  return {
    body,
    headers: { 'content-type': 'application/json', 'pinch-signature': `t=${at},v2=${signature}` },
  };
}

export const sandbox: GatewaySandbox = {
  gateway,
  prefixes: ['/pinch'],
  open(host) {
    const exchange = new Exchange(host, protocolOf(host));
    return {
      async handle(request) {
        if (request.path.startsWith(`${api}/`)) return exchange.handle(request);
        const isToken = request.method === 'POST' && request.path === `${auth}/connect/token`;
        return isToken ? connectToken(host, request) : plain(404, {});
      },
      run(task, { merchant = '', id = '' }, tx) {
        const turn = ownTurn(host, tx);
        new MerchantWork(turn, merchant).later(task, id);
        if (turn.deliveries.length > 0) setImmediate(() => host.webhooks.pump());
      },
      webhook(endpoint, id) {
        const event = eventsOf(host.store).get(id);
        return event === undefined ? undefined : delivered(endpoint, event);
      },
      accountOf: (name) => name.replace(/^(app|mch)_/, ''),
      reset: () => exchange.reset(),
    };
  },
};
