import type { Conformance, ConformanceCase, Shown } from '../cases/conformance.ts';

const shownIn =
  (name: string) =>
  (title: string): Shown => ({
    file: `packages/gateways/src/moneris/${name}.test.ts`,
    title,
  });
/** By plain requests. */
const sandbox = shownIn('sandbox');
const adapter = shownIn('gateway');
/** The translation alone. */
const wire = shownIn('wire');

type Row = readonly [what: string, ...shownBy: Shown[]];
const rows: readonly Row[] = [
  [
    'a card is kept behind a key, masked, with its expiry',
    sandbox('1: keeps a card behind a key of 25 characters'),
  ],
  ['the same card again has another key', sandbox('2: keeps the same card again behind another key')],
  ['phone and e-mail are echoed', sandbox('3: echoes phone and e-mail')],
  [
    'a number with a wrong check digit is not kept',
    sandbox('4: refuses a number with a wrong check digit'),
    adapter('4: with %s is refused before anything is taken, and overwritten'),
  ],
  [
    'wrong keys: 200, no code, a mistake of the settings',
    sandbox('5: wrong keys are answered 200 without a code'),
    wire('without a code, not sent on: %s'),
  ],
  [
    'a card is read without its number; a removed one is not',
    sandbox('6: reads a card without its number, and no card that was removed'),
  ],
  ['the expiry is changed', sandbox('7: changes the expiry')],
  [
    'a removed card cannot be charged',
    sandbox('6: reads a card without its number, and no card that was removed'),
  ],
  ['a purchase is approved under its order id', sandbox('9: is approved under its order id')],
  [
    'the same order id again: refused without the result',
    sandbox('10: the same order id again is refused without its result, and takes nothing'),
    wire('that refuses a known order id asks for a person'),
  ],
  [
    '1.05 is declined, 481',
    sandbox('11-15: %s is answered by the test amounts'),
    wire('%s/%s is a decline, %s'),
  ],
  [
    '1.54 is an expired card, 482',
    sandbox('11-15: %s is answered by the test amounts'),
    wire('%s/%s is a decline, %s'),
  ],
  [
    '1.50 is never to be tried again, 421',
    sandbox('11-15: %s is answered by the test amounts'),
    wire('%s/%s is a decline, %s'),
  ],
  ['1.08 is approved, 004', sandbox('11-15: %s is answered by the test amounts')],
  ['55.00 and 125.00 are always declined', sandbox('11-15: %s is answered by the test amounts')],
  [
    'a code that does not match is told beside an approval',
    sandbox('16: a code that does not match is told beside the approval'),
    adapter('16: a code that does not match is told beside the approval'),
  ],
  ['an address that matches in part is told', adapter('17: an address that matches in part is told')],
  ['refunds in parts, up to what was taken', sandbox('18: no more than was taken goes back')],
  [
    'a refund of another transaction is refused',
    sandbox('19: another transaction number refunds nothing'),
    adapter('19: another transaction number refunds nothing'),
  ],
  ['a void on the same day, once', sandbox('20: is voided once, on the same day')],
  [
    'after the batch has closed a refund follows the refused void',
    adapter('21: once the batch is closed the adapter refunds what it cannot void'),
  ],
  [
    'a lost answer is found by a status check',
    adapter('22: what was recorded and not answered is found by a status check, and taken once'),
  ],
  [
    'a lost request: not found, unknown, the same order id once more',
    adapter('23: what never arrived stays unknown, and is taken by the same order id once more'),
  ],
  ['nothing, HTML, half an answer: unknown', wire('24: %s leaves a payment unknown, with what was kept')],
  [
    'the issuer’s name of the agreement is handed on',
    adapter('25: the issuer’s name of the agreement goes from the first use to each later one'),
  ],
  [
    'text is escaped',
    sandbox('26: text is escaped on its way and back'),
    adapter('26: text is escaped on its way and back'),
  ],
  ['amounts have two decimals', adapter('27: an amount of whole dollars has two decimals')],
  [
    'logs show no number, code or key',
    adapter('28: no log and no outcome shows a number, a code or a key of the account'),
  ],
  [
    'a late original and the same order id: taken once, held for a person',
    adapter('29: a late original is not taken twice: the second is refused, and a person decides'),
  ],
  [
    'a status check that times out is not made again',
    adapter('30: a status check without an answer tells nothing'),
  ],
  [
    'a second status check, or a late one, is a fault',
    adapter('31: a second status check is refused, and one after two minutes'),
  ],
  [
    'a temporary key pays with its expiry as long as it lives; the number stands in one request',
    sandbox('32: a temporary key pays with its expiry beside it, and no longer than it lives'),
    adapter('32: stands in the request that makes a key of it, its code in the purchase, and neither stays'),
  ],
  [
    'published keys are refused',
    sandbox('33: the keys that the provider publishes for everybody are refused'),
  ],
];

const cases: readonly ConformanceCase[] = rows.map(([what, ...shownBy], index) => ({
  number: index + 1,
  what,
  shownBy,
}));

/** The checklist of the XML API. Numbers stay: titles of tests begin with them. */
export const conformance: Conformance = {
  judgedBy: 'plain requests as the documentation has them (there is no maintained client)',
  cases,
  unproven: [
    'The answer of a status check: its codes and fields, and what is compared beside the order id.',
    'A repeat of an order id after a decline: here it is refused as after an approval.',
    'How a key that the vault does not know is answered: 983 here; a payment asks the vault again before it says so.',
    'How long temporary keys live (15 minutes here), and whether one serves a verification and what follows it.',
    'The hosted frame: its messages and codes, whether its code goes with the key, its demands on CSP and CORS.',
  ],
};
