/** What Nexio's sandbox stores and checks, from its documentation; what the provider does not publish is marked so. */
import { constants, createPrivateKey, createPublicKey, privateDecrypt } from 'node:crypto';
import { parseMoney } from '@counterfoil/domain/money/money.ts';
import type { SandboxHost } from '@counterfoil/sandbox/gateway-sandbox.ts';
import { passesLuhn } from '@counterfoil/sandbox/pages/card-frame/card-rules.ts';
import type { Answer } from '@counterfoil/sandbox/requests/exchange.ts';
import type { Turn } from '@counterfoil/sandbox/turn.ts';

export const gateway = 'nexio';

export type Json = Readonly<Record<string, unknown>>;

// ---- What is stored ----

/** A one-time token with what was said when it was made. */
export interface Otu {
  readonly account: string;
  readonly until: number;
  readonly isUsed: boolean;
  readonly data: Json;
  readonly options: Json;
}
/** Nothing is made of the number beside its first and last digits: a hash of it would give it away. */
export interface Card {
  readonly token: string;
  readonly account: string;
  readonly merchantId: string;
  readonly firstSix: string;
  readonly lastFour: string;
  readonly cardType: string | null;
  readonly month: string;
  readonly year: string;
  readonly holder: string;
  readonly customer: Json;
  readonly at: number;
}
export interface Bank {
  readonly token: string;
  readonly account: string;
  readonly routingNumber: string;
  readonly lastFour: string;
  readonly holder: string;
  readonly customer: Json;
}
export interface Txn {
  /** The payment's id, an opaque text. */
  readonly id: string;
  /** The transaction's, a number. */
  readonly number: number;
  readonly account: string;
  readonly merchantId: string;
  readonly isBank: boolean;
  readonly type: 'sale' | 'auth' | 'refund';
  /** As the reporting calls have it; null while the card's bank asks the payer. */
  readonly status: number | null;
  readonly minor: number;
  readonly currency: string;
  readonly customer: Json;
  readonly at: number;
  readonly settlesAt: number;
  readonly refunded: number;
  readonly original?: number;
  readonly lastFour: string;
  readonly redirectTo?: string;
}

export const recordsOf = (host: SandboxHost) => ({
  otus: host.store.collection<Otu>('nexio/otu'),
  cards: host.store.collection<Card>('nexio/card'),
  banks: host.store.collection<Bank>('nexio/bank'),
  txns: host.store.collection<Txn>('nexio/txn'),
});

// ---- Rules ----

/** Test merchant ids. Any other is not enabled for processing. */
const merchantIds: ReadonlySet<string> = new Set(['300100', '300200']);
/** A new transaction is shown to nobody for so long, milliseconds: the provider says up to a minute. */
export const SHOWN_AFTER_MS = 30_000;
/** A bank takes days; here it is done when the payer has put the kettle on. */
export const BANK_MS = 5_000;
export const OTU_MS = 60 * 60_000;

/** The mock gateway settles at 05:00 UTC of the next day. */
export function nextSettlement(now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1, 5);
}

/** What amounts do by their last two digits; of this sandbox, for the provider publishes none. */
export const byCents: Readonly<Record<number, string>> = {
  51: 'Insufficient funds',
  5: 'Do not Honor',
  4: 'Pickup Card',
};
/** 408 after the payment was recorded; no answer at all. */
export const GATEWAY_TIMEOUT_CENTS = 8;
export const SILENT_CENTS = 9;
/** With 3-D Secure switched on, the card's bank asks. */
export const CHALLENGE_CENTS = 3;
/** The postal code that the connected gateway declines. */
export const DECLINED_POSTAL = '46282';

export const statusNames: Readonly<Record<number, string>> = {
  10: 'pending',
  11: 'authOnly',
  20: 'settled',
  30: 'declined',
  39: 'voidPending',
  40: 'voided',
  50: 'error',
};

const types: readonly (readonly [RegExp, string])[] = [
  [/^4/, 'visa'],
  [/^(5[1-5]|2[2-7])/, 'mastercard'],
  [/^3[47]/, 'amex'],
  [/^35/, 'jcb'],
  [/^(6011|64|65)/, 'discover'],
];
export const typeOf = (number: string): string | null =>
  types.find(([first]) => first.test(number))?.[1] ?? null;

