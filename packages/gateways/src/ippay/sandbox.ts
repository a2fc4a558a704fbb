/** IPpay's sandbox: the gateway, Reporting and the hosted page. Written from their documentation, never from `wire.ts`. */
import { createHash } from 'node:crypto';
import type {
  GatewaySandbox,
  SandboxHost,
  SandboxReply,
  SandboxRequest,
} from '@counterfoil/sandbox/gateway-sandbox.ts';
import { newId } from '@counterfoil/sandbox/ids.ts';
import { escapeHtml, page } from '@counterfoil/sandbox/pages/page.ts';
import {
  type Answer,
  Exchange,
  type Passage,
  type Protocol,
  type Understood,
} from '@counterfoil/sandbox/requests/exchange.ts';
import type { Store } from '@counterfoil/sandbox/store.ts';
import { ownTurn } from '@counterfoil/sandbox/turn.ts';
import { readXml, type XmlElement } from '../kit/xml.ts';
import {
  AccountWork,
  elements,
  type Fields,
  gateway,
  generatedId,
  type Movement,
  nextId,
  notFoundXml,
  type PageSession,
  Refusal,
  recordsOf,
  replyXml,
  sessionsOf,
} from './sandbox-work.ts';

const paths = { gateway: '/ippay/ippay', report: '/ippay/ippayReport', page: '/ippay/hpp' };

const answer = (body: string): Answer => ({ status: 200, body });
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

// ---- Keys of this sandbox ----

const name = /^[A-Za-z0-9]{1,15}$/;
/** Terminals: `T` and `A` with the name of an account. */
function terminalOf(id: string): { readonly account: string; readonly kind: 'card' | 'bank' } | undefined {
  if (id === 'TESTTERMINAL') return { account: 'test', kind: 'card' };
  if (id === 'TESTACHTERM') return { account: 'test', kind: 'bank' };
  const account = id.slice(1);
  if (!/^[TA]/.test(id) || !name.test(account)) return undefined;
  return { account, kind: id.startsWith('T') ? 'card' : 'bank' };
}
const passwordOf = (account: string): string => `password-${account}`;
/** Of the hosted page; MID and CustomerId are `M-` and `C-` with the name. */
const securityKeyOf = (account: string): string => `key-${account}`;

// ---- The gateway and Reporting ----

function readRoot(request: SandboxRequest, wanted: RegExp): XmlElement {
  const read = readXml(request.body.toString('latin1'));
  if (read.is === 'fault' || !wanted.test(read.root.name)) throw new Refusal(undefined, 'Malformed XML');
  return read.root;
}

/** Elements by name, those inside of ACH among them. */
function fieldsOf(root: XmlElement, raw: string): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const { name: own, text, children } of root.children) {
    if (own === 'ACH') for (const child of children) fields[child.name] = child.text;
    else fields[own] = text;
  }
  const [, attributes = ''] = /<ACH([^>]*)>/.exec(raw) ?? [];
  for (const [, key = '', value = ''] of attributes.matchAll(/\s(Type|SEC)="([A-Z]+)"/g)) fields[key] = value;
  return fields;
}

const operations: Readonly<Record<string, NonNullable<Passage['operation']>>> = {
  SALE: 'charge',
  CHECK: 'charge',
  VOID: 'refund',
  CREDIT: 'refund',
  REVERSAL: 'refund',
  ENQ: 'find',
  TOKENIZE: 'save',
};

function readMessage(passage: Passage): Understood {
  const { request } = passage;
  const type = request.headers['content-type'] ?? '';
  if (!/^(text|application)\/xml/.test(type)) throw new Refusal(undefined, 'Content-Type must be text/xml');
  const fields = fieldsOf(readRoot(request, /^(ippay|JetPay)$/i), request.body.toString('latin1'));
  const terminal = terminalOf(fields['TerminalID'] ?? '');
  if (terminal === undefined) throw new Refusal('996', 'Terminal ID not found');
  const { account, kind } = terminal;
  const { Password: password, TransactionType: call = '' } = fields;
  if (password !== undefined && password !== passwordOf(account))
    throw new Refusal('003', 'Invalid password');
  passage.account = account;
  passage.operation = operations[call];
  return {
    account,
    endpoint: call,
    digest: '',
    run: (turn) => answer(new AccountWork(turn, account).run(call, kind, fields)),
  };
}

