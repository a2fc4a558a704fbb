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

/** Bytes as text (base64, base64url, hexadecimal, compact JWE), so many that they are no number with something around it. */
const BYTES_AS_TEXT = /^[A-Za-z0-9+/=_.-]{128,}$/;
/** How many different characters 128 random ones of 16 have, but for one in some thousands of millions. */
const CHARACTERS = 13;

/**
 * What a page has encrypted reads like an IBAN in one of some thousand ciphertexts, in hexadecimal digits like a card number in one
 * of a hundred. Random bytes have all characters of their alphabet; a number that was filled up to that length does not.
 */
const isCiphertext = (value: string): boolean =>
  BYTES_AS_TEXT.test(value) && /[A-Za-z].*[A-Za-z]/.test(value) && new Set(value).size >= CHARACTERS;

type Members = Readonly<Record<string, unknown>>;

/**
 * Refuses a card number or an IBAN in a member that is for something else, before anything of it is stored, hashed, sent
 * on or logged. The refusal names the member, never its content. Numbers that are taken (`http/numbers/`) are no text here.
 * @throws {AppError} `request.invalid`
 */
export function refuseCardNumbers(members: Members, path: readonly string[] = []): void {
  for (const [name, value] of Object.entries(members)) {
    const here = [...path, name];
    if (typeof value === 'string' && (isOurRandom(name, value) || isCiphertext(value))) continue;
    if ((typeof value === 'string' || typeof value === 'number') && holdsCardNumber(String(value)))
      throw refusal(here, 'a card number');
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
