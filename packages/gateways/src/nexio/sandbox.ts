/** Nexio's sandbox (v3). Written from its documentation, never from `wire.ts`: one misreading must not sit on both sides. */
import { createHmac } from 'node:crypto';
import type {
  GatewaySandbox,
  SandboxHost,
  SandboxReply,
  SandboxRequest,
} from '@counterfoil/sandbox/gateway-sandbox.ts';
import { challengePage } from '@counterfoil/sandbox/pages/challenge-page.ts';
import { Exchange, type Passage, type Understood } from '@counterfoil/sandbox/requests/exchange.ts';
import { matchRoute } from '@counterfoil/sandbox/requests/routes.ts';
import { ownTurn } from '@counterfoil/sandbox/turn.ts';
import type { Endpoint } from '@counterfoil/sandbox/webhooks.ts';
import { gateway, json, object, Refusal, SILENT_CENTS } from './sandbox-data.ts';
import { routesOf } from './sandbox-routes.ts';

const base = '/nexio';

/** `Basic base64(<name>:sandbox-<name>)`. */
function accountIn(header: string | undefined): string {
  const login = Buffer.from(/^Basic (.+)$/.exec(header ?? '')?.[1] ?? '', 'base64').toString();
  const [, name, other] = /^([\w-]+):sandbox-([\w-]+)$/.exec(login) ?? [];
  if (name === undefined || name !== other) throw new Refusal(401, 'Unauthorized');
  return name;
}

const trouble = (status: number) =>
  status === 429
    ? json(429, { error: 429, message: 'Too many requests' })
    : { status, body: '<html><body>Service unavailable</body></html>' };

function openOn(host: SandboxHost) {
  const work = routesOf(host);
  const { routes, records } = work;

  function read(passage: Passage): Understood {
    const { request } = passage;
    const found = matchRoute(routes, request.method, request.path.slice(base.length));
    if (found === undefined) throw new Refusal(404, 'Not found');
    const { route, variables } = found;
    const body = request.body.length === 0 ? {} : object(JSON.parse(request.body.toString()));
    // The one-time token in the body stands for the credentials.
    const otu = route.isOpen ? records.otus.get(String(body['token'] ?? '')) : undefined;
    if (route.isOpen && otu === undefined) throw new Refusal(403, 'The token is not valid');
    const account = otu?.account ?? accountIn(request.headers['authorization']);
    passage.account = account;
    // What a page of the payer saves must not use up what was ordered for the caller's own calls.
    const isPage = route.isOpen === true && request.headers['authorization'] === undefined;
    passage.operation = isPage ? undefined : route.operation;
    const query = new URLSearchParams(request.query);
    return {
      account,
      endpoint: request.path,
      digest: '',
      run: (turn) => route.run({ turn, account, body, query, variables }),
    };
  }

  const exchange = new Exchange(host, {
    gateway,
    // There are none: the same request again is another payment.
    keys: { keptForMs: 0, replay: (kept) => kept, inUse: () => new Error('no key') },
    read,
    refusal(cause) {
      if (cause instanceof Refusal) return { answer: json(cause.status, cause.body), begun: cause.isBegun };
      if (cause instanceof SyntaxError)
        return { answer: json(400, { error: 400, message: 'Malformed JSON' }), begun: false };
      return undefined;
    },
    trouble: (kind) => trouble(kind === 'rate-limit' ? 429 : 502),
    blind: ({ request }) =>
      request.path === `${base}/transaction/v3`
        ? json(200, { limit: 10, offset: 0, hasMore: false, rows: [] })
        : json(404, { error: 404, message: 'Transaction not found' }),
    headers: (_passage, { body }) => ({
      'content-type': body.startsWith('<') ? 'text/html' : 'application/json',
    }),
  });

  async function handle(request: SandboxRequest): Promise<SandboxReply> {
    const page = await pageOf(request);
    if (page !== undefined) return page;
    const reply = await exchange.handle(request);
    return isSilent(request) ? { kind: 'hang' } : reply;
  }

  const challengeAt = /^\/nexio\/3ds\/(\d+)$/;

  async function pageOf(request: SandboxRequest): Promise<SandboxReply | undefined> {
    const [, number] = challengeAt.exec(request.path) ?? [];
    if (number !== undefined) return challenge(request, number);
    const name = request.path.slice(base.length);
    if (request.method !== 'GET') return undefined;
    if (name === '/frame/frame.js') return html(host, 200, 'text/javascript', frameScript);
    if (name !== '/pay/v3/saveCard' && name !== '/pay/v3/saveECheck') return undefined;
    const otu = records.otus.get(new URLSearchParams(request.query).get('token') ?? '');
    const isGood = otu !== undefined && !otu.isUsed && otu.until >= host.clock.now();
    if (!isGood) return html(host, 403, 'text/html', framePage('<p>The token is not valid</p>', ''));
    return html(host, 200, 'text/html', name === '/pay/v3/saveCard' ? cardFrame : bankFrame);
  }

  const challenge = (request: SandboxRequest, number: string): Promise<SandboxReply> => {
    const txn = work.byNumber(number);
    const waiting = txn?.status === null;
    return challengePage(
      request,
      txn && {
        amount: { minor: txn.minor, currency: txn.currency },
        waiting,
        async answer(isPassed) {
          const tx = host.store.begin();
          if (waiting) work.answered(ownTurn(host, tx), txn, isPassed);
          await tx.commit();
          const to = new URL(txn.redirectTo ?? '');
          to.searchParams.set('asyncTraceId', number);
          return to.href;
        },
      },
    );
  };

  return {
    handle,
    run(
      task: string,
      { id = '' }: Readonly<Record<string, string>>,
      tx: Parameters<typeof ownTurn>[1],
    ): void {
      work.later(ownTurn(host, tx), task, id);
    },
    /** Of an address with the secret `unsigned` in the current style, of any other in the legacy one. */
    webhook({ secret }: Endpoint, id: string) {
      const txn = records.txns.get(id);
      if (txn === undefined) return undefined;
      const isUnsigned = secret === 'unsigned';
      const body = JSON.stringify(
        isUnsigned
          ? {
              eventType: 'TRANSACTION',
              transactionStatus: work.statusNow(txn),
              processMethod: txn.isBank ? 20 : 10,
              transactionId: txn.number,
            }
          : { eventType: 'TRANSACTION_CAPTURED', data: work.paymentBody(txn) },
      );
      const time = String(Date.now());
      const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
      return {
        body,
        headers: {
          'content-type': 'application/json',
          ...(!isUnsigned && { 'nexio-signature': `t=${time},v1=${v1}` }),
        },
      };
    },
    accountOf: (name: string) => name,
    reset: () => exchange.reset(),
  };
}