// ---- Encryption ----

/** The private half of this sandbox's own key, which opens nothing else. */
const privateKey = createPrivateKey({
  key: Buffer.from(
    [
      'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCm9HPtVgCJ9WbQ3oRP0XrVYVO9XFtHJYKbW17Ud4btRsDiPRhy',
      'jHV/eZHh5Ig7Uw7yw9l8+XcJ/JzPc3ydpazj9lbRlsXICDkziyHFOsBasD8ObLLk37eMiBYtVKhjnyh4FKjZUT+RIoVHrnQh3kCb',
      '5CR/rcnrGnEXWv+c/Lo3qublwrZFPAAdI+6v8vnSH9U6np4npdDDxqjcwmSeUTfPo0GaM9pYspLb0Ycgclhbqo90Lxlto9aiXvjR',
      '0siSL7ARrav2fcOjzyiGo4yMovGKKc8ZLbiZqCn/h2W6k6L4TZtGe1Mxe3eDwiAiY2mb1eeunqyr00QcEqvwsw6LGsQBAgMBAAEC',
      'ggEAAhg8kRx8Xr69tr6n9dFow18YfB55xbN+h0D2+F70iisSVfRSx3MkMUB++FDT9byVyi1zX9pIaE9rTz4BcP/oYqbPUYtc+WTD',
      'BPbIqm8RhUHDVMS/3NfCt4hokNKIV1GiohkOQkW+8Kz4c50Id3lQobQT0idFyoWXKCYb4WYZVwPwdc2pe/S2QYNperUb+1jDP8A8',
      'P7tI75GvjaoYoKT39qlBluJbeAsScaqkEdWgHh2gFRMBdvep8xZ+a5GxnFzaOHgKzMUG5+G385YezAapaMlVyOwjgSjIRFwe4vht',
      'lcaKHLT73HTwXLkYIB3CiYpnas++eOLS4uWA3K/deucwzQKBgQDbXGXoXPPYCE12LnSGqrR2Tce6tm59GwaknYX2LS63O/7UH3Sl',
      'x/ar0bAVhIoOtzHqJiyN9barsgxHBpnjesDak8CyIeR9NLNlmbONT4X8C1f0WoPoR+2jICf0518d6rN7u5ACdsjdvgJtY/XFpzEQ',
      'j+oVjC/0dcQnXcWXYRjLfQKBgQDC1zzNZ1NgcRkZlmdt8+Tradj9cxLZCU5C34evXALyBSKtGt7aJt2IAZ7DRAxrCVkPkMPgFWzD',
      '9lV+exgl6SHoJm9YEdTDswUV4Xkt0QNLIVdlwZEpqLymvaCXA4VLoAyTcLyXz7KURgjpFcuKLSup/HxOEtvQAlefNk+QTJdZ1QKB',
      'gQDEr/2kMqxl+VPTcuYC1c9IAIfk76z0OiZjteanDG5F1+KvOqEyALE58KNtN9E+Tp7P73iltTscimId0VpssOV5V2BBmMgyR+3P',
      'XNi1DSf7DgTIUdzSiqQWTz/khQ0xWv+iI1SGERIcWUH96dI2bqo8yn2+4lshW/MMxTTlfidoVQKBgEpCYogew2ZUdK6N5mm/tRYM',
      'R4mBnENgCpXuP/aT6QN49ZhoT1txyKkXhP0DKIB7FZibIix7vfKKJleIbtG0Ixop2/IDCcZ0qpGGV/sgWFMAKCE+PydTimM6jsQ/',
      'sUP7gg+HvjlWDcf5UVgU2HiXcrbc5juTcHe9DMw/lN94cY7pAoGAZAcuEDNriDd7PR23Hb8nK17LS0xx33fuuJSwkGU3UgkbD6TO',
      'ajakXVkPar85XAIPfRosm5zGi8KNNwIum+BZkaQZOnqDZi/e3W6uYKJI3/vda4HvBUUhfmpnxxVDuw59JUf1OJ1EdPnYoYb6YBPv',
      'TXlzPjqAPn/fZN3/QUl7QCY=',
    ].join(''),
    'base64',
  ),
  format: 'der',
  type: 'pkcs8',
});

