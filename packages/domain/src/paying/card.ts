/** Shown for an expiry date that cannot be used (specification, payments §5). */
export const EXPIRY_MESSAGE = 'Please provide valid date';
/** Last year an expiry date may have. */
export const LAST_EXPIRY_YEAR = 2070;

/** The number as it is sent: blanks of any kind removed. */
export const normaliseCardNumber = (text: string): string => text.replace(/\s+/g, '');

/** The number in the groups printed on the card: 4-6-5 for 15 digits, 4-6-4 for 14, else fours. */
export function formatCardNumber(text: string): string {
  const digits = normaliseCardNumber(text);
  const grouped = digits.length === 14 || digits.length === 15 ? /^(\d{4})(\d{6})(\d+)$/ : null;
  return grouped === null ? digits.replace(/(.{4})(?=.)/g, '$1 ') : digits.replace(grouped, '$1 $2 $3');
}

/** Why a card number cannot be used. */
export type CardNumberProblem = 'required' | 'notDigits' | 'tooShort' | 'tooLong' | 'checksum';

/**
 * Checks a card number. The specified 16 to 19 characters count it as it is shown, in groups: that admits the
 * 15-digit numbers whose CVC rule stands beside it ('3782 822463 10005' has 17). A number of 17 to 19 digits is
 * counted without its blanks.
 * @returns null when the number can be used
 */
export function cardNumberProblem(text: string): CardNumberProblem | null {
  const digits = normaliseCardNumber(text);
  if (digits === '') return 'required';
  if (!/^\d+$/.test(digits)) return 'notDigits';
  if (formatCardNumber(digits).length < 16) return 'tooShort';
  if (digits.length > 19) return 'tooLong';
  return passesLuhn(digits) ? null : 'checksum';
}

/** Check digit of ISO/IEC 7812-1. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return digits.length > 0 && sum % 10 === 0;
}

/** Month 1 to 12 and the full year. */
export interface Expiry {
  readonly month: number;
  readonly year: number;
}

/** The full year of a card: two digits are years of this century. */
export const fullYear = (year: number): number => (year >= 0 && year < 100 ? 2000 + year : year);

/** Reads 'MM / YY' or 'MM / YYYY', blanks free; null when it is neither or the month does not exist. */
export function parseExpiry(text: string): Expiry | null {
  const match = /^\s*(\d{2})\s*\/\s*(\d{2}|\d{4})\s*$/.exec(text);
  if (match === null) return null;
  const month = Number(match[1]);
  return month >= 1 && month <= 12 ? { month, year: fullYear(Number(match[2])) } : null;
}

/**
 * Brings what is typed, pasted or filled in ('1/30', '0130', '01/2030') into the form 'MM / YY' as far as it goes.
 * To be applied when text is added, not when it is deleted: the separator would come back at once.
 */
export function formatExpiry(text: string): string {
  const cleaned = text.replace(/[^\d/]/g, '');
  const [first = '', ...rest] = cleaned.split('/');
  const hasSlash = cleaned.includes('/');
  const needsZero = first.length === 1 && (hasSlash || Number(first) > 1);
  const digits = (needsZero ? `0${first}` : first) + rest.join('');
  const month = digits.slice(0, 2);
  const year = digits.slice(2, 6);
  if (month.length < 2 || (year === '' && !hasSlash)) return month;
  return `${month} / ${year.length === 4 ? year.slice(2) : year.slice(0, 2)}`;
}

/** Whether a card can no longer be used: it is valid through the last day (UTC) of its month. */
export function isExpired(month: number, year: number, now: Date): boolean {
  const full = fullYear(year);
  const currentYear = now.getUTCFullYear();
  return full < currentYear || (full === currentYear && month < now.getUTCMonth() + 1);
}

/**
 * Checks an expiry date as entered ('MM / YY', at least 7 characters): month 1 to 12, not past, not beyond 2070.
 * @returns the message to show, or null
 */
export function expiryProblem(text: string, now: Date): typeof EXPIRY_MESSAGE | null {
  const expiry = text.trim().length >= 7 ? parseExpiry(text) : null;
  if (expiry === null || expiry.year > LAST_EXPIRY_YEAR) return EXPIRY_MESSAGE;
  return isExpired(expiry.month, expiry.year, now) ? EXPIRY_MESSAGE : null;
}

/**
 * Checks the edit form, whose month (at most 2 digits) and year (4 digits) are fields of their own; same rules.
 * @returns the message to show, or null
 */
export function expiryFieldsProblem(month: string, year: string, now: Date): typeof EXPIRY_MESSAGE | null {
  const isWritten = /^\d{1,2}$/.test(month.trim()) && /^\d{4}$/.test(year.trim());
  return isWritten ? expiryProblem(`${month.trim().padStart(2, '0')} / ${year.trim()}`, now) : EXPIRY_MESSAGE;
}

/** The date as it is sent, 'YYYY-MM'; null when the text is no expiry date. */
export function expiryToWire(text: string): string | null {
  const expiry = parseExpiry(text);
  if (expiry === null) return null;
  return `${String(expiry.year).padStart(4, '0')}-${String(expiry.month).padStart(2, '0')}`;
}

/** Why a CVC cannot be used. */
export type CvcProblem = 'required' | 'notDigits' | 'length';

/**
 * Checks a CVC: 4 digits for a 15-digit number, else 3. While no number is entered, both lengths pass.
 * @returns null when the CVC can be used
 */
export function cvcProblem(cvc: string, number: string): CvcProblem | null {
  if (cvc === '') return 'required';
  if (!/^\d+$/.test(cvc)) return 'notDigits';
  const digits = normaliseCardNumber(number);
  if (digits === '') return cvc.length === 3 || cvc.length === 4 ? null : 'length';
  return cvc.length === (digits.length === 15 ? 4 : 3) ? null : 'length';
}
