import { Lru } from '../fonts/lru.ts';

/** A number as PDF writes it: at most two decimals, no exponent, no '-0'. */
export function num(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return rounded === 0 ? '0' : String(rounded);
}

const escapes: Record<string, string> = { '(': '\\(', ')': '\\)', '\\': '\\\\' };
const printable = /^[\x20-\x7e]*$/;

/** A text string of a dictionary (ISO 32000-1, 7.9.2.2): ASCII as it is, anything else as UTF-16 with a mark. */
export function textString(text: string): string {
  if (printable.test(text)) return `(${text.replace(/[()\\]/g, (char) => escapes[char] ?? char)})`;
  return `<feff${utf16Hex(text)}>`;
}

/** UTF-16 code units as hexadecimal digits. */
export function utf16Hex(text: string): string {
  let hex = '';
  for (let i = 0; i < text.length; i++) hex += text.charCodeAt(i).toString(16).padStart(4, '0');
  return hex;
}

/**
 * A date (7.9.4) in UTC.
 * @param iso ISO 8601; an unreadable one gives the epoch, so that a bad date never stops an invoice
 */
export function dateString(iso: string): string {
  return `(D:${isoOrEpoch(iso).replace(/[-:T]/g, '').slice(0, 14)}Z)`;
}

export function isoOrEpoch(iso: string): string {
  const time = Date.parse(iso);
  const isUsable = time >= 0 && time < Date.UTC(10_000, 0);
  return new Date(isUsable ? time : 0).toISOString();
}

const operands = new Lru<string, { readonly text: string }>(256);

/** '#rrggbb' as three operands between 0 and 1; anything else is black. */
export function colourOperands(colour: string): string {
  return operands.getOrMake(colour, () => {
    const digits = /^#([0-9a-f]{6})$/i.exec(colour)?.[1] ?? '000000';
    const channel = (at: number): string => {
      return String(Math.round((Number.parseInt(digits.slice(at, at + 2), 16) / 255) * 1000) / 1000);
    };
    return { text: `${channel(0)} ${channel(2)} ${channel(4)}` };
  }).text;
}
