/** Moneris' sandbox: the XML API and the hosted tokenization frame. Written from its documentation, never from `wire.ts`. */
import type {
  GatewaySandbox,
  SandboxHost,
  SandboxReply,
  SandboxRequest,
} from '@counterfoil/sandbox/gateway-sandbox.ts';
import { passesLuhn } from '@counterfoil/sandbox/pages/card-frame/card-rules.ts';
import { escapeHtml } from '@counterfoil/sandbox/pages/page.ts';
import {
  type Answer,
  Exchange,
  type Passage,
  type Protocol,
  type Understood,
} from '@counterfoil/sandbox/requests/exchange.ts';
import { readXml, type XmlElement } from '../kit/xml.ts';
import {
  type Card,
  groups,
  isStore,
  maskOf,
  newKey,
  recordsOf,
  shapes,
  transactions,
  typeOf,
} from './sandbox-data.ts';
import {
  DuplicateOrder,
  gateway,
  globalError,
  longestTemporarySeconds,
  notFound,
  Refusal,
  receiptXml,
  StoreWork,
  type Transaction,
} from './sandbox-work.ts';

const servlet = '/moneris/gateway2/servlet/MpgRequest';
const frame = '/moneris/HPPtoken';

const answer = (body: string): Answer => ({ status: 200, body });

/** Names of children in order, as the documentation has them. */
function isInOrder(element: XmlElement, wanted: string): boolean {
  let at = 0;
  for (const name of wanted.split(' ')) {
    const isOptional = name.endsWith('?');
    if (element.children[at]?.name === name.replace('?', '')) at += 1;
    else if (!isOptional) return false;
  }
  return at === element.children.length;
}

function readTransaction(element: XmlElement, isStatusCheck: boolean): Transaction {
  const wanted = transactions[element.name];
  if (wanted === undefined) throw new Refusal('Cancelled: Transaction type not supported');
  const values: Record<string, string> = {};
  const take = (parent: XmlElement, order: string): void => {
    if (!isInOrder(parent, order)) throw new Refusal('Malformed XML', globalError('Malformed XML'));
    for (const child of parent.children) {
      const group = groups[child.name];
      if (group !== undefined) take(child, group);
      else values[child.name] = child.text;
      values[`has ${child.name}`] = 'true';
      const shape = shapes[child.name] ?? /^.{0,50}$/s;
      if (group === undefined && !shape.test(child.text)) throw new Refusal(`Invalid ${child.name}`);
    }
  };
  take(element, wanted);
  return { call: element.name, values, isStatusCheck };
}

const operations: Readonly<Record<string, NonNullable<Passage['operation']>>> = {
  purchase: 'charge',
  res_purchase_cc: 'charge',
  refund: 'refund',
  purchasecorrection: 'refund',
  res_lookup_masked: 'find',
  res_add_cc: 'save',
  res_add_token: 'save',
};

function readRequest(passage: Passage): Understood {
  const { request } = passage;
  if (request.method !== 'POST') throw new Refusal('', globalError('Only POST is answered'));
  const read = readXml(request.body.toString('latin1'));
  const root = read.is === 'xml' && read.root.name === 'request' ? read.root : undefined;
  const [store, token, ...rest] = root?.children ?? [];
  if (store?.name !== 'store_id' || token?.name !== 'api_token')
    throw new Refusal('', globalError('Malformed XML'));
  if (!isStore(store.text, token.text)) throw new Refusal('API token mismatch');
  passage.account = store.text;
  if (rest[0]?.name === 'app_version') rest.shift();
  const status = rest[0]?.name === 'status_check' ? rest.shift()?.text : 'false';
  const [element, ...others] = rest;
  if (element === undefined || others.length > 0) throw new Refusal('', globalError('Malformed XML'));
  const transaction = readTransaction(element, status === 'true');
  passage.operation = transaction.isStatusCheck ? 'find' : operations[transaction.call];
  return {
    account: store.text,
    endpoint: transaction.call,
    digest: '',
    run: (turn) => answer(new StoreWork(turn, store.text).run(transaction)),
  };
}

const protocol: Protocol = {
  gateway,
  // There are none: an order id is what cannot be used twice.
  keys: { keptForMs: 0, replay: (kept) => kept, inUse: (key) => new Error(key) },
  read: readRequest,
  refusal(cause) {
    if (!(cause instanceof Refusal)) return undefined;
    const card = cause instanceof DuplicateOrder ? cause.card : undefined;
    return { answer: answer(receiptXml(cause.fields, card)), begun: false };
  },
  trouble: (kind) =>
    kind === 'lock-timeout'
      ? answer(receiptXml(globalError('Global Error Receipt')))
      : { status: kind === 'rate-limit' ? 200 : 502, body: '<html><body>Service unavailable</body></html>' },
  blind: () => answer(receiptXml(notFound)),
  headers: () => ({ 'content-type': 'text/html; charset=utf-8' }),
};

