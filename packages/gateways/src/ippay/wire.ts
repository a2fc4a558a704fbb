/** What IPpay is sent and what it answers: XML of the gateway, and the hashes of its hosted page. No network, no clock. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Money } from '@counterfoil/domain/money/money.ts';
import { redact } from '../kit/redact.ts';
import { childOf, readXml, type XmlElement, type XmlNode } from '../kit/xml.ts';
import type {
  BillingOwner,
  Charge,
  Decline,
  GatewayRef,
  GatewayState,
  MethodKind,
  Outcome,
  Refund,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import type { IppaySettings } from './manifest.ts';

// ---- Requests ----

/** A token and what it stands for. */
export interface Token {
  readonly token: string;
  readonly kind: MethodKind;
  /** Holder of a bank account, where known. */
  readonly holder?: string;
}

/** Names and texts in the order in which they are sent; what is undefined is left out. */
type Elements = readonly XmlNode[];

const cut = (text: string | undefined, most: number): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim().slice(0, most);

/** Cards and accounts have a terminal each. */
export const terminalOf = (
  { terminalId, achTerminalId }: IppaySettings,
  kind: MethodKind,
): string | undefined => (kind === 'card' ? terminalId : achTerminalId);

/** A message of the gateway. @param transaction our own id of it; unique for a terminal within 90 days */
export const requestOf = (
  settings: IppaySettings,
  kind: MethodKind,
  type: string,
  transaction: string | undefined,
  more: Elements = [],
): XmlNode => [
  'ippay',
  [
    ['TransactionType', type],
    ['TerminalID', terminalOf(settings, kind)],
    ['TransactionID', transaction],
    ['Password', settings.password],
    ...more,
  ],
];

/** Whole cents without a point; fee and tax are part of the total. */
const cents = ({ minor }: Money): string => minor.toString();

const billing = (owner: BillingOwner | undefined): Elements => [
  ['BillingAddress', cut(owner?.billing?.line1, 100)],
  ['BillingCity', cut(owner?.billing?.city, 50)],
  ['BillingStateProv', cut(owner?.billing?.state, 50)],
  ['BillingPostalCode', cut(owner?.billing?.postalCode, 15)],
  ['BillingPhone', cut(owner?.phone, 20)],
  ['Email', cut(owner?.email, 100)],
];

/** What a back office and the lists show: who, and for which invoices. */
const labels = ({ customer, invoice }: Charge['labels']): Elements => [
  ['UDField1', cut(customer, 50)],
  ['UDField2', cut(invoice, 100)],
];

const achNode = (token: string, checkNumber: string | undefined): XmlNode => [
  'ACH',
  [
    ['Token', token],
    ['CheckNumber', checkNumber],
  ],
  { Type: 'CHECKING', SEC: 'WEB' },
];

/** Digits of an invoice's number; a check has one. */
const checkNumberOf = (text: string): string => /\d{1,9}$/.exec(text)?.[0] ?? '1';

/** `SALE` of a card or `CHECK` of a bank account, under our reference. */
export function chargeRequest(
  settings: IppaySettings,
  charge: Charge,
  { token, kind, holder }: Token,
): XmlNode {
  const { ref, amount, fee, labels: of, owner, client, initiator } = charge;
  const origin: XmlNode = ['Origin', initiator === 'merchant' ? 'RECURRING' : 'INTERNET'];
  const order: XmlNode = ['OrderNumber', cut(of.invoice, 50)];
  const total: Elements = [
    ['TotalAmount', cents(amount)],
    ['FeeAmount', cents(fee)],
  ];
  const rest = [...billing(owner), ['UserIPAddress', client?.ip] as const, ...labels(of)];
  if (kind === 'card')
    return requestOf(settings, kind, 'SALE', ref, [origin, order, ['Token', token], ...total, ...rest]);
  const name: XmlNode = ['CardName', cut(holder ?? owner?.name, 50) ?? 'Account holder'];
  const account = achNode(token, checkNumberOf(of.invoice));
  return requestOf(settings, kind, 'CHECK', ref, [origin, order, account, name, ...total, ...rest]);
}

/** `TOKENIZE` of a token: gives its card another expiry. @param month 'MM' @param year 'YY' */
export const expiryRequest = (settings: IppaySettings, token: string, month: string, year: string): XmlNode =>
  requestOf(settings, 'card', 'TOKENIZE', undefined, [
    ['Token', token],
    ['CardExpMonth', month],
    ['CardExpYear', year],
  ]);

/** Cancels a sale that is not settled, whole. Our reference of the refund stands beside: the id is that of the sale. */
export const voidRequest = (
  settings: IppaySettings,
  sale: {
    readonly ref: GatewayRef;
    readonly approval: string;
    readonly token: string;
    readonly amount: Money;
  },
  ref: GatewayRef,
): XmlNode =>
  requestOf(settings, 'card', 'VOID', sale.ref, [
    ['Approval', sale.approval],
    ['Token', sale.token],
    ['TotalAmount', cents(sale.amount)],
    ['UDField1', ref],
  ]);

