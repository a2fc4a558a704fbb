/**
 * The code lists that what we write can break. They are lists of a standard, cut to what bills of services use where the
 * standard has thousands; the published rules have the whole of them.
 */

const codes = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/).filter(Boolean));

/** UNTDID 1001 as Peppol takes them of invoices and of credit notes (P0100, P0101); 380 and 381 stand in for the others. */
export const typeCodes = {
  invoice: codes(
    '71 80 82 84 102 218 219 331 380 382 383 386 388 393 395 553 575 623 780 817 870 875 876 877',
  ),
  creditNote: codes('81 83 381 396 532'),
} as const;

/** UNTDID 5305 as EN 16931 takes them (BR-CL-17). */
export const taxCategories = codes('S Z E AE K G O L M');

/** UN/ECE Recommendation 20 (BR-CL-23): time, data, pieces, length, mass, volume, energy. */
export const unitCodes = codes(`
  C62 EA H87 NAR SET PR PK BX XBX XPK LS IE E48 E49 P1 ACT
  SEC MIN HUR DAY WEE MON ANN QAN DMT
  AD 2P 4L E34 E35 E36 A99 B10 B68 B80 C36 E20 E30
  MTR CMT MMT KMT FOT INH MTK LTR MLT MTQ HLT GRM KGM TNE
  KWH MWH WHR KWT JOU HTZ KHZ MHZ D10 D30 D40`);

/** Words for units as bills have them, in small letters. */
export const unitWords: Readonly<Record<string, string>> = {
  '': 'C62',
  each: 'EA',
  piece: 'H87',
  pieces: 'H87',
  pcs: 'H87',
  unit: 'C62',
  units: 'C62',
  call: 'C62',
  calls: 'C62',
  message: 'C62',
  messages: 'C62',
  sms: 'C62',
  event: 'C62',
  second: 'SEC',
  seconds: 'SEC',
  sec: 'SEC',
  s: 'SEC',
  minute: 'MIN',
  minutes: 'MIN',
  min: 'MIN',
  hour: 'HUR',
  hours: 'HUR',
  h: 'HUR',
  day: 'DAY',
  days: 'DAY',
  week: 'WEE',
  month: 'MON',
  months: 'MON',
  year: 'ANN',
  years: 'ANN',
  byte: 'AD',
  bytes: 'AD',
  kb: '2P',
  mb: '4L',
  gb: 'E34',
  tb: 'E35',
  kwh: 'KWH',
};

/** Electronic address scheme codes of Peppol (CL008). */
export const endpointSchemes = codes(`
  0002 0007 0009 0037 0060 0088 0096 0097 0106 0130 0135 0142 0147 0151 0154 0158 0170 0177 0183 0184 0188 0190 0191
  0192 0193 0194 0195 0196 0198 0199 0200 0201 0202 0203 0204 0205 0208 0209 0210 0211 0212 0213 0215 0216 0217 0218
  0221 0225 0230 0235 0240 9910 9913 9914 9915 9918 9919 9920 9922 9923 9924 9925 9926 9927 9928 9929 9930 9931 9932
  9933 9934 9935 9936 9937 9938 9939 9940 9941 9942 9943 9944 9945 9946 9947 9948 9949 9950 9951 9952 9953 9957 9959`);

/** Whether a code is of ISO 6523 as far as it is given out (BR-CL-11): four digits up to 0240. */
export const isIsoScheme = (scheme: string): boolean =>
  /^0[012]\d\d$/.test(scheme) && scheme >= '0002' && scheme <= '0240';

/** Where Peppol has rules of its own for sellers; of Germany, where the buyer is there too. */
export const countriesWithOwnRules = codes('DK GR IS IT NL NO SE');

const isoCountries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Whether a code is a country of ISO 3166-1. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !notCountries.has(code) && isoCountries.of(code) !== undefined;

/** What names of regions know beside countries. */
const notCountries = codes('AC CP CQ DG EA EU EZ IC TA UN XA XB QO ZZ');