export const sandbox: GatewaySandbox = {
  gateway,
  prefixes: ['/moneris'],
  open(host) {
    const exchange = new Exchange(host, protocol);
    return {
      handle: async (request) =>
        request.path === servlet ? exchange.handle(request) : framePage(host, request),
      run(task) {
        throw new Error(`there is no task ${task}`);
      },
      webhook: () => undefined,
      accountOf: (name) => (name.startsWith('sim-') ? name : `sim-${name}`),
      reset: () => exchange.reset(),
    };
  },
};

// ---- The hosted tokenization frame ----

const html = (host: SandboxHost, status: number, type: string, body: string): SandboxReply => ({
  kind: 'answer',
  status,
  headers: {
    'content-type': `${type}; charset=utf-8`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self'; frame-ancestors ${host.portalOrigins.join(' ') || "'none'"}`,
  },
  body,
});

/** Style that the page around it asks for: a list of declarations, nothing that could end them. */
const styleOf = (query: URLSearchParams, name: string): string =>
  (query.get(name) ?? '').replace(/[<>{}]/g, '');

/** Nothing names an input unless the page around it asks for labels: 1 above it, 2 within. */
function input(query: URLSearchParams, id: string, autocomplete: string): string {
  const label = escapeHtml(query.get(`${id}_label`) ?? '');
  const shown = query.get('display_labels');
  const placeholder = shown === '2' ? ` placeholder="${label}"` : '';
  const control = `<input id="${id}"${placeholder} autocomplete="${autocomplete}" inputmode="numeric" maxlength="20">`;
  return shown === '1' ? `<label for="${id}">${label}</label>${control}` : control;
}

/** Profile `ht-<name>` belongs to store `sim-<name>`. */
const storeOf = (profile: string): string | undefined =>
  /^ht-[A-Za-z0-9_-]{1,20}$/.test(profile) ? `sim-${profile.slice(3)}` : undefined;

async function framePage(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const query = new URLSearchParams(request.query);
  switch (`${request.method} ${request.path}`) {
    case `GET ${frame}/index.php`: {
      if (storeOf(query.get('id') ?? '') === undefined)
        return html(host, 200, 'text/html', '<!doctype html><title>Error</title><p>Invalid profile</p>');
      const code = query.get('enable_cvd') === '1' ? input(query, 'cvd', 'cc-csc') : '';
      return html(
        host,
        200,
        'text/html',
        `<!doctype html><html lang="en"><title>Card number</title><style>body{margin:0;${styleOf(query, 'css_body')}}input{${styleOf(query, 'css_textbox')}}</style><body>${input(query, 'pan', 'cc-number')}${code}<script src="frame.js"></script></body></html>`,
      );
    }
    case `GET ${frame}/frame.js`:
      return html(host, 200, 'text/javascript', frameScript);
    case `POST ${frame}/tokenise`: {
      const made = await frameToken(host, new URLSearchParams(request.body.toString()));
      return html(host, 200, 'application/json', JSON.stringify(made));
    }
    default:
      return html(host, 404, 'text/html', '<!doctype html><title>Not found</title><p>Not found</p>');
  }
}

/** Any message from the page around it is the order to tokenise; the answer goes to that page, as text. */
const frameScript = `'use strict';
addEventListener('message', async (event) => {
  if (event.source !== window.parent) return;
  const value = (id) => document.getElementById(id)?.value.replace(/[^0-9]/g, '');
  const form = new URLSearchParams({ id: new URLSearchParams(location.search).get('id') ?? '', pan: value('pan') ?? '' });
  if (document.getElementById('cvd') !== null) form.set('cvd', value('cvd'));
  const answer = await fetch('tokenise', { method: 'POST', body: form });
  event.source.postMessage(JSON.stringify(await answer.json()), event.origin);
});
`;

async function frameToken(host: SandboxHost, form: URLSearchParams): Promise<object> {
  const store = storeOf(form.get('id') ?? '');
  const pan = form.get('pan') ?? '';
  const code = form.get('cvd');
  const faults = [
    ...(/^\d{12,19}$/.test(pan) && passesLuhn(pan) ? [] : ['943']),
    ...(code === null || /^\d{3,4}$/.test(code) ? [] : ['945']),
  ];
  if (store === undefined) return { responseCode: ['941'] };
  if (faults.length > 0) return { responseCode: faults };
  const card: Card = {
    key: `ot-${newKey()}`,
    type: typeOf(pan),
    masked: maskOf(pan),
    expiry: '',
    holder: { cust_id: '', phone: '', email: '', note: '' },
    cryptType: '7',
    until: host.clock.now() + longestTemporarySeconds * 1_000,
    ...(code === null ? {} : { code: code === '000' ? 'bad' : 'good' }),
  };
  const tx = host.store.begin();
  tx.put(recordsOf(host.store, store).cards, card.key, card);
  await tx.commit();
  return { responseCode: ['001'], dataKey: card.key, bin: pan.slice(0, 6) };
}