function readReportRequest(passage: Passage): Understood {
  const root = readRoot(passage.request, /^ippayReport$/);
  const [merchant, password] = ['MerchantID', 'Password'].map(
    (wanted) => root.children.find((child) => child.name === wanted)?.text ?? '',
  );
  const account = merchant?.replace(/^RPT-/, '') ?? '';
  if (!name.test(account) || password !== `rpt-${account}`)
    throw new Refusal(undefined, 'Invalid credentials');
  const range = root.children.find((child) => child.name === 'TransactionRange');
  const [type, start, end] = ['TransactionType', 'TransactionStartTime', 'TransactionEndTime'].map(
    (wanted) => range?.children.find((child) => child.name === wanted)?.text ?? '',
  );
  const [from, until] = [Date.parse(`${start}Z`), Date.parse(`${end}Z`)];
  if (Number.isNaN(from) || Number.isNaN(until) || from > until)
    throw new Refusal(undefined, 'Invalid range');
  passage.account = account;
  passage.operation = 'find';
  return {
    account,
    endpoint: 'report',
    digest: '',
    run: ({ host }) => answer(reportXml(host.store, account, type ?? '', from, until)),
  };
}

const protocol: Protocol = {
  gateway,
  // There are none: a TransactionID is what cannot be used twice.
  keys: { keptForMs: 0, replay: (kept) => kept, inUse: (key) => new Error(key) },
  read(passage) {
    if (passage.request.method !== 'POST') throw new Refusal(undefined, 'Only POST is answered');
    return passage.request.path === paths.report ? readReportRequest(passage) : readMessage(passage);
  },
  refusal: (cause) =>
    cause instanceof Refusal ? { answer: answer(replyXml(cause.fields)), begun: false } : undefined,
  trouble: (kind) => ({
    status: kind === 'rate-limit' ? 403 : 502,
    body: '<html><body><h1>Request blocked</h1></body></html>',
  }),
  blind: ({ request }) =>
    answer(request.path === paths.report ? '<ippayResponse>No Results</ippayResponse>' : notFoundXml),
  headers: (_passage, { status }) => ({
    'content-type': status === 200 ? 'text/xml; charset=utf-8' : 'text/html',
  }),
};

export const sandbox: GatewaySandbox = {
  gateway,
  prefixes: ['/ippay'],
  open(host) {
    const exchange = new Exchange(host, protocol);
    return {
      handle: async (request) =>
        request.path === paths.gateway || request.path === paths.report
          ? exchange.handle(request)
          : hostedPage(host, request),
      run(task, { account = '', key = '' }, tx) {
        new AccountWork(ownTurn(host, tx), account).follow(task, key);
      },
      webhook: () => undefined,
      accountOf: (given) => given,
      reset: () => exchange.reset(),
    };
  },
};

// ---- Reporting ----

const dollars = (minor: number, more = ''): string =>
  `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}${more}`;

type Reported = readonly [at: number, fields: Fields];

const common = (one: Movement, type: string, at: number, amount: string): Fields => ({
  ipTransID: generatedId('A', at),
  Transaction_ID: one.id,
  Request_Type: type,
  Total_Amount: amount,
  Auth_Code: one.approval,
  ActionCode: one.code,
  Response_Text: one.text,
  Token: one.token,
  CardHolderName: one.name,
  OrderNumber: one.order,
  UD1: one.labels[0],
  UD2: one.labels[1],
});

