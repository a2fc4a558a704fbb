import type { Conformance, ConformanceCase, Shown } from '../cases/conformance.ts';

const shownIn =
  (name: string) =>
  (title: string): Shown => ({ file: `packages/gateways/src/bpoint/${name}.test.ts`, title });
/** By plain requests. */
const sandbox = shownIn('sandbox');
/** The translation alone. */
const wire = shownIn('wire');
const digits = sandbox('%s: %i comes to what its digits say');

type Row = readonly [what: string, ...shownBy: Shown[]];
const rows: readonly Row[] = [
  ['an auth key with good credentials', sandbox('1: answers 201 with an auth key')],
  ['a wrong password, and a login without its merchant number', sandbox('2: answers 401 to %s')],
  [
    'an auth key for a token, and its details with an empty answer',
    sandbox('3: takes details with an empty answer'),
  ],
  ['details without crn1 name it', sandbox('4: names the field that is missing')],
  ['an attached card becomes a token with three last digits', sandbox('5: shows a card by its first six')],
  ['nothing attached: InvalidFlow', sandbox('6: refuses to process before a method is attached')],
  ['processed twice: InvalidFlow, and one token', sandbox('7: a second time')],
  ['a bank account becomes a token', sandbox('8: takes a bank account')],
  ['a wrong check digit is named', sandbox('9: names what is wrong with a card')],
  ['another card behind the same token', sandbox('10: puts another card behind the same token')],
  ['a token is read, an unknown one is not', sandbox('11: knows no other')],
  ['tokens in pages', sandbox('12: lists them in pages')],
  ['a removed token cannot be attached', sandbox('13: a removed one cannot be attached')],
  ['4200 is approved', digits],
  ['4251: insufficient funds', digits],
  ['4254: expired', digits],
  ['4205: declined', digits],
  ['4208 and 4216 are approved', digits],
  ['expiry 99/33: expired', digits],
  ['security code 987: not matched, 05', digits],
  ['a slow one is carried out and found by its reference', sandbox('21: a slow one is carried out')],
  ['refunds up to the whole', sandbox('22: refunds in parts up to the whole')],
  ['a refund of what is unknown: PT_R1', sandbox('22: refunds in parts up to the whole')],
  ['reversals of the whole, once', sandbox('24: reverses the whole amount only')],
  ['no surcharge is sent', sandbox('25: takes no surcharge')],
  ['responseCode 6 is unknown', wire('%s')],
  ['a webhook address that is not https is refused', sandbox('27: no webhook that is not https')],
  ['no number, security code or password is kept', sandbox('30: keeps no number')],
];

export const conformance: Conformance = {
  judgedBy: 'Plain HTTP requests: the provider has no client for this language',
  cases: rows.map(([what, ...shownBy], at): ConformanceCase => ({ number: at + 1, what, shownBy })),
  unproven: [
    'All shapes, names and codes of v5, until they were run at the provider.',
    'How soon a search shows a transaction, and its filters.',
    'InvalidFlow for an auth key that was processed, and how long one lives.',
    'How a debit that the bank returns appears.',
    'The script in a browser, and its demands on the Content-Security-Policy.',
  ],
};
