import { SECOND_EACH, type Sizes } from './world.ts';

/** Something that a person types. */
export interface SearchCase {
  readonly name: string;
  /** @param n a number that the customer, invoice or item has; of one of the reseller's customers */
  readonly text: (n: number) => string;
  /** What n counts. */
  readonly of: keyof Sizes;
  /** Nothing begins so. */
  readonly isMiss?: true;
}

const NAMES = ['Harbour', 'Northline', 'Kauri', 'Tui', 'Rimu', 'Pacific', 'Summit'];
const nameOf = (n: number) => NAMES[n % NAMES.length] ?? '';
const number = (n: number) => `+6490${String(n).padStart(8, '0')}`;
const invoice = (n: number) => `INV-${String(n).padStart(9, '0')}`;

export const searchCases: readonly SearchCase[] = [
  { name: 'a name', of: 'customers', text: (n) => `${nameOf(n).toLowerCase()} ${n}` },
  { name: 'a name that a seventh has', of: 'customers', text: nameOf },
  { name: 'two letters', of: 'customers', text: (n) => nameOf(n).slice(0, 2) },
  { name: 'a word within a name', of: 'customers', text: (n) => `${n} limited` },
  { name: 'a word that all have', of: 'customers', text: () => 'limited' },
  { name: 'two words that many have', of: 'customers', text: (n) => `limited ${nameOf(n)}` },
  { name: 'a reference', of: 'customers', text: (n) => `C-${n}` },
  { name: 'an e-mail address', of: 'customers', text: (n) => `bills-${n}@customer.example` },
  {
    name: 'the beginning of e-mail addresses',
    of: 'customers',
    text: (n) => `person-${String(n).slice(0, 2)}`,
  },
  { name: 'a user’s name', of: 'customers', text: (n) => `Mia Person ${n}` },
  { name: 'an invoice number', of: 'invoices', text: invoice },
  { name: 'the beginning of invoice numbers', of: 'invoices', text: (n) => invoice(n).slice(0, 7) },
  { name: 'a line', of: 'items', text: number },
  { name: 'the beginning of lines', of: 'items', text: (n) => number(n).slice(0, 7) },
  { name: 'a miss', of: 'customers', text: (n) => `zz${n}`, isMiss: true },
  {
    name: 'a miss of three words',
    of: 'customers',
    text: (n) => `${nameOf(n)} limited zz${n}`,
    isMiss: true,
  },
];

let seed = 11;
/** Lehmer's generator: the same numbers in every run. @returns from 1 to most */
export function randomUpTo(most: number): number {
  seed = (seed * 48_271) % 2_147_483_647;
  return 1 + (seed % most);
}

/** The number of a customer of the large reseller or of the small one. */
export const ownCustomer = (most: number, isSmall: boolean): number => {
  const n = Math.max(SECOND_EACH, randomUpTo(most - SECOND_EACH));
  const rest = n % SECOND_EACH;
  if (isSmall) return n - rest;
  return rest === 0 ? n + 1 : n;
};