/** A payment that is carried out, and never answered. */
function isSilent({ path, body }: SandboxRequest): boolean {
  if (path !== `${base}/pay/v3/process`) return false;
  try {
    const amount = object(object(JSON.parse(body.toString()))['data'])['amount'];
    return String(amount).endsWith(`.0${SILENT_CENTS}`);
  } catch {
    return false;
  }
}

// ---- The provider's frame ----

const html = (host: SandboxHost, status: number, type: string, body: string): SandboxReply => ({
  kind: 'answer',
  status,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors ${host.portalOrigins.join(' ') || "'none'"}`,
  },
  body,
});

const style = `:root{color-scheme:light;font:16px/1.4 system-ui,sans-serif}body{margin:0;padding:16px;background:#fff;color:#1b1b1f}
form{display:grid;grid-template-columns:1fr 1fr;gap:12px}label{display:grid;gap:4px;align-content:start;font-size:15px;min-width:0}.wide{grid-column:1/-1}
input{box-sizing:border-box;width:100%;min-height:44px;padding:10px 12px;border:1px solid #767676;border-radius:6px;font:inherit}
input:focus-visible{outline:3px solid #7aa2ff;outline-offset:1px}`;

const framePage = (body: string, script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Payment details</title><style>${style}</style></head><body><main>${body}</main>${script}</body></html>`;

const input = (id: string, label: string, autocomplete: string, more = '') =>
  `<label${more}>${label}<input id="${id}"${id === 'name' ? '' : ' inputmode="numeric"'} autocomplete="${autocomplete}"></label>`;

const script = '<script src="/nexio/frame/frame.js"></script>';
const cardFrame = framePage(
  `<form aria-label="Card">${input('name', 'Name on card', 'cc-name', ' class="wide"')}${input('number', 'Card number', 'cc-number', ' class="wide"')}${input('expiry', 'Expiry (MM / YY)', 'cc-exp')}${input('code', 'Security code', 'cc-csc')}</form>`,
  script,
);
const bankFrame = framePage(
  `<form aria-label="Bank account">${input('name', 'Name on account', 'name', ' class="wide"')}${input('routing', 'Routing number', 'off', ' class="wide"')}${input('account', 'Account number', 'off', ' class="wide"')}</form>`,
  script,
);

/** Told 'posted' by the page around it, it saves what stands in it, and says what came of it. */
const frameScript = `'use strict';
const value = (id) => document.getElementById(id)?.value.trim() ?? '';
const tell = (event, data) => window.parent.postMessage({ event, data }, '*');
addEventListener('message', async (message) => {
  if (message.source !== window.parent || message.data !== 'posted') return;
  const token = new URLSearchParams(location.search).get('token');
  const isBank = document.getElementById('routing') !== null;
  const [month = '', year = ''] = value('expiry').split('/').map((part) => part.trim());
  const body = isBank
    ? { token, bank: { accountHolderName: value('name'), routingNumber: value('routing'), accountNumber: value('account') } }
    : { token, card: { cardHolderName: value('name'), number: value('number'), expirationMonth: month, expirationYear: year, securityCode: value('code') } };
  try {
    const answer = await fetch('/nexio/frame/entered', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const data = await answer.json();
    if (answer.ok) tell(isBank ? 'eCheckSaved' : 'cardSaved', data);
    else tell('error', data);
  } catch {
    tell('error', { message: 'The service could not be reached' });
  }
});
document.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
tell('loaded', {});
`;

export const sandbox: GatewaySandbox = { gateway, prefixes: [base], open: openOn };
