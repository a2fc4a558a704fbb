/** How a card or account gets in by the hosted page, and what can be done with its token. The list of methods is ours. */
import { destroySecrets } from '../kit/secret-bytes.ts';
import type {
  EntryCallback,
  EntryPrepared,
  EntryRequest,
  Gateway,
  GatewayState,
  Method,
  PayOnce,
  SetupCompletion,
  SetupResult,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import type { Ippay } from './client.ts';
import { entryLivesMs } from './manifest.ts';
import {
  expiryRequest,
  formToken,
  inBrief,
  isAnswerSigned,
  isProof,
  proofOf,
  shownBy,
  stateOf,
  type Token,
  terminalOf,
  tokenIn,
  verdictOf,
} from './wire.ts';

/** Names of the two kinds on the page. */
const PAYMENT_TYPES = { card: 'CC', bank: 'ACH' } as const;
/** With these the page has made a token; the second says that a check of its own has found something. */
const TOKENISED: ReadonlySet<string> = new Set(['000', 'AFS-103']);

/**
 * The form that is posted into the frame. The page only makes a token: its own sale is never asked for, since no hash covers
 * what it would take.
 */
function prepareEntry(api: Ippay, { ref, kind, callbackUrl }: EntryRequest): EntryPrepared {
  const { mid, customerId, securityKey } = api.config;
  const terminal = terminalOf(api.config, kind);
  if (terminal === undefined)
    return { is: 'notAttempted', why: 'config', detail: `there is no terminal for ${kind}` };
  const fields = {
    TransactionType: 'TOKENIZE',
    PaymentType: PAYMENT_TYPES[kind],
    MID: mid,
    CustomerId: customerId,
    TerminalID: terminal,
    ReferenceID: ref,
    Token: formToken(ref, securityKey),
    Amount: '0.00',
    SaveForFuture: 'true',
    CallbackURL: callbackUrl,
  };
  return {
    is: 'ready',
    action: { do: 'form', url: api.pageUrl, fields, origins: [new URL(api.pageUrl).origin] },
    state: { reference: ref, kind },
    until: new Date(api.now().getTime() + entryLivesMs),
  };
}

const shortest = (...texts: (string | undefined)[]): string =>
  texts.map((text) => text?.trim() ?? '').find((text) => text !== '' && text.length <= 100) ?? 'Not accepted';

/**
 * What the page has the payer's browser post. It is ours by its reference and the page's by its hash; nothing of it but the token
 * is taken.
 */
function readCallback(
  api: Ippay,
  { reference = '', kind }: GatewayState,
  fields: Readonly<Record<string, string>>,
): EntryCallback {
  const { securityKey } = api.config;
  const field = (...names: string[]): string =>
    names
      .map((name) => fields[name])
      .find(Boolean)
      ?.trim() ?? '';
  if (reference === '' || field('ReferenceID', 'ReferenceId') !== reference)
    return { is: 'refused', why: 'it is of another form' };
  const transaction = field('TransactionID');
  const signed = { transaction, authCode: field('AuthCode'), returnToken: field('ReturnToken') };
  if (transaction === '' || !isAnswerSigned(signed, securityKey))
    return { is: 'refused', why: 'its hash does not fit' };
  const code = field('ActionCode') || '000';
  const token = field('CardToken');
  if (!/^true$/i.test(field('Valid')) || !TOKENISED.has(code)) {
    const verdict = verdictOf({ code, of: (name) => fields[name] });
    const text = verdict.is === 'declined' ? verdict.why.text : undefined;
    return { is: 'declined', text: shortest(text, field('ResponseText'), code) };
  }
  if (token === '') return { is: 'refused', why: 'there is no token in it' };
  if (Number(field('Amount') || '0') !== 0)
    api.log.warn({ kind }, 'an answer of the hosted page names an amount; it is left aside');
  const beside = { proof: proofOf(reference, token, securityKey) };
  return { is: 'entered', input: { token, beside }, message: code, once: remoteId(transaction) };
}

/** The token of an entry, if the hosted page has made it for this very entry. */
export function enteredToken(
  api: Ippay,
  input: Omit<PayOnce, 'entry'> | SetupCompletion['input'],
  entry: GatewayState | undefined,
  holder: string | undefined,
): Token | undefined {
  if (!('token' in input)) {
    if ('secrets' in input) destroySecrets(input);
    return undefined;
  }
  const { token, beside } = input;
  const { reference, kind } = entry ?? {};
  if (reference === undefined || !isProof(beside?.['proof'], reference, token, api.config.securityKey))
    return undefined;
  return tokenIn({ token, ...(kind && { kind }), ...(holder && { holder }) });
}

function methodOf(token: Token, expiry: GatewayState = {}): Method {
  const { expMonth, expYear } = expiry;
  const shown = { ...(expMonth && { expMonth }), ...(expYear && { expYear }) };
  return {
    // One card is one token, whoever enters it: the same again is the same method.
    remote: remoteId(token.token),
    state: { ...stateOf(token), ...shown },
    kind: token.kind,
    show: { ...shownBy(token), ...shown },
    usable: 'now',
    ...(expMonth && expYear && { expires: `${expYear}-${expMonth.padStart(2, '0')}` }),
  };
}

function complete(api: Ippay, { input, entry, step, owner }: SetupCompletion): SetupResult {
  // Whether a form was filled in nobody can say but its callback.
  if ('fields' in input && entry === undefined)
    return { is: 'continue', action: { do: 'browser', config: {} }, state: step };
  const isBank = entry?.['kind'] === 'bank';
  const token = enteredToken(api, input, entry, isBank ? (owner?.name ?? step['holder']) : undefined);
  return token === undefined
    ? { is: 'notAttempted', why: 'invalid', detail: 'nothing was entered on the hosted page' }
    : { is: 'saved', method: methodOf(token) };
}

async function update(
  api: Ippay,
  method: GatewayState,
  { expMonth = '', expYear = '' }: Readonly<Record<string, string>>,
): Promise<SetupResult> {
  const token = tokenIn(method);
  const [, month] = /^(0?[1-9]|1[0-2])$/.exec(expMonth) ?? [];
  const [, year] = /^(?:20)?(\d\d)$/.exec(expYear) ?? [];
  if (token?.kind !== 'card' || month === undefined || year === undefined)
    return { is: 'refused', why: { class: 'fixInput', code: 'expiry', text: 'Please provide valid date' } };
  const answer = await api.ask(expiryRequest(api.config, token.token, month.padStart(2, '0'), year));
  if (answer.is === 'fault')
    return answer.reach === 'notSent'
      ? { is: 'notAttempted', why: 'unreachable', detail: answer.detail }
      : { is: 'unknown', evidence: answer.detail };
  const verdict = verdictOf(answer.reply);
  switch (verdict.is) {
    case 'approved':
      return { is: 'saved', method: methodOf(token, { expMonth, expYear: `20${year}` }) };
    case 'declined':
      return { is: 'refused', why: verdict.why };
    case 'config':
    case 'invalid':
      return { is: 'notAttempted', why: verdict.is, detail: verdict.detail };
    default:
      return { is: 'unknown', evidence: inBrief(answer.reply) };
  }
}

/** The parts of the port about entries and saved methods. Removing one is ours alone: IPpay has no list and no removal. */
export const savedMethods = (
  api: Ippay,
): Required<
  Pick<
    Gateway,
    'prepareEntry' | 'readCallback' | 'beginSetup' | 'completeSetup' | 'updateMethod' | 'removeMethod'
  >
> => ({
  prepareEntry: async (request) => prepareEntry(api, request),
  readCallback: (entry, fields) => readCallback(api, entry, fields),
  async beginSetup({ person: { customerId, name } }) {
    const step = { holder: name };
    return {
      payer: { customer: customerId },
      result: { is: 'continue', action: { do: 'browser', config: {} }, state: step },
    };
  },
  completeSetup: async (request) => complete(api, request),
  updateMethod: (_ref, method, change) => update(api, method, change),
  removeMethod: async () => 'gone',
});
