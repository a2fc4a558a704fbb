/** What Moneris is sent and what it answers: the XML API of the Canadian gateway. No network, no clock. */
import { formatDecimal, parseMoney } from '@counterfoil/domain/money/money.ts';
import { redact } from '../kit/redact.ts';
import type { SecretBytes } from '../kit/secret-bytes.ts';
import { childOf, readXml, type XmlElement, type XmlNode } from '../kit/xml.ts';
import type {
  BillingOwner,
  Charge,
  Decline,
  GatewayRef,
  GatewayState,
  LookupResult,
  Outcome,
  Refund,
} from '../port/gateway.ts';
import { remoteId } from '../port/gateway-ref.ts';
import type { MonerisSettings } from './manifest.ts';

// ---- Requests: the order of elements counts ----

/** A card behind a key of the vault: one that is kept, or one that lives for minutes and then wants its expiry beside it. */
export interface KeyedCard {
  readonly key: string;
  /** YYMM; of a temporary key only. */
  readonly expiry?: string;
  /** The issuer's name of the agreement to keep the card, from its first use. */
  readonly issuer?: string;
}

/** `false`: no issuer knows that the card is kept. */
type Agreement = { readonly is: 'first' | 'byCustomer' | 'byMerchant'; readonly issuer?: string } | false;

/** The request of one transaction. @param isStatusCheck it asks what became of it and takes nothing */
export const requestOf = (
  { storeId, apiToken }: Pick<MonerisSettings, 'storeId' | 'apiToken'>,
  transaction: XmlNode,
  isStatusCheck = false,
): XmlNode => [
  'request',
  [
    ['store_id', storeId],
    ['api_token', apiToken],
    ['status_check', isStatusCheck ? 'true' : undefined],
    transaction,
  ],
];

export const cut = (text: string | undefined, most: number): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim().slice(0, most);

/** Indicator and information of the card schemes: who asks for the payment, and whether it is the first with this card. */
function agreementNode(agreement: Agreement): XmlNode {
  if (agreement === false) return ['cof_info', undefined];
  const { is, issuer } = agreement;
  const indicator = { first: 'C', byCustomer: 'Z', byMerchant: 'U' }[is];
  return [
    'cof_info',
    [
      ['payment_indicator', indicator],
      ['payment_information', is === 'first' ? '0' : '2'],
      ['issuer_id', is === 'first' ? '' : issuer],
    ],
  ];
}

/** Longest street, number and name together. */
const longestStreet = 19;

/** @param owner of whom the address is sent; none where the store has no address verification */
function addressNode(owner: BillingOwner | undefined): XmlNode {
  const { line1, postalCode } = owner?.billing ?? {};
  if (line1 === undefined && postalCode === undefined) return ['avs_info', undefined];
  const [, number = '', street = line1 ?? ''] = /^\s*(\d[\w-]*)\s+(.*)$/.exec(line1 ?? '') ?? [];
  return [
    'avs_info',
    [
      ['avs_street_number', cut(number, longestStreet)],
      ['avs_street_name', cut(street, longestStreet - number.length)],
      ['avs_zipcode', cut(postalCode?.replace(/\s/g, ''), 9)],
    ],
  ];
}

export const addressOf = ({ sendsAddress }: MonerisSettings, owner: BillingOwner | undefined) =>
  addressNode(sendsAddress ? owner : undefined);

const codeNode = (code: SecretBytes | undefined): XmlNode => [
  'cvd_info',
  code === undefined
    ? undefined
    : [
        ['cvd_indicator', '1'],
        ['cvd_value', code],
      ],
];

