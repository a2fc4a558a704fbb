/** BPOINT's protocol as its documentation describes it: what is stored, how a refusal looks, how a method is read. */

import { passesLuhn } from '@counterfoil/sandbox/pages/card-frame/card-rules.ts';
import type { Answer } from '@counterfoil/sandbox/requests/exchange.ts';
import type { Turn } from '@counterfoil/sandbox/turn.ts';
import { schemeOf } from './sandbox-data.ts';

export const gateway = 'bpoint';
export const api = '/bpoint/rest/v5';

export type Json = Readonly<Record<string, unknown>>;

export interface Method {
  readonly token?: string;
  readonly card?: { number: string; expiry: { month: string; year: string }; name: string; scheme: string };
  readonly bank?: { bsb: string; account: string; name: string };
  /** What the test data says the bank answers, whatever the amount. */
  readonly bankCode?: string;
  readonly cvn?: string;
}
export interface AuthKey {
  readonly of: 'txns' | 'tokens';
  readonly account: string;
  readonly until: number;
  readonly details?: Json;
  readonly method?: Method;
  readonly token?: string;
  readonly used?: boolean;
}
export interface Token {
  readonly token: string;
  readonly account: string;
  readonly crn1: string;
  readonly emailAddress: string | null;
  readonly method: Method;
}
export interface Txn extends Json {
  readonly txnNumber: string;
  readonly account: string;
  readonly action: string;
  readonly merchantReference: string | null;
  readonly crn1: string;
  readonly amount: number;
  readonly currency: string;
  readonly responseCode: string;
  readonly refunded: number;
  readonly at: number;
}

/** A refusal in the service's own shape. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;

  constructor(status: number, code: string, message: string, field?: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }

  get body(): Json {
    const detail = { code: 'Mandatory', message: this.message, field: this.field };
    return { code: this.code, message: this.message, details: this.field === undefined ? [] : [detail] };
  }
}
export const invalidField = (field: string, message: string) =>
  new Refusal(400, 'InvalidFields', message, field);
export const invalidFlow = (message: string) => new Refusal(400, 'InvalidFlow', message);
export const notFound = () => new Refusal(404, 'NotFound', 'It was not found');

export const json = (status: number, body: unknown): Answer => ({
  status,
  body: body === undefined ? '' : JSON.stringify(body),
});
export const textIn = (body: Json, name: string): string | undefined => {
  const value = body[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
export const need = (body: Json, name: string): string => {
  const value = textIn(body, name);
  if (value === undefined) throw invalidField(name, `${name} must be given`);
  return value;
};
export const object = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};

export const masked = (number: string): string => `${number.slice(0, 6)}...${number.slice(-3)}`;

/** Reads the method a browser attaches; the number is forgotten here. */
export function readMethod(body: Json): Method {
  if (body['card'] !== undefined) {
    const card = object(body['card']);
    const number = need(card, 'number').replaceAll(/[ -]/g, '');
    const { month, year } = object(card['expiry']);
    if (!passesLuhn(number) || !/^\d{13,19}$/.test(number))
      throw invalidField('card.number', 'The card number is not valid');
    if (!/^\d{2}$/.test(String(month)) || !/^\d{2}$/.test(String(year)))
      throw invalidField('card.expiry', 'The expiry date is not valid');
    const forced = month === '99' ? String(year) : card['cvn'] === '987' ? '05' : undefined;
    return {
      card: {
        number: masked(number),
        expiry: { month: String(month), year: String(year) },
        name: textIn(card, 'name') ?? '',
        scheme: schemeOf(number),
      },
      ...(forced === undefined ? {} : { bankCode: forced }),
      ...(card['cvn'] === undefined ? {} : { cvn: card['cvn'] === '987' ? 'N' : 'M' }),
    };
  }
  const bank = object(body['bank']);
  const bsb = need(bank, 'bsb').replaceAll(/[ -]/g, '');
  const account = need(bank, 'account');
  if (!/^\d{6}$/.test(bsb)) throw invalidField('bank.bsb', 'The BSB is not valid');
  if (!/^\d{1,10}$/.test(account)) throw invalidField('bank.account', 'The account number is not valid');
  return { bank: { bsb, account: `...${account.slice(-3)}`, name: need(bank, 'name') } };
}

export const shown = ({ token, card, bank }: Method) => ({
  token: token ?? null,
  card: card ?? null,
  bank: bank ?? null,
});

export interface Call {
  readonly turn: Turn;
  readonly account: string;
  readonly body: Json;
  readonly variables: readonly string[];
}
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation?: 'charge' | 'refund' | 'save' | 'find';
  /** The auth key is the browser's credential. */
  readonly browser?: true;
  run(call: Call): Answer;
}
