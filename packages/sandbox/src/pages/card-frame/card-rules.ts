/** What a card form knows about cards: brands, grouping, check digit, and the words for what is wrong. */

export type FieldName = 'number' | 'expiry' | 'cvc';

export interface FieldError {
  readonly type: 'validation_error';
  readonly code: string;
  readonly message: string;
}

interface Brand {
  readonly name: string;
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
  readonly groups: readonly number[];
  readonly cvcLength: 3 | 4;
}

const fours = [4, 4, 4, 7];
const brands: readonly Brand[] = [
  { name: 'visa', prefix: /^4/, lengths: [16], groups: fours, cvcLength: 3 },
  {
    name: 'mastercard',
    prefix: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/,
    lengths: [16],
    groups: fours,
    cvcLength: 3,
  },
  { name: 'amex', prefix: /^3[47]/, lengths: [15], groups: [4, 6, 5], cvcLength: 4 },
  { name: 'discover', prefix: /^(6011|64[4-9]|65)/, lengths: [16], groups: fours, cvcLength: 3 },
  { name: 'diners', prefix: /^(30[0-5]|3095|36|3[89])/, lengths: [14, 16], groups: fours, cvcLength: 3 },
  { name: 'jcb', prefix: /^35(2[89]|[3-8])/, lengths: [16], groups: fours, cvcLength: 3 },
  { name: 'unionpay', prefix: /^(62|81)/, lengths: [16, 17, 18, 19], groups: fours, cvcLength: 3 },
];
const unknownBrand: Brand = { name: 'unknown', prefix: /^/, lengths: [16], groups: fours, cvcLength: 3 };

export function brandOf(digits: string): Brand {
  return brands.find((brand) => brand.prefix.test(digits)) ?? unknownBrand;
}

export function digitsOf(text: string): string {
  return text.replace(/\D/g, '');
}

/** The number in the groups its brand prints on the card. */
export function formatNumber(text: string): string {
  const brand = brandOf(digitsOf(text));
  let rest = digitsOf(text).slice(0, Math.max(...brand.lengths));
  // Fourteen-digit Diners cards are printed 4-6-4.
  const groups = brand.name === 'diners' && rest.startsWith('36') ? [4, 6, 4] : brand.groups;
  const parts: string[] = [];
  for (const size of groups) {
    if (rest === '') break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.join(' ');
}

/** `MM / YY`; a first digit above 1 is a whole month, and a four-digit year from autofill is shortened. */
export function formatExpiry(text: string): string {
  // A slash after one digit ends the month.
  const single = /^\s*(\d)\s*\/\s*$/.exec(text);
  if (single !== null) return `0${single[1]} / `;
  const full = /^\s*(\d{1,2})\s*[/-]\s*(?:20)?(\d{2})\s*$/.exec(text);
  const typed = full === null ? digitsOf(text) : `${(full[1] ?? '').padStart(2, '0')}${full[2]}`;
  const digits = (/^[2-9]/.test(typed) ? `0${typed}` : typed).slice(0, 4);
  if (digits.length < 2) return digits;
  return digits.length === 2 ? `${digits} / ` : `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    sum += index % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2;
  }
  return sum % 10 === 0;
}

const problem = (code: string, message: string): FieldError => ({ type: 'validation_error', code, message });

export interface FieldState {
  readonly empty: boolean;
  readonly complete: boolean;
  /** What is wrong for certain, however the typing goes on. */
  readonly error?: FieldError;
  /** What is wrong if the typing stops here. */
  readonly unfinished?: FieldError;
}

export function stateOfNumber(text: string): FieldState {
  const digits = digitsOf(text);
  if (digits === '') return { empty: true, complete: false, unfinished: incomplete.number };
  const { lengths } = brandOf(digits);
  if (!lengths.includes(digits.length)) {
    const tooLong = digits.length > Math.max(...lengths);
    return tooLong
      ? { empty: false, complete: false, error: invalidNumber }
      : { empty: false, complete: false, unfinished: incomplete.number };
  }
  if (passesLuhn(digits)) return { empty: false, complete: true };
  return digits.length < Math.max(...lengths)
    ? { empty: false, complete: false, unfinished: invalidNumber }
    : { empty: false, complete: false, error: invalidNumber };
}

export function stateOfExpiry(text: string, now: Date): FieldState {
  const digits = digitsOf(text);
  if (digits === '') return { empty: true, complete: false, unfinished: incomplete.expiry };
  const month = Number(digits.slice(0, 2));
  if (digits.length >= 2 && (month < 1 || month > 12)) {
    return {
      empty: false,
      complete: false,
      error: problem('invalid_expiry_month', "Your card's expiration month is invalid."),
    };
  }
  if (digits.length < 4) return { empty: false, complete: false, unfinished: incomplete.expiry };
  const year = 2000 + Number(digits.slice(2, 4));
  if (year < now.getFullYear()) {
    return {
      empty: false,
      complete: false,
      error: problem('invalid_expiry_year_past', "Your card's expiration year is in the past."),
    };
  }
  if (year > now.getFullYear() + 50) {
    return {
      empty: false,
      complete: false,
      error: problem('invalid_expiry_year', "Your card's expiration year is invalid."),
    };
  }
  if (year === now.getFullYear() && month < now.getMonth() + 1) {
    return {
      empty: false,
      complete: false,
      error: problem('invalid_expiry_month_past', "Your card's expiration date is in the past."),
    };
  }
  return { empty: false, complete: true };
}

/** Digits of the security code; four while the brand is not known. */
export function cvcLengthOf(numberDigits: string): 3 | 4 {
  const brand = brandOf(numberDigits);
  return brand.name === 'unknown' ? 4 : brand.cvcLength;
}

export function stateOfCvc(text: string, numberDigits: string): FieldState {
  const digits = digitsOf(text);
  if (digits === '') return { empty: true, complete: false, unfinished: incomplete.cvc };
  const complete = numberDigits === '' ? digits.length >= 3 : digits.length === cvcLengthOf(numberDigits);
  if (complete) return { empty: false, complete: true };
  return { empty: false, complete: false, unfinished: incomplete.cvc };
}

export const invalidNumber = problem('invalid_number', 'Your card number is invalid.');
export const incomplete: Readonly<Record<FieldName, FieldError>> = {
  number: problem('incomplete_number', 'Your card number is incomplete.'),
  expiry: problem('incomplete_expiry', "Your card's expiration date is incomplete."),
  cvc: problem('incomplete_cvc', "Your card's security code is incomplete."),
};