/** Base64 of the public half, as the provider hands it out: SubjectPublicKeyInfo. */
export const publicKey = createPublicKey(privateKey)
  .export({ type: 'spki', format: 'der' })
  .toString('base64');

/** The digits of a ciphertext by RSAES-PKCS1-v1_5; undefined for what is none, e.g. made with another key. */
export function decrypted(ciphertext: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{342}==$/.test(ciphertext)) return undefined;
  try {
    // Newer OpenSSL gives random bytes for a wrong padding instead of a fault: it is taken off by hand.
    const key = { key: privateKey, padding: constants.RSA_NO_PADDING };
    const block = privateDecrypt(key, Buffer.from(ciphertext, 'base64'));
    const end = block.indexOf(0, 2);
    const digits = block.subarray(end + 1).toString('latin1');
    return block[0] === 0 && block[1] === 2 && end >= 10 && /^\d{4,19}$/.test(digits) ? digits : undefined;
  } catch {
    return undefined;
  }
}

// ---- Requests and refusals ----

/** A refusal in the service's own shape: HTTP 400 for almost anything, and what it is in `error`. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: Json;
  /** Something was recorded all the same. */
  isBegun: boolean;

  constructor(error: number, message: string, more: Json = {}, isBegun = false) {
    super(message);
    this.status = [401, 403, 404].includes(error) ? error : 400;
    this.body = Object.assign({ error, message }, more);
    this.isBegun = isBegun;
  }

  /** The same, where what was recorded before it stays. */
  begun(): this {
    this.isBegun = true;
    return this;
  }
}

export const json = (status: number, body: unknown): Answer => ({ status, body: JSON.stringify(body) });
export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
export const textIn = (body: Json, name: string): string | undefined => {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
export const need = (body: Json, name: string): string => {
  const value = textIn(body, name);
  if (value === undefined) throw new Refusal(400, `${name} is required`);
  return value;
};

/** Of options; those that name none have the first. */
export function merchantIn(options: Json): string {
  const id = String(options['merchantId'] ?? '300100');
  if (!merchantIds.has(id)) throw new Refusal(409, 'merchantId is not enabled for payment processing');
  return id;
}

/** Minor units of an amount: a JSON number in major units. Texts are refused; cents it could not tell from dollars. */
export function minorOf(value: unknown, currency: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw new Refusal(400, '"data.amount" must be a number');
  try {
    return Number(parseMoney(String(value), currency).minor);
  } catch {
    throw new Refusal(400, '"data.amount" has too many decimals');
  }
}

/** The number of a card that was encrypted, checked. */
export function cardNumberIn(card: Json): string {
  const number = decrypted(need(card, 'encryptedNumber'));
  if (number === undefined || !/^\d{12,19}$/.test(number) || !passesLuhn(number))
    throw new Refusal(400, 'The card number is not valid');
  return number;
}

/** Month and year of a card: texts, the year with two digits or four. Not over. */
export function expiryIn(card: Json, now: number): { readonly month: string; readonly year: string } {
  const [month, year] = [need(card, 'expirationMonth'), need(card, 'expirationYear')];
  if (!/^([1-9]|1[0-2])$/.test(month.replace(/^0/, '')) || !/^(20)?\d\d$/.test(year))
    throw new Refusal(400, 'The expiration date is not valid');
  const full = `20${year.slice(-2)}`;
  const at = new Date(now);
  if (Number(full) * 12 + Number(month) < at.getUTCFullYear() * 12 + at.getUTCMonth() + 1)
    throw new Refusal(400, 'The card has expired');
  return { month: month.replace(/^0/, ''), year: full };
}

export interface Call {
  readonly turn: Turn;
  readonly account: string;
  readonly body: Json;
  readonly query: URLSearchParams;
  readonly variables: readonly string[];
}
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation?: 'charge' | 'refund' | 'save' | 'find';
  /** The one-time token of its body is the credential. */
  readonly isOpen?: true;
  run(call: Call): Answer;
}