/** What a list of that type shows of a movement. */
function reported(type: string, one: Movement): Reported[] {
  const isCard = one.kind === 'card';
  switch (type) {
    case 'credit':
    case 'ach':
      if (isCard !== (type === 'credit')) return [];
      return [
        [one.at, common(one, one.type, one.at, dollars(one.minor, '00'))],
        ...(one.voidedAt === undefined
          ? []
          : [[one.voidedAt, common(one, 'VOID', one.voidedAt, dollars(one.minor, '00'))] as const]),
      ];
    case 'achsettlement':
      return one.settledAt === undefined
        ? []
        : [[one.settledAt, common(one, one.type, one.settledAt, dollars(one.minor))]];
    case 'achrejects':
    case 'ccchargebacks': {
      if (one.back === undefined || isCard !== (type === 'ccchargebacks')) return [];
      const { code, at } = one.back;
      const completed = { Status: code, CompletionDate: new Date(at).toISOString().slice(0, 19) };
      return [
        [
          at,
          {
            ...common(one, one.type, at, dollars(one.minor)),
            ...completed,
            CompletionAmount: dollars(one.minor),
          },
        ],
      ];
    }
    default:
      throw new Refusal(undefined, 'Invalid TransactionType');
  }
}

/** A list of what happened between two times. */
function reportXml(store: Store, account: string, type: string, from: number, until: number): string {
  const rows = [...recordsOf(store, account).movements.newest()]
    .flatMap((one) => reported(type, one))
    .filter(([at]) => at >= from && at <= until)
    .sort(([one], [other]) => one - other);
  if (rows.length === 0) return '<ippayResponse>No Results</ippayResponse>';
  const listed = rows.map(([, fields]) => `<Transaction>${elements(fields)}</Transaction>`).join('');
  return `<ippayResponse><Transactions type="${type}" records="${rows.length}">${listed}</Transactions></ippayResponse>`;
}

// ---- The hosted page: a form that is posted into a frame, and what is typed there ----

const shown = (
  host: SandboxHost,
  status: number,
  title: string,
  body: string,
  script?: string,
): SandboxReply =>
  page(status, title, body, {
    frameAncestors: host.portalOrigins,
    ...(script === undefined ? {} : { script }),
  });
const refused = (host: SandboxHost, why: string): SandboxReply =>
  shown(host, 400, 'Error', `<h1>Error</h1><p role="alert">${escapeHtml(why)}</p>`);

async function hostedPage(host: SandboxHost, request: SandboxRequest): Promise<SandboxReply> {
  const form = new URLSearchParams(request.body.toString());
  switch (`${request.method} ${request.path}`) {
    case `POST ${paths.page}`:
      return openPage(host, form);
    case `POST ${paths.page}/tokenise`:
      return tokenise(host, form);
    case `GET ${paths.page}/post.js`:
      return {
        kind: 'answer',
        status: 200,
        headers: { 'content-type': 'text/javascript', 'cache-control': 'no-store' },
        body: 'document.forms[0].submit();',
      };
    default:
      return shown(host, 404, 'Not found', '<h1>Not found</h1>');
  }
}

async function openPage(host: SandboxHost, form: URLSearchParams): Promise<SandboxReply> {
  const field = (key: string): string => form.get(key) ?? '';
  const account = field('MID').replace(/^M-/, '');
  const reference = field('ReferenceID') || field('ReferenceId');
  if (!name.test(account) || field('CustomerId') !== `C-${account}`) return refused(host, 'Unknown merchant');
  if (reference === '' || field('Token') !== sha1(`${reference}${securityKeyOf(account)}`))
    return refused(host, 'The token does not fit');
  if (field('TransactionType') !== 'TOKENIZE' || field('Amount') !== '0.00')
    return refused(host, 'This page makes tokens only');
  const kind = field('PaymentType') === 'ACH' ? 'bank' : 'card';
  const terminal = terminalOf(field('TerminalID'));
  if (terminal !== undefined && (terminal.account !== account || terminal.kind !== kind))
    return refused(host, 'The terminal does not fit');
  const callback = field('CallbackURL');
  if (!URL.canParse(callback) || !/^https?:/.test(callback)) return refused(host, 'There is no CallbackURL');
  const sessions = sessionsOf(host.store);
  const isUsed = [...sessions.newest()].some((one) => one.reference === reference && one.isDone);
  if (isUsed) return refused(host, 'The reference was used');
  const id = newId('hpp');
  const tx = host.store.begin();
  tx.put(sessions, id, { account, reference, callback, kind });
  await tx.commit();
  return shown(host, 200, 'Payment method', pageForm(id, kind));
}

