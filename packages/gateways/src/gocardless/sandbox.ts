/** GoCardless' sandbox: the API and the page on which mandates are given. Written from its documentation, never from `wire.ts`. */
import type {
  GatewaySandbox,
  SandboxHost,
  SandboxInstance,
  SandboxReply,
  SandboxRequest,
} from '@counterfoil/sandbox/gateway-sandbox.ts';
import { hostedPage } from '@counterfoil/sandbox/pages/hosted-page.ts';
import { page, redirect } from '@counterfoil/sandbox/pages/page.ts';
import {
  type Answer,
  Exchange,
  type Passage,
  type Protocol,
  type Understood,
} from '@counterfoil/sandbox/requests/exchange.ts';
import { matchRoute } from '@counterfoil/sandbox/requests/routes.ts';
import { ownTurn } from '@counterfoil/sandbox/turn.ts';
import { routes } from './sandbox-api.ts';
import { checkAccount, Refusal, wrongUse } from './sandbox-body.ts';
import { type Flow, gateway, type Json, pageFields, recordsOf, schemes } from './sandbox-data.ts';
import { Work } from './sandbox-payments.ts';
import { batchesOf, signedBatch } from './sandbox-work.ts';

const api = '/gocardless/api';
const pages = '/gocardless/pages';
const version = '2015-07-06';
const longestKey = 128;

// ---- Reading a request ----

/** Tokens of the sandbox are `sandbox_<account>`; those of the live environment are unknown here. */
function accountIn(header: string | undefined): string {
  if (header === undefined) throw wrongUse(401, 'missing_authorization_header', 'No Authorization header');
  const token = /^Bearer (\S+)$/.exec(header)?.[1];
  if (token === undefined) throw wrongUse(401, 'invalid_authorization_header', 'The header is malformed');
  const account = /^sandbox_([a-z0-9]{1,30})$/.exec(token)?.[1];
  if (account === undefined) throw wrongUse(401, 'access_token_not_found', 'The access token is unknown');
  return account;
}

function checkVersion(header: string | undefined): void {
  if (header === undefined) throw wrongUse(400, 'missing_version_header', 'No GoCardless-Version header');
  if (header !== version) throw wrongUse(400, 'version_not_found', 'There is no such version');
}

function bodyOf({ headers, body }: SandboxRequest, envelope: string): Json {
  if (!/^application\/json\b/.test(headers['content-type'] ?? ''))
    throw wrongUse(400, 'invalid_content_type', 'The content type must be application/json');
  let read: unknown;
  try {
    read = JSON.parse(body.toString('utf8'));
  } catch {
    throw wrongUse(400, 'bad_request', 'The body is no JSON');
  }
  const isObject = (value: unknown): value is Json =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const inner = isObject(read) ? read[envelope] : undefined;
  if (!isObject(inner) || (isObject(read) && Object.keys(read).length !== 1))
    throw wrongUse(
      400,
      'invalid_document_structure',
      `The body must be an object with the member ${envelope}`,
    );
  return inner;
}

function read(passage: Passage): Understood {
  const { request } = passage;
  const { headers, method } = request;
  const account = accountIn(headers['authorization']);
  passage.account = account;
  checkVersion(headers['gocardless-version']);
  const found = matchRoute(routes, method, request.path.slice(api.length));
  if (found === undefined) throw wrongUse(404, 'path_not_found', 'There is no such path');
  passage.operation = found.route.operation;
  const key = method === 'POST' && found.route.makes === true ? headers['idempotency-key'] : undefined;
  if (key !== undefined && key.length > longestKey)
    throw wrongUse(400, 'idempotency_key_too_long', 'The key is too long');
  passage.key = key === undefined || key === '' ? null : key;
  const body = method === 'GET' ? {} : bodyOf(request, found.route.envelope);
  return {
    account,
    endpoint: request.path,
    digest: '',
    run(turn) {
      const work = new Work(turn, account);
      const [id = '', name = ''] = found.variables;
      const done = found.route.run(work, { id, name, body, query: new URLSearchParams(request.query) });
      work.deliver();
      return { status: found.route.makes === true ? 201 : 200, body: JSON.stringify(done) };
    },
  };
}

const refused = ({ status, type, message, entries }: Refusal, requestId: string): Answer => ({
  status,
  body: JSON.stringify({
    error: {
      type,
      code: status,
      message,
      request_id: requestId,
      documentation_url: `https://developer.gocardless.com/api-reference#${String(entries[0]?.['reason'] ?? type)}`,
      errors: entries,
    },
  }),
});

const html = '<html><body><h1>502 Bad Gateway</h1></body></html>';

