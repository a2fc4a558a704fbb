/** Test data of BPOINT's sandbox, from the provider's page on test transactions; what is not there says so. */
import { brandOf } from '@counterfoil/sandbox/pages/card-frame/card-rules.ts';

/** Schemes as the service calls them, by the brand of the number. */
const schemes: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  diners: 'Diners',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
};

/** The scheme of a number, whichever it is: every number with a right check digit is taken. */
export const schemeOf = (number: string): string => schemes[brandOf(number).name] ?? 'Unknown';

const range = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => String(from + at).padStart(2, '0'));

const groups: Readonly<Record<string, readonly string[]>> = {
  '0': ['00', '08', '16'],
  '3': ['68'],
  '4': ['33', '54'],
  '5': ['51'],
  '2': range(1, 7).concat([
    '14',
    '15',
    '19',
    '25',
    '31',
    '34',
    '36',
    '39',
    '41',
    '43',
    '59',
    '61',
    '65',
    '90',
    '91',
    '92',
    '98',
    '99',
  ]),
};

/** The group of a bank's code; a code in none is `1`, declined. */
export function groupOf(bank: string): string {
  const found = Object.entries(groups).find(([, codes]) => codes.includes(bank));
  return found?.[0] ?? '1';
}

const texts: Readonly<Record<string, string>> = {
  '0': 'Approved',
  '1': 'Declined - contact bank',
  '2': 'Declined',
  '3': 'No reply from bank',
  '4': 'Expired card',
  '5': 'Insufficient funds',
};
export const textOf = (code: string): string => texts[code] ?? 'Declined';

/** The amount whose answer takes 50 seconds. */
export const SLOW_MINOR = 11_199;
/** References that make the sandbox behave badly; not of the provider. */
export const BAD = { timeout: 'SIM-TIMEOUT', down: 'SIM-DOWN', html: 'SIM-HTML' } as const;