const input = (id: string, label: string, more: string): string =>
  `<label>${label}<input name="${id}" required autocomplete="off" style="width:100%" ${more}></label>`;
const digits = 'inputmode="numeric" maxlength="23"';

/** No place for it says what will be paid: that stands on the page around. */
const pageForm = (id: string, kind: 'card' | 'bank'): string =>
  `<h1>${kind === 'card' ? 'Card' : 'Bank account'}</h1><form method="post" action="${paths.page}/tokenise" style="margin-top:.5rem"><input type="hidden" name="session" value="${id}">${
    kind === 'card'
      ? input('number', 'Card number', digits) +
        `<div style="display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem">${
          input('expiry', 'Expiry (MM/YY)', 'inputmode="numeric" maxlength="5"') +
          input('code', 'Security code', 'inputmode="numeric" maxlength="4"')
        }</div>`
      : input('routing', 'Routing number', digits) + input('account', 'Account number', digits)
  }<button class="primary" type="submit">Continue</button></form>`;

/** Of a security code that makes a check of the page find something, though the token is made. */
const ODD_CODE = '103';

async function tokenise(host: SandboxHost, form: URLSearchParams): Promise<SandboxReply> {
  const id = form.get('session') ?? '';
  const session = sessionsOf(host.store).get(id);
  if (session === undefined || session.isDone) return refused(host, 'This form was used');
  const tx = host.store.begin();
  const work = new AccountWork(ownTurn(host, tx), session.account);
  const typed = (key: string): string => form.get(key)?.replace(/[\s/-]/g, '') ?? '';
  let [token, code, text] = ['', '000', 'TOKENIZED'];
  try {
    const expiry = typed('expiry');
    if (session.kind === 'bank') token = work.keepAccount(typed('routing'), typed('account'));
    else if (/^(0[1-9]|1[0-2])\d\d$/.test(expiry))
      token = work.keepCard(typed('number'), `${expiry.slice(2)}${expiry.slice(0, 2)}`);
    else throw new Refusal('054', 'Invalid expiration date');
    if (typed('code') === ODD_CODE) code = 'AFS-103';
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause;
    [code, text] = [cause.fields['ActionCode'] ?? '', cause.message];
  }
  if (token !== '') tx.put(sessionsOf(host.store), id, { ...session, isDone: true });
  await tx.commit();
  return callingBack(host, session, { token, code, text });
}

/** A form that posts itself to the address that was given. */
function callingBack(
  host: SandboxHost,
  { account, reference, callback }: PageSession,
  { token, code, text }: Readonly<Record<'token' | 'code' | 'text', string>>,
): SandboxReply {
  const transaction = nextId('A', host.clock.now());
  const fields = {
    ReferenceID: reference,
    Valid: token === '' ? 'False' : 'True',
    TransactionID: transaction,
    ResponseText: text,
    ActionCode: code,
    AuthCode: '',
    Amount: '0.00',
    CardToken: token,
    ReturnToken: sha1(`${securityKeyOf(account)}${transaction}`),
  };
  const inputs = Object.entries(fields).map(
    ([key, value]) => `<input type="hidden" name="${key}" value="${escapeHtml(value)}">`,
  );
  const form = `<form method="post" action="${escapeHtml(callback)}">${inputs.join('')}<button type="submit">Continue</button></form>`;
  return shown(host, 200, 'One moment', form, `${paths.page}/post.js`);
}