const protocol: Protocol = {
  gateway,
  // An answer is never replayed: a known key is refused with the name of what it made.
  keys: {
    keptForMs: -1,
    replay: (kept) => kept,
    inUse: () =>
      new Refusal(409, 'invalid_state', 'A request with this idempotency key is under way', [
        { reason: 'idempotent_creation_conflict', message: 'A request with this key is under way' },
      ]),
  },
  read,
  refusal(cause, requestId) {
    return cause instanceof Refusal ? { answer: refused(cause, requestId), begun: false } : undefined;
  },
  trouble(kind, requestId) {
    if (kind === 'rate-limit')
      return refused(wrongUse(429, 'rate_limit_exceeded', 'Rate limit exceeded'), requestId);
    if (kind === 'lookup-down') return { status: 502, body: html };
    if (kind === 'lock-timeout')
      return { status: 503, body: JSON.stringify({ error: 'service_unavailable' }) };
    const message = 'Internal server error';
    const entries = [{ reason: 'internal_server_error', message }];
    return refused(new Refusal(500, 'gocardless', message, entries), requestId);
  },
  blind({ request, requestId }) {
    const path = request.path.slice(api.length);
    if (path.split('/').length > 2)
      return refused(wrongUse(404, 'resource_not_found', 'Resource not found'), requestId);
    const meta = { cursors: { before: null, after: null }, limit: 50 };
    return { status: 200, body: JSON.stringify({ [path.slice(1)]: [], meta }) };
  },
  headers: ({ requestId }, { body }) => ({
    'content-type': body.startsWith('<') ? 'text/html' : 'application/json',
    'x-request-id': requestId,
    'ratelimit-limit': '1000',
    'ratelimit-remaining': '999',
    'ratelimit-reset': new Date(Date.now() + 1_000).toUTCString(),
  }),
};

// ---- The page on which a mandate is given ----

const nobody = { frameAncestors: [] };
const plain = (status: number, title: string): SandboxReply =>
  page(status, title, `<h1>${title}</h1><p>Go back to where you came from and start again.</p>`, nobody);

/** Its address names account and flow. */
async function mandatePage(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const [account = '', id = ''] = request.path.slice(pages.length + 1).split('/');
  const records = recordsOf(host.store, account);
  const flow = records.flows.get(id);
  const wanted = records.requests.get(flow?.links.billing_request ?? '');
  const scheme = schemes[wanted?.mandate_request.scheme ?? ''];
  if (flow === undefined || wanted === undefined || scheme === undefined)
    return plain(404, 'This page does not exist');
  if (wanted.status !== 'pending') return plain(410, 'This request is complete already');
  if (Date.parse(flow.expires_at) < host.clock.now()) return plain(410, 'This page has expired');
  const form = (error?: string): SandboxReply =>
    page(
      200,
      'Set up a direct debit',
      hostedPage({
        label: 'Set up a direct debit',
        button: 'Confirm',
        forms: [
          {
            type: wanted.mandate_request.scheme,
            title: `Bank account in ${scheme.currency}`,
            fields: pageFields(scheme),
            consent: true,
          },
        ],
        error,
        back: flow.exit_uri,
      }),
      nobody,
    );
  if (request.method !== 'POST') return form();
  const typed = Object.fromEntries(new URLSearchParams(request.body.toString('utf8')));
  if (typed['mandate'] !== 'accepted') return form('Please agree to the direct debit.');
  return give(host, account, flow, typed, form);
}

/** The payer has typed an account and agreed. */
async function give(
  host: SandboxHost,
  name: string,
  flow: Flow,
  typed: Readonly<Record<string, string>>,
  again: (error: string) => SandboxReply,
): Promise<SandboxReply> {
  const tx = host.store.begin();
  const work = new Work(ownTurn(host, tx), name);
  const request = work.records.requests.get(flow.links.billing_request);
  if (request === undefined) return plain(404, 'This page does not exist');
  const { prefilled } = flow;
  const filled = (member: string): string => typed[member]?.trim() || (prefilled[member] ?? '');
  const holder =
    typed['account_holder_name']?.trim() || `${filled('given_name')} ${filled('family_name')}`.trim();
  try {
    const details = checkAccount(request, Object.assign({ ...typed }, { account_holder_name: holder }));
    work.nameCustomer(request.links.customer, {
      given_name: filled('given_name'),
      family_name: filled('family_name'),
      email: filled('email'),
    });
    work.fulfil(request, work.account(request, details).id);
    work.deliver();
  } catch (cause) {
    tx.rollback();
    if (!(cause instanceof Refusal)) throw cause;
    const [entry] = cause.entries;
    return again(`${String(entry?.['field'] ?? '')} ${String(entry?.['message'] ?? cause.message)}`.trim());
  }
  await tx.commit();
  host.webhooks.pump();
  return redirect(flow.redirect_uri);
}

const tasks: Readonly<Record<string, (work: Work, id: string, status: string) => void>> = {
  mandate: (work, id, status) => work.mandateTask(id, status),
  payment: (work, id, status) => work.paymentTask(id, status),
  refund: (work, id, status) => work.refundTask(id, status),
};

export const sandbox: GatewaySandbox = {
  gateway,
  prefixes: ['/gocardless'],
  open(host: SandboxHost): SandboxInstance {
    const exchange = new Exchange(host, protocol);
    return {
      async handle(request) {
        if (request.path.startsWith(`${api}/`)) return exchange.handle(request);
        return request.path.startsWith(`${pages}/`)
          ? mandatePage(host, request)
          : plain(404, 'There is nothing here');
      },
      run(task, { account = '', id = '', status = '' }, tx) {
        const work = new Work(ownTurn(host, tx), account);
        tasks[task]?.(work, id, status);
        work.deliver();
        setImmediate(() => host.webhooks.pump());
      },
      webhook: (endpoint, id) =>
        endpoint.account === undefined || batchesOf(host).get(id)?.account === endpoint.account
          ? signedBatch(host, endpoint, id)
          : undefined,
      accountOf: (name) => name.replace(/^sandbox_/, ''),
      reset: () => exchange.reset(),
    };
  },
};