/** `CREDIT` of a card or `REVERSAL` to a bank account: a transaction of its own. What it refunds stands beside, for people. */
export function creditRequest(
  settings: IppaySettings,
  { token, kind, holder }: Token,
  { ref, of, amount }: Pick<Refund, 'ref' | 'of' | 'amount'>,
): XmlNode {
  const total: XmlNode = ['TotalAmount', cents(amount)];
  const sale: XmlNode = ['UDField1', of.ref];
  if (kind === 'card') return requestOf(settings, kind, 'CREDIT', ref, [['Token', token], total, sale]);
  const name: XmlNode = ['CardName', cut(holder, 50) ?? 'Account holder'];
  return requestOf(settings, kind, 'REVERSAL', ref, [achNode(token, '1'), name, total, sale]);
}

// ---- Answers ----

/** An answer by name; what is empty stays away. */
export interface Reply {
  readonly of: (name: string) => string | undefined;
  readonly code: string | undefined;
}

export type Answer =
  | { readonly is: 'reply'; readonly reply: Reply }
  | { readonly is: 'fault'; readonly reach: 'notSent' | 'sent'; readonly detail: string };

/** Roots differ by call and by age of the request. */
const roots: ReadonlySet<string> = new Set(['ippayresponse', 'jetpayresponse']);

export const textIn = (element: XmlElement, name: string): string | undefined =>
  childOf(element, name)?.text.trim() || undefined;

/** Bytes of an answer; `fault`, redacted, for anything else (an HTML page of a blocked address, half an answer). */
export function readReply(
  bytes: Uint8Array,
): { is: 'reply'; reply: Reply } | { is: 'fault'; detail: string } {
  const xml = readXml(
    Buffer.from(bytes)
      .toString('utf8')
      .replace(/^\uFEFF/, ''),
  );
  if (xml.is === 'fault') return xml;
  if (!roots.has(xml.root.name.toLowerCase()))
    return { is: 'fault', detail: `root ${redact(xml.root.name)}` };
  const of = (name: string) => textIn(xml.root, name);
  const code = of('ActionCode');
  if (code === undefined && of('ErrMsg') === undefined)
    return { is: 'fault', detail: 'the answer has neither a code nor a message' };
  return { is: 'reply', reply: { of, code } };
}

/** For logs and evidence: code and message. Some failures are answered with the whole request, so nothing else is shown. */
export const inBrief = ({ of, code }: Reply): string =>
  redact(`code ${code ?? 'none'}: ${(of('ErrMsg') ?? of('ResponseText') ?? '').slice(0, 80)}`);

type Row = Pick<Decline, 'class' | 'text' | 'final'>;
type Meaning =
  | { readonly is: 'declined'; readonly row: Row }
  | { readonly is: 'config' | 'invalid' | 'notFound' | 'duplicate' | 'unavailable' };

const declined = 'Your card was declined';
const row = (kind: Decline['class'], text: string, isFinal = false): Meaning => ({
  is: 'declined',
  row: { class: kind, text, ...(isFinal && { final: true as const }) },
});
const unavailable = 'The payment service is temporarily unavailable. Please try again.';
const groups: readonly (readonly [codes: string, meaning: Meaning])[] = [
  [
    '001 002 070 107',
    row('otherMethod', 'Your bank declined this payment. Please contact your bank or use another method.'),
  ],
  ['003 109 901 925 926 941 996', { is: 'config' }],
  // Lost and stolen cards among them, which nobody may be told.
  ['004 007 041 043 200', row('otherMethod', declined, true)],
  ['005 100 899', row('otherMethod', declined)],
  ['012 013 030 110 181 920 921', { is: 'invalid' }],
  ['014 078 111 900 912 913 914 905', row('fixInput', 'Please check the card number.', true)],
  ['015 091 089 987 992 999 006 096 988 989 068 019', { is: 'unavailable' }],
  ['021 025 076 940', { is: 'notFound' }],
  ['051 061 065', row('retryLater', 'Your card was declined: insufficient funds or limit reached.')],
  ['054 101 917', row('fixInput', 'Your credit card has expired. Please add a new one and try again', true)],
  ['057 058 062 093 115 903 904 934', row('otherMethod', 'This card cannot be used here.', true)],
  ['063 602 750', row('otherMethod', declined, true)],
  ['082 122 806 933', row('fixInput', 'Please check the security code.', true)],
  ['094', { is: 'duplicate' }],
  ['923 924', row('fixInput', 'Please check the routing and account number.', true)],
  ['930 931 932 981', row('fixInput', 'Please check the billing address.', true)],
  ['942 943', row('otherMethod', 'The refund was refused.', true)],
];
const meanings: ReadonlyMap<string, Meaning> = new Map(
  groups.flatMap(([codes, meaning]) => codes.split(' ').map((code) => [code, meaning] as const)),
);

/** The one code of success; its text differs from call to call. 400, of an older dialect, is none. */
const APPROVED = '000';

export type Verdict =
  | { readonly is: 'approved' }
  | { readonly is: 'declined'; readonly why: Decline }
  | {
      readonly is: 'config' | 'invalid' | 'notFound' | 'duplicate' | 'unavailable' | 'unclear';
      readonly detail: string;
    };

