import {
  type CurrencyCode,
  currencyExponent,
  isCurrencyCode,
  parseMoney,
} from '@counterfoil/domain/money/money.ts';
import { parseRate, RATE_DECIMALS, type Rate } from '@counterfoil/domain/money/rate.ts';
import { tryParse } from '@counterfoil/domain/result.ts';
import { type Day, isDay } from '@counterfoil/domain/time/dates.ts';
import type { XmlElement } from '../text/xml.ts';

/** Component libraries of UBL 2.1 (OASIS UBL 2.1, section 3) and of CII (UN/CEFACT D16B), by the prefixes used for them. */
const namespaces: Readonly<Record<string, string>> = {
  cac: 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
  cbc: 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
  rsm: 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100',
  ram: 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100',
  qdt: 'urn:un:unece:uncefact:data:standard:QualifiedDataType:100',
  udt: 'urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100',
};

/** Longest text taken from one element. Names of 200 characters are real; a megabyte of name is not. */
const maxTextLength = 10_000;
/** Digits before the point of an amount: with up to three decimals below what passes through every later step exactly. */
const maxMoneyDigits = 12;
/** Digits before the point of a quantity or price: numeric(18,6). */
const maxWholeDigits = 12;

/** The document cannot be taken. Caught in `readXmlInvoice`; never leaves this feature. */
export class DocumentFault extends Error {
  readonly line: number;
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

interface Step {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
}

/** Paths that were taken apart: there are as many as are written in this feature. */
const paths = new Map<string, readonly Step[]>();

function stepsOf(path: string): readonly Step[] {
  const known = paths.get(path);
  if (known !== undefined) return known;
  const steps = path.split('/').map((step) => {
    const [library = '', name] = step.split(':');
    return { namespace: namespaces[library], name };
  });
  paths.set(path, steps);
  return steps;
}

/**
 * The elements at a path of names.
 * @param path one name, or several parted by '/', each with the prefix of its library
 */
export function all(from: XmlElement, path: string): readonly XmlElement[] {
  let found: readonly XmlElement[] = [from];
  for (const { namespace, name } of stepsOf(path)) {
    const next: XmlElement[] = [];
    for (const element of found)
      for (const child of element.children)
        if (child.name === name && child.namespace === namespace) next.push(child);
    found = next;
  }
  return found;
}

/** The first element at a path, or undefined. */
export function first(from: XmlElement, path: string): XmlElement | undefined {
  return all(from, path)[0];
}

/** The text at a path, or null where there is none or it is empty. @throws {DocumentFault} when it is far too long */
export function textAt(from: XmlElement, path: string): string | null {
  const element = first(from, path);
  return element === undefined ? null : textOf(element);
}

/** An element's text, or null where it is empty. */
export function textOf(element: XmlElement): string | null {
  if (element.text.length > maxTextLength) {
    throw new DocumentFault(element.line, `${element.name} is longer than ${maxTextLength} characters`);
  }
  return element.text === '' ? null : element.text;
}

/** The texts of all elements at a path that have one. */
export function textsAt(from: XmlElement, path: string): readonly string[] {
  return all(from, path).flatMap((element) => textOf(element) ?? []);
}

/** The text at a path that must be there. */
export function requiredText(from: XmlElement, path: string): string {
  const text = textAt(from, path);
  if (text === null)
    throw new DocumentFault(first(from, path)?.line ?? from.line, `${nameOf(path)} is missing`);
  return text;
}

/** A day at a path, or null. A time zone after it says nothing about the day and is left out. */
export function dayAt(from: XmlElement, path: string): Day | null {
  const element = first(from, path);
  if (element === undefined || element.text === '') return null;
  return dayOf(element, element.text.replace(/(?:Z|[+-]\d{2}:\d{2})$/, ''));
}

/** A day that an element states. @param text as `YYYY-MM-DD`, made of what it holds */
export function dayOf(element: XmlElement, text: string): Day {
  if (isDay(text) && text > '1900' && text < '2200') return text;
  throw new DocumentFault(element.line, `${element.name} '${cut(element.text)}' is not a date`);
}

/** The document's currency, one this program knows the decimals of. */
export function currencyAt(from: XmlElement, path: string): CurrencyCode {
  const code = requiredText(from, path);
  if (!isCurrencyCode(code))
    throw new DocumentFault(first(from, path)?.line ?? from.line, `the currency '${cut(code)}' is not known`);
  return code;
}

/** An amount at a path in minor units, or null. @throws {DocumentFault} in another currency or with too many decimals */
export function amountAt(from: XmlElement, path: string, currency: CurrencyCode): bigint | null {
  const element = first(from, path);
  return element === undefined ? null : amountOf(element, currency);
}

/** The amount an element holds, in minor units. */
export function amountOf(element: XmlElement, currency: CurrencyCode): bigint {
  const stated = element.attributes.get('currencyID') ?? currency;
  if (stated !== currency) {
    throw new DocumentFault(
      element.line,
      `${element.name} is in ${cut(stated)} in a document in ${currency}`,
    );
  }
  const text = plain(element);
  if (text.replace(/^-|\..*$/g, '').length > maxMoneyDigits) {
    throw new DocumentFault(element.line, `${element.name} ${cut(text)} is too large`);
  }
  const parsed = tryParse(() => parseMoney(text, currency));
  if (!parsed.ok) {
    throw new DocumentFault(
      element.line,
      `${element.name} ${cut(text)} has more than the ${currencyExponent(currency)} decimals of ${currency}`,
    );
  }
  return parsed.value.minor;
}

/** An amount that must be there. */
export function requiredAmount(from: XmlElement, path: string, currency: CurrencyCode): bigint {
  const amount = amountAt(from, path, currency);
  if (amount === null) throw new DocumentFault(from.line, `${nameOf(path)} is missing`);
  return amount;
}

/** A quantity, price or percentage at a path, exact, or null. @throws {DocumentFault} with more digits than are kept */
export function rateAt(from: XmlElement, path: string): Rate | null {
  const element = first(from, path);
  if (element === undefined || element.text === '') return null;
  const text = plain(element);
  const parsed = tryParse(() => parseRate(text));
  if (!parsed.ok) {
    throw new DocumentFault(
      element.line,
      `${element.name} ${cut(text)} has more than ${RATE_DECIMALS} decimals`,
    );
  }
  if (text.replace(/^-|\..*$/g, '').length > maxWholeDigits) {
    throw new DocumentFault(element.line, `${element.name} ${cut(text)} is too large`);
  }
  return parsed.value;
}

/** xsd:decimal without plus sign, needless zeros or bare points: '+0.100' becomes '0.1'. */
function plain(element: XmlElement): string {
  const match = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/.exec(element.text);
  if (match === null || !/\d/.test(element.text) || element.text.length > 30) {
    throw new DocumentFault(element.line, `${element.name} '${cut(element.text)}' is not a number`);
  }
  const [, sign = '', whole = '', fraction = ''] = match;
  const digits = `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`;
  return sign === '-' && digits !== '0' ? `-${digits}` : digits;
}

function nameOf(path: string): string {
  return path.split('/').at(-1)?.slice(4) ?? path;
}

/** Shortens text for a message. */
export function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
