import { passesLuhn } from '@counterfoil/domain/paying/card.ts';
import { isId } from '@counterfoil/domain/text/ids.ts';
import { countrySpecs, isValidIBAN } from 'ibantools';
import { AppError } from '../../app-error.ts';

/** 14 to 19 digits of a card scheme, blanks and dashes between them allowed. */
const CARD = /(?<!\d)[2-6](?:[ -]?\d){13,18}(?!\d)/g;
/** Where an IBAN may begin: country and check digits; after `_` stands a token's own part. */
const IBAN_START = /(?<![A-Z0-9_])([A-Z]{2})\d{2}(?= ?[A-Z0-9])/gi;
/** Characters of an IBAN in groups or not, and no more after it. @param length as its country has it */
const ibanOf = (length: number): RegExp =>
  new RegExp(`^[A-Z0-9](?: ?[A-Z0-9]){${length - 1}}(?![A-Z0-9])`, 'i');
const ibans: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(countrySpecs).flatMap(([country, { chars }]) =>
    typeof chars === 'number' ? [[country, ibanOf(chars)] as const] : [],
  ),
);
/** More digits in a row than any name has. */
const ACCOUNT = /\d(?:[ -]?\d){5,}/;

/** Whether a text holds what reads like a card number. */
export function holdsCardNumber(text: string): boolean {
  return [...text.matchAll(CARD)].some(([digits]) => passesLuhn(digits.replace(/\D/g, '')));
}

/**
 * Whether a text holds an IBAN, among other words too. By remainder alone one address in a hundred that begins with two
 * letters and two digits ('MK17 Station Road') would be one: length and make-up of its country decide.
 */
export function holdsIban(text: string): boolean {
  return [...text.matchAll(IBAN_START)].some(({ 1: country = '', index }) => {
    const [iban] = ibans.get(country.toUpperCase())?.exec(text.slice(index)) ?? [];
    return iban !== undefined && isValidIBAN(iban.replaceAll(' ', '').toUpperCase());
  });
}

/** Whether a person's name holds digits as an account number does. */
export const holdsAccountNumber = (name: string): boolean => ACCOUNT.test(name);

/** Members that hold random texts of ours. */
const ownTokens: ReadonlySet<string> = new Set(['uid', 'reqUid']);

/**
 * Random texts read like numbers now and then: one id in a thousand like a card's, so some `Idempotency-Key` of the portal (32
 * hexadecimal digits) and some link.
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
