/**
 * Authorize.Net's sandbox: one address for all calls, HTTP 200 for all answers, a byte-order mark before each. Written from its
 * documentation, never from the adapter: one misreading must not sit on both sides.
 */
import { createHmac } from 'node:crypto';
import type { GatewaySandbox, SandboxHost, SandboxInstance } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { page } from '@counterfoil/sandbox/pages/page.ts';
import { type BrowserFiles, browserFile } from '@counterfoil/sandbox/pages/scripts.ts';
import {
  type Answer,
  Exchange,
  type Passage,
  type Protocol,
  type Trouble,
} from '@counterfoil/sandbox/requests/exchange.ts';
import type { Endpoint, WebhookMessage } from '@counterfoil/sandbox/webhooks.ts';
import { calls, clientKeyOf, transactionKeyOf } from './sandbox/calls.ts';
import { isKnownRoot, schemaFault, words } from './sandbox/data.ts';
import {
  AnetFault,
  type Body,
  bodyAt,
  gateway,
  openAccount,
  Refused,
  runTask,
  textAt,
} from './sandbox/work.ts';

const apiPath = '/authorize-net/xml/v1/request.api';
const scriptPath = '/authorize-net/v1/';
const files: BrowserFiles = { 'Accept.js': [new URL('./fake-accept.ts', import.meta.url)] };

const ok = (text: string): Answer => ({ status: 200, body: text });
/** An answer as the service writes it: its own members, our reference, then its messages. */
function answerOf(members: Body, refId: string, code: string, text: string): Answer {
  const resultCode = code.startsWith('I') ? 'Ok' : 'Error';
  const body = {
    ...members,
    ...(refId === '' ? {} : { refId }),
    messages: { resultCode, message: [{ code, text }] },
  };
  return ok(`\ufeff${JSON.stringify(body)}`);
}

const refIds = new WeakMap<Passage, string>();

/** Where a transaction came to nothing. */
const refusedTransaction = ({ reason, named }: Refused): Body => ({
  transactionResponse: {
    responseCode: '3',
    authCode: named === undefined ? '' : 'Q1W2E3',
    avsResultCode: 'P',
    cvvResultCode: '',
    cavvResultCode: '',
    transId: named ?? '0',
    refTransID: '',
    transHash: '',
    testRequest: '0',
    accountNumber: '',
    accountType: '',
    errors: [{ errorCode: String(reason), errorText: words[reason] ?? 'An error occurred.' }],
    transHashSha2: '',
  },
});

/** What a request is for the orders of faults. */
function operationOf(root: string, body: Body): Passage['operation'] {
  if (root !== 'createTransactionRequest') return calls[root]?.is;
  const type = textAt(bodyAt(body, 'transactionRequest'), 'transactionType');
  return type === 'authCaptureTransaction' ? 'charge' : 'refund';
}

class Refusal extends Error {
  readonly answer: Answer;
  constructor(answer: Answer) {
    super('refused');
    this.answer = answer;
  }
}
const refusal = (code: string, text: string, refId = ''): Refusal =>
  new Refusal(answerOf({}, refId, code, text));

function documentIn(passage: Passage): readonly [root: string, body: Body] {
  const type = passage.request.headers['content-type'] ?? '';
  if (!type.includes('json')) throw refusal('E00002', 'The content-type specified is not supported.');
  let document: unknown;
  try {
    document = JSON.parse(passage.request.body.toString('utf8'));
  } catch {
    throw refusal('E00003', 'Root element is missing.');
  }
  const entries = Object.entries(typeof document === 'object' && document !== null ? document : {});
  const [first] = entries;
  if (first === undefined || entries.length > 1 || !isKnownRoot(first[0]))
    throw refusal('E00004', 'The name of the requested API method is invalid.');
  return [first[0], first[1] as Body];
}

/** The account that is meant, if its keys fit: the transaction key, or for Accept.js the public one. */
function accountIn(root: string, body: Body, refId: string): string {
  const { name, key, clientKey } = {
    name: textAt(bodyAt(body, 'merchantAuthentication'), 'name'),
    key: textAt(bodyAt(body, 'merchantAuthentication'), 'transactionKey'),
    clientKey: textAt(bodyAt(body, 'merchantAuthentication'), 'clientKey'),
  };
  const fits =
    root === 'securePaymentContainerRequest'
      ? clientKey === clientKeyOf(name)
      : key === transactionKeyOf(name);
  if (!fits || name.startsWith('nobody'))
    throw refusal('E00007', 'User authentication failed due to invalid authentication values.', refId);
  if (name.startsWith('inactive')) throw refusal('E00008', 'The merchant account is inactive.', refId);
  return name;
}

