import type { Paper } from '../pdf/letter/letter.ts';

/** Where letters are US Letter (Unicode CLDR, `paperSize`), with the territories that follow the United States. */
const LETTER_COUNTRIES = new Set([
  'BZ',
  'CA',
  'CL',
  'CO',
  'CR',
  'GT',
  'MX',
  'NI',
  'PA',
  'PH',
  'PR',
  'SV',
  'US',
  'VE',
  'AS',
  'GU',
  'MP',
  'UM',
  'VI',
]);

/** The paper of a customer's country, ISO 3166-1 alpha-2; A4 where none is known. */
export const paperFor = (country: string | null | undefined): Paper =>
  LETTER_COUNTRIES.has((country ?? '').trim().toUpperCase()) ? 'usLetter' : 'a4';

const names = new Intl.DisplayNames('en', { type: 'region' });

/** 'AU' is 'Australia'; what is no code stays as it is. */
export function countryName(country: string): string {
  const code = country.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(code) ? (names.of(code) ?? country) : country;
}
