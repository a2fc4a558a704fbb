/** BPOINT's sandbox (REST v5). Written from its documentation, never from `wire.ts`: one misreading must not sit on both sides. */
import type {
  GatewaySandbox,
  SandboxHost,
  SandboxReply,
  SandboxRequest,
} from '@counterfoil/sandbox/gateway-sandbox.ts';
import { browserFile } from '@counterfoil/sandbox/pages/scripts.ts';
import { Exchange, type Passage } from '@counterfoil/sandbox/requests/exchange.ts';
import { matchRoute } from '@counterfoil/sandbox/requests/routes.ts';
import { BAD, SLOW_MINOR } from './sandbox-data.ts';
import { api, gateway, json, notFound, object, Refusal } from './sandbox-protocol.ts';
import { routesOf } from './sandbox-routes.ts';

/** `Basic base64(user|merchant:password)`; the account is the merchant number. */
function accountIn(header: string | undefined): string {
  const login = Buffer.from(/^Basic (.+)$/.exec(header ?? '')?.[1] ?? '', 'base64').toString();
  const found = /^[^|:]+\|([\w-]+):sandbox-/.exec(login)?.[1];
  if (found === undefined) throw new Refusal(401, 'InvalidCredentials', 'The credentials are not valid');
  return found;
}

function openOn(host: SandboxHost) {
  const { routes, keys, txns, publicTxn, tokens, tokenBody } = routesOf(host);
  const exchange = new Exchange(host, {
    gateway,
    // The service knows no idempotency keys: no request ever carries one.
    keys: { keptForMs: 0, replay: (kept) => kept, inUse: () => new Error('no key') },
    read(passage) {
      const { request } = passage;
      const found = matchRoute(routes, request.method, request.path.slice(api.length));
      if (found === undefined) throw notFound();
      const { route, variables } = found;
      const account = route.browser
        ? (keys.get(variables[0] ?? '')?.account ?? accountIn(request.headers['authorization']))
        : accountIn(request.headers['authorization']);
      passage.account = account;
      passage.operation = route.operation;
      const body = request.body.length === 0 ? {} : object(JSON.parse(request.body.toString()));
      return {
        account,
        endpoint: request.path,
        digest: '',
        run: (turn) => route.run({ turn, account, body, variables }),
      };
    },
    refusal(cause) {
      if (cause instanceof Refusal) return { answer: json(cause.status, cause.body), begun: false };
      if (cause instanceof SyntaxError)
        return {
          answer: json(400, { code: 'InvalidPayload', message: 'not JSON', details: [] }),
          begun: false,
        };
      return undefined;
    },
    trouble: (kind) =>
      kind === 'rate-limit'
        ? json(429, { code: 'Unspecified', message: 'Too many requests', details: [] })
        : json(500, { code: 'SystemDown', message: 'The service is not available', details: [] }),
    blind: ({ request }: Passage) =>
      request.method === 'GET'
        ? json(404, notFound().body)
        : json(200, { resultCount: 0, continueFrom: null, transactions: [] }),
    headers: () => ({ 'content-type': 'application/json; charset=utf-8' }),
  });

  /** What the sandbox does by its own references: an answer that never comes, a fault before, a page of maintenance. */
  async function handle(request: SandboxRequest): Promise<SandboxReply> {
    if (!request.path.startsWith(`${api}/`))
      return (
        browserFile(host, request, '/bpoint/rest/clientscripts/', {
          'api.js': [new URL('./fake-api.ts', import.meta.url)],
          'field.js': [new URL('./fake-field.ts', import.meta.url)],
          'field.html': new URL('./fake-field.html', import.meta.url),
          'field.css': new URL('./fake-field.css', import.meta.url),
        }) ?? {
          kind: 'answer',
          status: 404,
          headers: {},
          body: '',
        }
      );
    const isProcess = request.path.endsWith('/process') && request.path.startsWith(`${api}/txns/`);
    const details = isProcess ? keys.get(request.path.split('/').at(-2) ?? '')?.details : undefined;
    if (details?.['crn1'] === BAD.down) return { kind: 'answer', status: 503, headers: {}, body: '' };
    const reply = await exchange.handle(request);
    if (details?.['crn1'] === BAD.html)
      return {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<h1>Maintenance</h1>',
      };
    return details?.['crn1'] === BAD.timeout || details?.['amount'] === SLOW_MINOR ? { kind: 'hang' } : reply;
  }

  return {
    handle,
    /** A bank returns a debit that was accepted. */
    run(
      task: string,
      { txn = '' }: Readonly<Record<string, string>>,
      tx: Parameters<typeof recordReturn>[0],
    ): void {
      if (task === 'return') recordReturn(tx, txn);
    },
    webhook(_endpoint: unknown, event: string) {
      const [txn, token] = [txns.get(event), tokens.get(event)];
      const told =
        txn !== undefined
          ? { type: 'transaction', data: publicTxn(txn) }
          : token && { type: 'token', data: tokenBody(token) };
      return told && { body: JSON.stringify(told), headers: { 'content-type': 'application/json' } };
    },
    accountOf: (name: string) => name,
    reset: () => exchange.reset(),
  };

  function recordReturn(tx: ReturnType<SandboxHost['store']['begin']>, number: string): void {
    const txn = txns.get(number);
    if (txn === undefined) return;
    tx.put(txns, number, {
      ...txn,
      responseCode: 'PT_V17',
      responseText: 'Returned by the bank',
      bankResponseCode: null,
    });
    host.captures.change(tx, number, { state: 'charged-back' });
  }
}

export const sandbox: GatewaySandbox = {
  gateway,
  prefixes: ['/bpoint'],
  browserHeaders: { sent: ['content-type'], read: [] },
  open: openOn,
};