function protocolOf(host: SandboxHost): Protocol {
  return {
    gateway,
    // There are none.
    keys: {
      keptForMs: 0,
      replay: (kept) => kept,
      inUse: () => new Error('there are no keys'),
    },
    read(passage) {
      const [root, body] = documentIn(passage);
      const fault = schemaFault(root, body);
      const refId = textAt(body, 'refId');
      if (fault !== undefined) throw refusal('E00003', fault);
      refIds.set(passage, refId);
      const name = accountIn(root, body, refId);
      passage.account = name;
      passage.operation = operationOf(root, body);
      passage.fromBrowser = root === 'securePaymentContainerRequest';
      const call = calls[root];
      if (call === undefined) throw refusal('E00004', 'The name of the requested API method is invalid.');
      if (call.reports === true && name.startsWith('noreport'))
        throw refusal(
          'E00011',
          'Access denied. You do not have permissions to call the Transaction Details API.',
          refId,
        );
      return {
        account: name,
        endpoint: root,
        digest: '',
        run(turn) {
          try {
            const members = call.run({ turn, account: openAccount(host, name) }, body);
            return answered(members, refId);
          } catch (cause) {
            if (cause instanceof Refused)
              return answerOf(
                refusedTransaction(cause),
                refId,
                'E00027',
                'The transaction was unsuccessful.',
              );
            if (cause instanceof AnetFault) return answerOf(cause.more, refId, cause.code, cause.message);
            throw cause;
          }
        },
      };
    },
    refusal: (cause) => (cause instanceof Refusal ? { answer: cause.answer, begun: false } : undefined),
    trouble: (kind) => troubles[kind],
    blind: (passage) =>
      passage.request.body.includes('getTransactionDetailsRequest')
        ? answerOf({}, '', 'E00040', 'The record cannot be found.')
        : answerOf({}, '', 'I00004', 'No records found.'),
    headers: (_passage, { body }) => ({
      'content-type': body.startsWith('<') ? 'text/html' : 'application/json; charset=utf-8',
    }),
  };
}

/** A decline comes with Ok; an error of a transaction with the code of one. */
function answered(members: Body, refId: string): Answer {
  const { responseCode } = bodyAt(members, 'transactionResponse') as { responseCode?: string };
  return responseCode === '3'
    ? answerOf(members, refId, 'E00027', 'The transaction was unsuccessful.')
    : answerOf(members, refId, 'I00001', 'Successful.');
}

const troubles: Readonly<Record<Trouble, Answer>> = {
  'rate-limit': answerOf({}, '', 'E00053', 'The server is currently too busy, please try again later.'),
  'lock-timeout': answerOf({}, '', 'E00049', 'A time-out occurred.'),
  'lookup-down': answerOf({}, '', 'E00104', 'The server is in maintenance.'),
  failed: { status: 502, body: '<html><body><h1>502 Bad Gateway</h1></body></html>' },
};

/** Signed with the key as it is displayed. */
function signedDelivery(
  host: SandboxHost,
  { secret, account }: Endpoint,
  event: string,
): WebhookMessage | undefined {
  const names =
    account === undefined
      ? [...host.store.collectionNames()].flatMap(
          (name) => /^authorize-net\/([^/]+)\/event$/.exec(name)?.[1] ?? [],
        )
      : [account];
  const found = names
    .map((name) => openAccount(host, name).events.get(event))
    .find((one) => one !== undefined);
  if (found === undefined) return undefined;
  const signature = createHmac('sha512', secret).update(found.json).digest('hex').toUpperCase();
  return {
    body: found.json,
    headers: { 'content-type': 'application/json', 'x-anet-signature': `sha512=${signature}` },
  };
}

export const sandbox: GatewaySandbox = {
  gateway,
  prefixes: ['/authorize-net'],
  open(host: SandboxHost): SandboxInstance {
    const api = new Exchange(host, protocolOf(host));
    return {
      async handle(request) {
        if (request.path === apiPath && request.method === 'POST') return await api.handle(request);
        return (
          browserFile(host, request, scriptPath, files) ??
          page(404, 'Not found', '<h1>There is nothing here</h1>', { frameAncestors: [] })
        );
      },
      run: (task, payload, tx) => runTask(host, task, payload, tx),
      webhook: (endpoint, event) => signedDelivery(host, endpoint, event),
      accountOf: (name) => name,
      reset: () => api.reset(),
    };
  },
};
