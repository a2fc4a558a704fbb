import type { Conformance, ConformanceCase, Shown } from '../cases/conformance.ts';

const shownIn = (file: string, title: string): Shown => ({ file, title });
const own = (name: string) => (title: string) =>
  shownIn(`packages/gateways/src/ippay/${name}.test.ts`, title);
/** By plain requests. */
const sandbox = own('sandbox');
/** The translation alone. */
const wire = own('wire');
const adapter = own('gateway');
/** Through the whole server. */
const server = (title: string) => shownIn('apps/api/test/paying/gateways/ippay-sandbox.test.ts', title);
const frame = (title: string) => shownIn('packages/gateways/src/kit/browser/frame-messages.test.ts', title);
const digits = sandbox('%s is answered by its last digits');

type Row = readonly [what: string, ...shownBy: Shown[]];
const rows: readonly Row[] = [
  ['a ping is answered', sandbox('1: a ping is answered')],
  [
    'an unknown terminal is a mistake of the settings',
    sandbox('2: an unknown terminal is told'),
    wire('%s is no verdict on the card'),
  ],
  ['a card becomes a token of its own length and ends', sandbox('3, 5: a card is a token')],
  ['a wrong check digit is refused', sandbox('%s is refused')],
  [
    'the same card is the same token, and one method',
    sandbox('3, 5: a card is a token'),
    server('27: the same card entered again is the same method'),
  ],
  ['an account becomes a token with its last four', sandbox('6: a bank account is a token')],
  ['a token gets another expiry', sandbox('7: a token keeps its name')],
  [
    'a sale by token under our id',
    sandbox('8: a sale is approved'),
    wire('is read whatever its root: %s'),
    wire('has whole cents, our reference, and says who asks'),
  ],
  ['without an id the gateway makes one', sandbox('9: without an id')],
  ['1005: declined', digits, wire('%s is a decline in words of ours')],
  ['1051: insufficient funds', digits],
  ['1054: expired', digits, wire('%s is a decline in words of ours')],
  ['1008: approved', digits],
  ['a card past its month is expired', sandbox('14: a card past its month')],
  ['an id that was used is refused', sandbox('15: an id that was used')],
  ['a lost answer: pending until a second look-up', adapter('16: that was taken counts')],
  [
    'a lost request: sent once more after two look-ups',
    adapter('17: that never arrived is sent once more'),
    adapter('17: is not sent by the first look-up'),
  ],
  ['look-ups that fail send nothing', adapter('18: is never sent again')],
  [
    'a check is accepted, which is no money',
    sandbox('19: a check is accepted'),
    wire('of a check is on its way'),
  ],
  ['a routing number of eight digits is refused', sandbox('%s is refused')],
  ['a void, and no second one', sandbox('21: a void undoes')],
  [
    'a credit, and none above what was taken',
    sandbox('22: a credit stands alone'),
    adapter('22: more than was taken is refused'),
  ],
  ['a check cannot be voided', sandbox('23: one cannot be voided')],
  ['what is no message', sandbox('24: what is no message'), wire('%s is no verdict on the card')],
  ['an HTML page is no decline', wire('is none: %s')],
  ['a form with a wrong hash is not called back', sandbox('%s is refused without a callback')],
  [
    'a token, its callback and the saved method',
    sandbox('27: makes a token'),
    server('27: the same card entered again is the same method'),
  ],
  [
    'a callback that is repeated changes nothing',
    sandbox('28: a reference is good for one token'),
    server('28: a callback counts once'),
  ],
  [
    'an altered amount is left aside: the price of our page is charged',
    adapter('%s'),
    server('29: what was tampered with changes nothing'),
  ],
  ['messages of others are left aside', frame('count from its own window and a declared origin only')],
  ['a decline after the page has made a token', server('31: a card that is declined')],
  ['AFS-103 is handed on like 000', sandbox('32: a check of its own'), server('32: the code of the page')],
  ['logs show no number', adapter('33: no log shows a number or a key')],
  [
    'a return of a bank is told once',
    sandbox('34: lists what a bank has returned'),
    adapter('%s is told by an event'),
    server('34: a debit that its bank returns'),
  ],
  ['a lost callback: nothing, and forms ask for tokens alone', adapter('35: and every form')],
  [
    'an account is charged and looked for on its own terminal',
    sandbox('36: its terminal knows it'),
    adapter('36: of an account is looked for'),
  ],
  [
    'a void by the gateway itself, before and after it counted',
    adapter('37: that the gateway voids by itself'),
    adapter('37: voided once it counted'),
  ],
  [
    'another customer’s token, and a token without a callback, pay nothing',
    adapter('38: is what pays'),
    server('38: the token of another customer'),
  ],
  ['400 is no success', wire('39: is no success by another code')],
];

/** The checklist of the protocol. Numbers stay: titles of tests begin with them. */
export const conformance: Conformance = {
  judgedBy: 'plain requests as the documentation has them (there is no maintained client)',
  cases: rows.map(([what, ...shownBy], at): ConformanceCase => ({ number: at + 1, what, shownBy })),
  unproven: [
    'Every field, hash and message of the hosted page, its address for live terminals, and its demands on CSP and framing.',
    'What an AFS code means.',
    '025 and 094 as answers to an enquiry and to an id that was used; what an enquiry says of a void.',
    'Whether the same card is the same token again.',
    'The code for each test amount.',
    'The time zone of Reporting, and amounts in its lists of returns and chargebacks.',
  ],
};
