import { isCurrencyCode, type Money, parseMoney } from '@counterfoil/domain/money/money.ts';
import { tryParse } from '@counterfoil/domain/result.ts';
import { type Day, isDay } from '@counterfoil/domain/time/dates.ts';
import { cut } from '../mappings/column-faults.ts';
import type { XmlElement } from '../text/xml.ts';

/** An element that cannot be taken. Caught in `readCamt`; never leaves this folder. */
export class CamtFault extends Error {
  readonly line: number;
  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}

/** The elements at a path of ISO 20022 names parted by '/', such as 'NtryDtls/TxDtls'. A message has one namespace. */
export function all(from: XmlElement, path: string): readonly XmlElement[] {
  let found: readonly XmlElement[] = [from];
  for (const step of path.split('/'))
    found = found.flatMap(({ namespace, children }) =>
      children.filter((child) => child.name === step && child.namespace === namespace),
    );
  return found;
}

export const first = (from: XmlElement, path: string): XmlElement | undefined => all(from, path)[0];

/** The text at the first of the paths that has one, or the empty text. */
export function textAt(from: XmlElement, ...paths: readonly string[]): string {
  for (const path of paths) for (const { text } of all(from, path)) if (text !== '') return text;
  return '';
}

/** Of an indicator of type `YesNoIndicator` (xs:boolean). */
export const isYes = (text: string): boolean => text === 'true' || text === '1';

/** Whether money came in (`CRDT`) or went out (`DBIT`). @throws {CamtFault} where it says neither */
export function signAt(from: XmlElement): 'credit' | 'debit' {
  const code = textAt(from, 'CdtDbtInd');
  if (code === 'CRDT') return 'credit';
  if (code === 'DBIT') return 'debit';
  throw new CamtFault(from.line, `CdtDbtInd is '${cut(code)}', neither CRDT nor DBIT`);
}

/** An amount with its currency (`ActiveOrHistoricCurrencyAndAmount`), exact. @throws {CamtFault} */
export function moneyOf(element: XmlElement): Money {
  const currency = element.attributes.get('Ccy') ?? '';
  if (!isCurrencyCode(currency))
    throw new CamtFault(element.line, `the currency '${cut(currency)}' is not known`);
  // xs:decimal also allows a sign and leaves digits out beside the point.
  const text = element.text.replace(/^\+/, '').replace(/^\./, '0.').replace(/\.$/, '');
  const read = tryParse(() => parseMoney(text, currency));
  if (!read.ok || read.value.minor < 0n)
    throw new CamtFault(element.line, `'${cut(element.text)}' is no amount of ${currency}`);
  return read.value;
}

/** The day of a `DateAndDateTimeChoice`, as the bank has written it, or undefined. @throws {CamtFault} */
export function dayAt(from: XmlElement, path: string): Day | undefined {
  const element = first(from, `${path}/Dt`) ?? first(from, `${path}/DtTm`);
  if (element === undefined) return undefined;
  const day = element.text.slice(0, 10);
  if (isDay(day) && day > '1900' && day < '2200') return day;
  throw new CamtFault(element.line, `'${cut(element.text)}' is no date`);
}

/** An account (`AccountIdentification4Choice`): an IBAN, else what the bank calls it; without blanks. */
export const accountAt = (from: XmlElement, path: string): string =>
  textAt(from, `${path}/Id/IBAN`, `${path}/Id/Othr/Id`, `${path}/Prxy/Id`).replaceAll(/\s/g, '').slice(0, 70);
