import { endpointSchemes } from './codes.ts';
import type { EIdentifier } from './model.ts';

type Fault = { readonly rule: string; readonly text: string };

const digitsOf = (id: string): number[] => [...id].map(Number);

/** GS1: weights 3 and 1 from the right. */
function isGln(id: string): boolean {
  if (!/^\d+$/.test(id)) return false;
  const digits = digitsOf(id).reverse();
  const sum = digits.reduce((all, digit, at) => all + (at === 0 ? 0 : digit * (at % 2 === 1 ? 3 : 1)), 0);
  return (10 - (sum % 10)) % 10 === digits[0];
}

/** Norway: weights 2 to 7 from the right, modulo 11. */
function isNorwegian(id: string): boolean {
  if (!/^\d{9}$/.test(id)) return false;
  const digits = digitsOf(id);
  const sum = digits
    .slice(0, 8)
    .reduce((all, digit, at) => all + digit * ([3, 2, 7, 6, 5, 4, 3, 2][at] ?? 0), 0);
  return (11 - (sum % 11)) % 11 === digits[8];
}

/** Belgium: the last two digits are 97 less the rest of the first eight. */
const isBelgian = (id: string): boolean =>
  /^\d{10}$/.test(id) && 97 - (Number(id.slice(0, 8)) % 97) === Number(id.slice(8));

/** Sweden: Luhn over ten digits. */
function isSwedish(id: string): boolean {
  if (!/^\d{10}$/.test(id)) return false;
  const sum = digitsOf(id).reduce((all, digit, at) => {
    const part = at % 2 === 0 ? digit * 2 : digit;
    return all + (part > 9 ? part - 9 : part);
  }, 0);
  return sum % 10 === 0;
}

/** Australia: the first digit less one, weights 10, 1, 3, 5 …, modulo 89. */
function isAustralian(id: string): boolean {
  if (!/^\d{11}$/.test(id)) return false;
  const weights = [10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19];
  const sum = digitsOf(id).reduce(
    (all, digit, at) => all + (at === 0 ? digit - 1 : digit) * (weights[at] ?? 0),
    0,
  );
  return sum % 89 === 0;
}

/** Numberings whose numbers Peppol checks, by their scheme. */
const checks: Readonly<
  Record<string, readonly [rule: string, isRight: (id: string) => boolean, what: string]>
> = {
  '0088': ['PEPPOL-COMMON-R040', isGln, 'is no GLN'],
  '0192': ['PEPPOL-COMMON-R041', isNorwegian, 'is no Norwegian organisation number'],
  '0184': [
    'PEPPOL-COMMON-R042',
    (id) => /^DK\d{8}$/.test(id),
    'is no Danish CVR number (DK and eight digits)',
  ],
  '0208': ['PEPPOL-COMMON-R043', isBelgian, 'is no Belgian enterprise number'],
  '0007': ['PEPPOL-COMMON-R049', isSwedish, 'is no Swedish organisation number'],
  '0151': ['PEPPOL-COMMON-R050', isAustralian, 'is no Australian business number'],
};

/** What is wrong with an electronic address, or null. */
export function faultOfEndpoint({ scheme, id }: EIdentifier): Fault | null {
  if (!endpointSchemes.has(scheme))
    return { rule: 'PEPPOL-EN16931-CL008', text: `has the scheme '${scheme}', which Peppol does not know` };
  const check = checks[scheme];
  if (check === undefined) return null;
  const [rule, isRight, what] = check;
  return isRight(id) ? null : { rule, text: `${scheme}:${id} ${what}` };
}
