import { passesLuhn } from '@counterfoil/domain/paying/card.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import { AppError } from '../../app-error.ts';

/** 14 to 19 digits of a card scheme, blanks and dashes between them allowed. */
const CARD = /(?<!\d)[2-6](?:[ -]?\d){13,18}(?!\d)/g;
/** Country, check digits and 11 to 30 characters, in groups or not (ISO 13616); after `_` stands a token's own part. */
const IBAN = /(?<![A-Z0-9_])[A-Z]{2}\d{2}(?: ?[A-Z0-9]){11,30}(?![A-Z0-9])/gi;
/** More digits in a row than any name has. */
const ACCOUNT = /\d(?:[ -]?\d){5,}/;

/** Whether a text holds what reads like a card number. */
export function holdsCardNumber(text: string): boolean {
  return [...text.matchAll(CARD)].some(([digits]) => passesLuhn(digits.replace(/\D/g, '')));
}

/** Whether a text holds an IBAN. */
export function holdsIban(text: string): boolean {
  return [...text.matchAll(IBAN)].some(([match]) => {
    const iban = match.replaceAll(' ', '').toUpperCase();
    let rest = 0;
    for (const char of iban.slice(4) + iban.slice(0, 4))
      for (const digit of String(Number.parseInt(char, 36))) rest = (rest * 10 + Number(digit)) % 97;
    return rest === 1;
  });
}

/** Whether a person's name holds digits as an account number does. */
export const holdsAccountNumber = (name: string): boolean => ACCOUNT.test(name);

/** Members that hold random texts of ours. */
const ownTokens: ReadonlySet<string> = new Set(['uid', 'reqUid']);

/**
 * Random texts read like numbers now and then: one id in a thousand like a card's, one `Idempotency-Key` of the portal (32
 * hexadecimal digits) in a thousand like an IBAN, one link in ten thousand.
 */
const isOurRandom = (name: string, value: string): boolean =>
  isId(value) || ownTokens.has(name) || (name === 'idempotency-key' && /^[0-9a-f]{32}$/.test(value));

type Members = Readonly<Record<string, unknown>>;

/**
 * Refuses a raw card, whatever else the call says: no gateway here takes one by our server (ADR 0005). Nothing of it is
 * stored, hashed or logged; the refusal names the member. An empty member is none.
 * @throws {AppError} `payment.rawCard`
 */
export function refuseRawCard(members: Members): void {
  for (const path of ['cardNumber', 'expirationDate', 'cardCode', 'cvc']) {
    const value = members[path];
    if (value !== undefined && value !== null && value !== '')
      throw new AppError('payment.rawCard', { fields: [{ path, message: 'is not taken' }] });
  }
}

/**
 * Refuses a card number or an IBAN in a member that is for something else, before anything of it is stored, hashed, sent
 * on or logged: this server takes tokens of the provider only. The refusal names the member, never its content.
 * @throws {AppError} `request.invalid`
 */
export function refuseCardNumbers(members: Members, path: readonly string[] = []): void {
  for (const [name, value] of Object.entries(members)) {
    const here = [...path, name];
    if (typeof value === 'string' && isOurRandom(name, value)) continue;
    if (typeof value === 'string' && holdsCardNumber(value)) throw refusal(here, 'a card number');
    if (typeof value === 'string' && holdsIban(value)) throw refusal(here, 'an account number');
    if (typeof value === 'object' && value !== null) refuseCardNumbers({ ...value }, here);
  }
}

/**
 * The same, and account numbers in names: they have no check digit, but no name has so many digits.
 * @param names members that hold people's names
 * @throws {AppError} `request.invalid`
 */
export function refuseNumbers(members: Members, names: readonly string[]): void {
  refuseCardNumbers(members);
  for (const name of names) {
    const value = members[name];
    if (typeof value === 'string' && holdsAccountNumber(value)) throw refusal([name], 'an account number');
  }
}

const refusal = (path: readonly string[], what: string): AppError =>
  new AppError('request.invalid', { fields: [{ path: path.join('.'), message: `holds ${what}` }] });
