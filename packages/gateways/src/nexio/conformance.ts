import type { Conformance, ConformanceCase, Shown } from '../cases/conformance.ts';

const shownIn =
  (name: string) =>
  (title: string): Shown => ({ file: `packages/gateways/src/nexio/${name}.test.ts`, title });
/** By plain requests. */
const sandbox = shownIn('sandbox');
/** The translation alone. */
const wire = shownIn('wire');
/** The adapter against the sandbox. */
const gateway = shownIn('gateway');

type Row = readonly [what: string, ...shownBy: Shown[]];
const rows: readonly Row[] = [
  ['a one-time token lives about an hour', sandbox('1: makes a token that lives an hour')],
  ['a wrong password', sandbox('2: refuses a wrong password')],
  ['a card is saved without credentials', sandbox('3: saves a card without credentials')],
  ['the same one-time token again', sandbox('4: with the same token no other')],
  [
    'a one-time token that has run out: another one for each try',
    sandbox('5: refuses a token that has run out'),
    gateway('makes a one-time token for each try'),
  ],
  [
    'a number encrypted with another key, and none',
    sandbox('refuses %s'),
    gateway('6: a number that cannot be read is refused'),
  ],
  ['a wrong check digit', sandbox('refuses %s')],
  ['a date that is over', sandbox('refuses %s')],
  ['a code that does not match', sandbox('9: saves nothing where the code does not match')],
  ['a code that could not be checked', sandbox('10: all the same where it could not be checked')],
  ['an account is saved', sandbox('11: saves an account, whose number is nowhere')],
  ['routing numbers', sandbox('12: only with a routing number that is right')],
  ['cards of a customer in pages', sandbox('13: lists the cards of a customer in pages')],
  ['a card is changed', sandbox('14: changes a card behind its token')],
  ['a card is removed', sandbox('15: forgets it')],
  ['42.15 is taken', sandbox('16: takes a number in major units')],
  ['an unknown token', sandbox('17: knows no other token')],
  ['postal code 46282 is declined', sandbox('declines %s')],
  ['x.51: insufficient funds', sandbox('declines %s')],
  ['authorised and captured', sandbox('20: authorises, and captures once')],
  [
    'a time-out of the connected gateway: unknown, found later, never paid again',
    sandbox('21: a payment that timed out at its gateway'),
    gateway('21: a time-out is unknown, absent while nothing is listed, then found'),
  ],
  ['an unknown merchant id', sandbox('22: refuses a merchant id that is not enabled')],
  ['voided once', sandbox('23: voids once')],
  ['refunded in parts once settled', sandbox('24: refunds in parts once it is settled')],
  ['read by its id', sandbox('25: is read by its id after a minute')],
  [
    '3-D Secure',
    sandbox('26: sends the payer to the bank'),
    gateway('26: the bank is asked, and the payment read afterwards'),
  ],
  ['an account is debited', sandbox('27: debits an account')],
  ['a signed webhook', sandbox('28: the legacy style is signed')],
  ['no public key in the browser', wire('29: makes nothing without a key')],
  ['a key with line breaks', wire('30: takes a key with line breaks')],
  ['no number, code, ciphertext or password is kept', sandbox('31: keeps no number')],
  [
    'an unsigned webhook leads to a look-up only',
    sandbox('32: the current style is not'),
    gateway('32: a hint is looked up, and a forged one leads nowhere'),
  ],
  ['rows without the objects that were not asked for', sandbox('33: a row has customer and gateway only')],
  ['a list that never shows the payment', gateway('34: what no list shows is never absent for certain')],
  [
    'found by the list alone',
    gateway('35: found by a list without its id it is paid, and not refunded here'),
  ],
  ['the frame: nothing reaches our server', gateway('36: of what the frame has saved, a token alone')],
];

export const conformance: Conformance = {
  judgedBy: 'Plain HTTP requests: the provider has no client for this language',
  cases: rows.map(([what, ...shownBy], at): ConformanceCase => ({ number: at + 1, what, shownBy })),
  unproven: [
    'All shapes and codes of v3, until they were run at the provider.',
    'The search: its filters (order number, date, transaction number), its rows, and how soon it shows a payment.',
    'Whether a row tells the id of its payment: without it a payment that was found by a list cannot be refunded here.',
    'The padding of the encryption (PKCS1-v1_5 by the provider’s own sample), and what a used one-time token answers.',
    'The frame in a browser: its messages, whether it asks for the holder’s name too, and its demands on the Content-Security-Policy.',
    '3-D Secure: what its progress says.',
    'Returns of debited accounts, and webhooks of the current style.',
    'Whether the provider checks the check digit of routing numbers.',
  ],
};
