import { InvalidValue } from '../result.ts';
import { otherDecimals } from './decimals.ts';

declare const currencyCode: unique symbol;
/** An alphabetic ISO 4217 code in capitals that is in use today, such as 'EUR'. */
export type CurrencyCode = string & { readonly [currencyCode]: true };

/** Active ISO 4217 currencies by number of decimals. Precious metals, test and fund codes are left out. */
const codesByDecimals: Readonly<Record<number, string>> = {
  ...otherDecimals,
  2: `AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF
      CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG
      HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU
      MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR
      SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED
      VES WST XCD XCG YER ZAR ZMW ZWG`,
};

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(codesByDecimals).flatMap(([decimals, codes]) =>
    codes.split(/\s+/).map((code): [string, number] => [code, Number(decimals)]),
  ),
);

/** Whether the text is a currency code as we store it: capitals, in use. */
export const isCurrencyCode = (text: string): text is CurrencyCode => exponents.has(text);

/**
 * Reads a currency code; small letters are accepted because gateways write 'usd'.
 * @throws {InvalidValue} kind 'currency'
 */
export function parseCurrency(text: string): CurrencyCode {
  const code = /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : text;
  if (isCurrencyCode(code)) return code;
  throw new InvalidValue('currency', text, 'not an active ISO 4217 code');
}

/** Number of decimals of a currency: 2 for most, 0 for the likes of JPY, 3 for the likes of KWD. */
export function currencyExponent(code: CurrencyCode | string): number {
  const exponent = exponents.get(code);
  if (exponent === undefined) throw new InvalidValue('currency', code, 'not an active ISO 4217 code');
  return exponent;
}

/** All codes, for choice lists and tests. */
export const currencyCodes: readonly CurrencyCode[] = [...exponents.keys()].filter(isCurrencyCode);