/** `res_purchase_cc`: takes money of a card in the vault, under our reference as order id. */
export function purchaseNode(
  charge: Charge,
  card: KeyedCard,
  settings: MonerisSettings,
  code: SecretBytes | undefined,
): XmlNode {
  const isSaved = card.expiry === undefined;
  const is = charge.initiator === 'merchant' ? 'byMerchant' : 'byCustomer';
  const { issuer } = card;
  return [
    'res_purchase_cc',
    [
      ['data_key', card.key],
      ['order_id', charge.ref],
      ['cust_id', cut(charge.labels.invoice, 50)],
      ['amount', formatDecimal(charge.amount)],
      ['crypt_type', settings.cryptType],
      ['dynamic_descriptor', cut(settings.descriptor, 20)],
      ['expdate', card.expiry],
      addressOf(settings, charge.owner),
      codeNode(code),
      agreementNode(isSaved && { is, ...(issuer === undefined ? {} : { issuer }) }),
    ],
  ];
}

/** `res_temp_add`: a number becomes a key that lives for `durationMs`. */
export const temporaryNode = (
  number: SecretBytes,
  expiry: string,
  durationMs: number,
  { cryptType }: MonerisSettings,
): XmlNode => [
  'res_temp_add',
  [
    ['pan', number],
    ['expdate', expiry],
    ['crypt_type', cryptType],
    ['duration', `${durationMs / 1_000}`],
  ],
];

/** `res_card_verification_cc`: asks the issuer about a card that is going to be kept; takes nothing. */
export const verificationNode = (
  card: KeyedCard,
  orderId: string,
  settings: MonerisSettings,
  owner: BillingOwner | undefined,
  code: SecretBytes | undefined,
): XmlNode => [
  'res_card_verification_cc',
  [
    ['data_key', card.key],
    ['order_id', orderId],
    ['crypt_type', settings.cryptType],
    ['expdate', card.expiry],
    addressOf(settings, owner),
    codeNode(code),
    agreementNode({ is: 'first' }),
  ],
];

/** Reads a card of the vault without its number. */
export const maskedNode = (key: string): XmlNode => ['res_lookup_masked', [['data_key', key]]];

/** A charge as refunds and voids name it. */
export interface Taken {
  readonly order: string;
  readonly transaction: string;
}

/** Our reference stands where the back office searches: a refund has the order id of its charge. */
export const refundNode = (
  of: Taken,
  { ref, amount }: Pick<Refund, 'ref' | 'amount'>,
  { cryptType }: MonerisSettings,
): XmlNode => [
  'refund',
  [
    ['order_id', of.order],
    ['amount', formatDecimal(amount)],
    ['txn_number', of.transaction],
    ['crypt_type', cryptType],
    ['cust_id', ref],
  ],
];

/** Voids a purchase of the open batch: all of it. */
export const correctionNode = (of: Taken, ref: GatewayRef, { cryptType }: MonerisSettings): XmlNode => [
  'purchasecorrection',
  [
    ['order_id', of.order],
    ['txn_number', of.transaction],
    ['crypt_type', cryptType],
    ['cust_id', ref],
  ],
];

// ---- Answers ----

/** A receipt by name; what Moneris calls `null`, or leaves empty, stays away. */
export interface Receipt {
  readonly of: (name: string) => string | undefined;
  /** What the vault holds of a card. */
  readonly stored: (name: string) => string | undefined;
  /** The card issuer's or gateway's code: below 50 is approved. Undefined: it was not sent to the issuer. */
  readonly code: number | undefined;
  readonly isComplete: boolean;
}

export type Reading =
  | { readonly is: 'receipt'; readonly receipt: Receipt }
  | { readonly is: 'fault'; readonly detail: string };

/** What came of a request. `notSent`: nothing has left this machine. */
export type Answer =
  | { readonly is: 'receipt'; readonly receipt: Receipt }
  | { readonly is: 'fault'; readonly reach: 'notSent' | 'sent'; readonly detail: string };

/** Sends one transaction to the store of an account. Never throws. */
export type Ask = (
  transaction: XmlNode,
  options?: { readonly isStatusCheck?: true; readonly withinMs?: number },
) => Promise<Answer>;

const textOf = (element: XmlElement | undefined, name: string): string | undefined => {
  const text = element === undefined ? undefined : childOf(element, name)?.text.trim();
  return text === '' || text === 'null' ? undefined : text;
};

