import { readLocal } from '../usage/record-time.ts';

/** Longest number, account code or context taken; exchanges themselves allow 80 characters. */
export const maxTextLength = 255;
/** Ten years in seconds: no call lasts longer, a counter gone wrong does. */
const maxSeconds = 315_360_000;

/** What forbids a value of this form, or null. */
export function faultOfColumn(
  text: string,
  form: 'local' | 'seconds' | 'text',
  mayBeEmpty: boolean,
): string | null {
  if (text === '' && mayBeEmpty) return null;
  if (form === 'local') return Number.isNaN(readLocal(text)) ? `'${cut(text)}' is not a date and time` : null;
  if (form === 'seconds') {
    const isSeconds = /^\d{1,9}$/.test(text) && Number(text) <= maxSeconds;
    return isSeconds ? null : `'${cut(text)}' is not a number of seconds`;
  }
  if (text === '') return 'is empty';
  return text.length > maxTextLength ? `longer than ${maxTextLength} characters` : null;
}

/** What PostgreSQL cannot hold, or was no text before it was read. */
export function faultOfText(text: string): string | null {
  if (text.includes('\0')) return 'contains a NUL byte';
  if (text.includes('\uFFFD')) return 'the bytes are not valid UTF-8';
  return text.isWellFormed() ? null : 'contains half a character';
}

/** A value as a message shows it. */
export const cut = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