/** What an answer says. A code nobody has documented is `unclear`, never a decline. */
export function verdictOf(reply: Reply): Verdict {
  const { code } = reply;
  const detail = inBrief(reply);
  if (code === APPROVED) return { is: 'approved' };
  // A message that was not understood as one: nothing was carried out.
  if (code === undefined) return { is: 'config', detail };
  const meaning = meanings.get(code);
  if (meaning === undefined) return { is: 'unclear', detail };
  if (meaning.is === 'declined') return { is: 'declined', why: { ...meaning.row, code } };
  return { is: meaning.is, detail };
}

/** `unavailable` of a payment that was looked up and is certainly not taken. */
export const unavailableDecline = (code: string): Decline => ({
  class: 'retryLater',
  code,
  text: unavailable,
});

/** An enquiry about a sale that was voided, by us or by the gateway itself. */
export const isVoided = ({ of }: Reply): boolean => /^void/i.test(of('ResponseText') ?? '');

// ---- Methods ----

const brands: Readonly<Record<string, string>> = {
  3: 'amex',
  2: 'mastercard',
  4: 'visa',
  5: 'mastercard',
  6: 'discover',
};

/** What a token tells of its card or account: its first and last digits are those of the number. */
export function shownBy({ token, kind, holder }: Token): Readonly<Record<string, string>> {
  const last4 = token.slice(-4);
  const shown = { last4, number: `****${last4}`, ...(holder && { name: holder }) };
  if (kind === 'bank') return { type: 'ach', ...shown };
  const brand = brands[token.slice(0, 1)];
  return { type: 'card', ...(brand && { brand }), ...shown };
}

/** What is kept with a charge: refunds need token and approval, look-ups the terminal. */
export function stateOf({ token, kind, holder }: Token): GatewayState {
  return { token, kind, ...(holder && { holder }) };
}

export function tokenIn({ token, kind, holder }: GatewayState = {}): Token | undefined {
  if (token === undefined || (kind !== 'card' && kind !== 'bank')) return undefined;
  return { token, kind, ...(holder && { holder }) };
}

/** What a charge came to by the answer to itself. @param sent is kept where the answer does not tell */
export function outcomeOf(reply: Reply, charge: Charge, token: Token): Outcome {
  const sent = stateOf(token);
  const verdict = verdictOf(reply);
  switch (verdict.is) {
    case 'approved':
      return approvedOutcome(reply, charge, token);
    case 'declined':
      return { is: 'declined', why: verdict.why, remote: remoteId(charge.ref) };
    case 'config':
    case 'invalid':
      return { is: 'notAttempted', why: verdict.is, detail: verdict.detail };
    case 'unavailable':
      // Its issuer may have heard of it: the same code by an enquiry is the end.
      return { is: 'unknown', evidence: verdict.detail, state: { ...sent, said: reply.code ?? '' } };
    default:
      return { is: 'unknown', evidence: verdict.detail, state: sent };
  }
}

function approvedOutcome(reply: Reply, charge: Charge, token: Token): Outcome {
  const approval = reply.of('Approval');
  if (reply.of('TransactionID')?.toUpperCase() !== charge.ref || approval === undefined)
    return { is: 'unknown', evidence: `approved, of another id: ${inBrief(reply)}`, state: stateOf(token) };
  return takenOutcome(charge, token, { approval });
}

/** A charge that was taken, or that is on its way to the bank. The amount is the one we sent: no answer carries one. */
export function takenOutcome(charge: Charge, token: Token, more: GatewayState): Outcome {
  const remote = remoteId(charge.ref);
  const state = { ...stateOf(token), at: charge.sentAt.toISOString(), ...more };
  const isOnce = charge.source !== 'lost' && !('saved' in charge.source);
  const rest = { remote, state, ...(isOnce && { shown: shownBy(token) }) };
  return token.kind === 'bank'
    ? { is: 'pending', because: 'bank', ...rest }
    : { is: 'succeeded', captured: charge.amount, ...rest };
}

// ---- The hosted page ----

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

/** What proves to the page that a form is ours. */
export const formToken = (reference: string, securityKey: string): string =>
  sha1(`${reference}${securityKey}`);

const isEqual = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Whether the page's answer carries its hash. The hash covers a transaction, not the reference and not the token. */
export function isAnswerSigned(
  {
    transaction,
    authCode,
    returnToken,
  }: Readonly<Record<'transaction' | 'authCode' | 'returnToken', string>>,
  securityKey: string,
): boolean {
  return isEqual(sha1(`${securityKey}${transaction}${authCode}`), returnToken.toLowerCase());
}

/**
 * Our own mark on what was posted to an entry's callback: a token without it came from somewhere else. In letters, so that it
 * never reads like a number of a card.
 */
export const proofOf = (reference: string, token: string, securityKey: string): string =>
  createHmac('sha256', securityKey)
    .update(`${reference}/${token}`)
    .digest('hex')
    .replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? 'g');

export const isProof = (proof: string | undefined, reference: string, token: string, key: string): boolean =>
  proof !== undefined && isEqual(proof, proofOf(reference, token, key));