/** Bytes of an answer as a receipt; `fault` where there is none, or one that says that none came. */
export function readReceipt(bytes: Uint8Array): Reading {
  // Answers name no encoding: they are UTF-8 by that, and ISO-8859-1 like our requests where they are not.
  const text = decoded(bytes).replace(/^\uFEFF/, '');
  const xml = readXml(text);
  if (xml.is === 'fault') return xml;
  const element = xml.root.name === 'response' ? childOf(xml.root, 'receipt') : undefined;
  if (element === undefined) return { is: 'fault', detail: 'the answer has no receipt' };
  const of = (name: string) => textOf(element, name);
  if (of('ReceiptId') === 'Global Error Receipt')
    return { is: 'fault', detail: `no answer: ${messageOf(of('Message'))}` };
  const stored = (name: string) => textOf(childOf(element, 'ResolveData'), name);
  // An empty or odd code must never read as 0, which would be an approval.
  const code = /^\d{1,3}$/.test(of('ResponseCode') ?? '') ? Number(of('ResponseCode')) : undefined;
  return { is: 'receipt', receipt: { of, stored, code, isComplete: of('Complete') === 'true' } };
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** Messages are padded with blanks, `*` and `=`. */
const messageOf = (text: string | undefined): string =>
  redact((text ?? '').replace(/[^\w.,:;-]+/g, ' ').trim());

/** For logs and evidence: codes and message, no data. */
export const inBrief = ({ of }: Receipt): string =>
  `code ${of('ResponseCode') ?? 'null'}/${of('ISO') ?? 'null'}, complete ${of('Complete') ?? 'null'}: ${messageOf(of('Message'))}`;

/** A vault call that worked; says nothing about money. */
export const isVaultDone = ({ code, isComplete, of }: Receipt): boolean =>
  code === 1 && isComplete && of('ResSuccess') === 'true';

/** The vault knows no such key. */
export const isUnknownKey = ({ code }: Receipt): boolean => code === 983;

const declined = 'Your card was declined';
type Row = Pick<Decline, 'class' | 'text'> & { readonly final?: true };
const plain: Row = { class: 'otherMethod', text: declined };
const later: Row = { class: 'retryLater', text: 'Please try again in a few minutes' };
const number: Row = { class: 'fixInput', text: 'Please check the card number' };
const checkCode: Row = { class: 'fixInput', text: 'Please check the security code' };
const callBank: Row = { class: 'otherMethod', text: 'Please contact your bank' };

/** By response code; one that is not here is a decline in general words. */
const rows: Readonly<Record<number, Row>> = {
  50: plain,
  55: { class: 'otherMethod', text: 'This card type is not accepted' },
  78: later,
  // Among them cards reported lost or stolen, which nobody may be told.
  421: { class: 'otherMethod', text: 'Your card was declined. Please use another card', final: true },
  438: plain,
  476: later,
  477: number,
  481: plain,
  482: {
    class: 'fixInput',
    text: 'Your credit card has expired. Please add a new one and try again',
  },
  483: callBank,
  484: callBank,
  487: checkCode,
  489: checkCode,
  490: checkCode,
};

/** Of the codes an issuer gives with 481 (do not honour, restricted, too many PINs), low funds alone may pass by themselves. */
const lowFunds = '51';

const rowOf = (code: number, iso: string | undefined): Row =>
  code === 481 && iso === lowFunds ? { class: 'retryLater', text: declined } : (rows[code] ?? plain);

/** A refusal's code, as `421/41`, and what is said of it. */
export function declineOf({ code, of }: Receipt): Decline {
  const iso = of('ISO');
  const row = rowOf(code ?? 0, iso);
  const shown = `${code ?? ''}`.padStart(3, '0');
  return { ...row, code: iso === undefined ? shown : `${shown}/${iso}` };
}

export const mismatchedCode: Decline = { ...checkCode, code: 'cvd/N' };

/** What became of a request that was answered by a receipt, whatever it was to do. */
export type Verdict =
  | { readonly is: 'approved' }
  | { readonly is: 'declined'; readonly why: Decline }
  /** It was not sent on: keys, a request that is not understood, a key that the vault does not know. */
  | { readonly is: 'refused'; readonly why: 'config' | 'invalid' | 'unknownKey'; readonly detail: string }
  /** The order id was used before, and what became of it is not in the answer. */
  | { readonly is: 'duplicate' }
  | { readonly is: 'unclear'; readonly detail: string };

/** One line for each documented combination; all others are `unclear`, never a decline. */
export function verdictOf(receipt: Receipt): Verdict {
  const { code, of, isComplete } = receipt;
  const detail = inBrief(receipt);
  const message = messageOf(of('Message')).toLowerCase();
  if (of('TimedOut') === 'true' || code === 113 || code === 986) return { is: 'unclear', detail };
  if (code === undefined) {
    if (of('ResponseCode') !== undefined || of('Complete') !== 'false') return { is: 'unclear', detail };
    if (message.includes('duplicate order id')) return { is: 'duplicate' };
    const isKeys = message.includes('token mismatch') || message.includes('store id');
    const isCorresponding = message.includes('corresponds to the store');
    return { is: 'refused', why: isKeys && !isCorresponding ? 'config' : 'invalid', detail };
  }
  if (code < 50) return isComplete ? { is: 'approved' } : { is: 'unclear', detail };
  if (isUnknownKey(receipt)) return { is: 'refused', why: 'unknownKey', detail };
  if (code === 987 || code === 988) return { is: 'refused', why: 'invalid', detail };
  return { is: 'declined', why: declineOf(receipt) };
}

/** Last character of the answer to a security code: `N` did not match. */
export const codeResultOf = ({ of }: Receipt): string | undefined => of('CvdResultCode')?.slice(-1);

/** What a purchase came to. @param state replaces the stored one with what refunds need. */
export function outcomeOf(receipt: Receipt, charge: Charge, sent: GatewayState): Outcome {
  const verdict = verdictOf(receipt);
  switch (verdict.is) {
    case 'approved':
      return approvedOutcome(receipt, charge, sent);
    case 'declined':
      return { is: 'declined', why: verdict.why, remote: remoteId(charge.ref) };
    case 'refused':
      return {
        is: 'notAttempted',
        why: verdict.why === 'unknownKey' ? 'methodGone' : verdict.why,
        detail: verdict.detail,
      };
    case 'duplicate':
      return {
        is: 'unknown',
        evidence: 'the order id was used before; what became of it is not told',
        state: sent,
        needsPerson: true,
      };
    case 'unclear':
      return { is: 'unknown', evidence: verdict.detail, state: sent };
  }
}

function approvedOutcome(receipt: Receipt, charge: Charge, sent: GatewayState): Outcome {
  const { of } = receipt;
  const transaction = of('TransID');
  const amount = of('TransAmount') ?? '';
  const isOurs = of('ReceiptId') === charge.ref;
  if (!isOurs || transaction === undefined || !/^\d{1,7}\.\d\d$/.test(amount))
    return {
      is: 'unknown',
      evidence: `approved, with another order, amount or no id: ${inBrief(receipt)}`,
      state: sent,
    };
  const results = { avs: of('AvsResultCode'), code: codeResultOf(receipt) };
  const known = Object.entries(results).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return {
    is: 'succeeded',
    remote: remoteId(charge.ref),
    captured: parseMoney(amount, charge.amount.currency),
    state: {
      ...sent,
      order: charge.ref,
      transaction,
      at: charge.sentAt.toISOString(),
      ...Object.fromEntries(known),
    },
  };
}

/** What a status check tells: the original's own receipt, or that it is not known now, which proves nothing. */
export function foundBy(receipt: Receipt, charge: Charge, sent: GatewayState): LookupResult {
  const status = receipt.of('status_code');
  const isKnown = /^\d{1,3}$/.test(status ?? '') && Number(status) < 50;
  if (!isKnown) return { is: 'absent', proven: false };
  const found = outcomeOf(receipt, charge, sent);
  return found.is === 'notAttempted' ? { is: 'inconclusive', why: found.detail } : found;
}
