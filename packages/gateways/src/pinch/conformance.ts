import type { Conformance, ConformanceCase, Shown } from '../cases/conformance.ts';

const shownIn =
  (name: string) =>
  (title: string): Shown => ({
    file: `packages/gateways/src/pinch/${name}.test.ts`,
    title,
  });
/** By plain requests. */
const sandbox = shownIn('sandbox');
const adapter = shownIn('gateway');
const events = shownIn('events');
/** The translation alone. */
const wire = shownIn('wire');

const cardsOnly = adapter(
  '21, 22, 23, 28, 30: only cards are offered: no bank account, no scheduled debit, no fee of the provider',
);

type Row = readonly [what: string, ...shownBy: Shown[]];
const rows: readonly Row[] = [
  [
    'good keys: a token for an hour, kept until shortly before its end',
    sandbox('1: good keys get one that lives for an hour'),
    adapter('20: one is kept for many calls, and asked for once by several at a time'),
  ],
  ['a wrong secret: 400, invalid_client', sandbox('%s is answered 400')],
  ['a JSON body for a token: 400', sandbox('3: a JSON body is not read')],
  [
    'the health of a token: 200, without one 404',
    sandbox('4: the health of a token is 200, that of none 404'),
  ],
  [
    'a card becomes a token, by names in Pascal case',
    sandbox('5: names may be in Pascal case, month and year text'),
    adapter('5: becomes a token'),
  ],
  [
    'a wrong publishable key is told in the provider’s words',
    sandbox('%s is answered 400 with a list'),
    adapter('%s: is told in the provider’s words'),
  ],
  ['a page of a portal may ask across origins', sandbox('7: a page of a portal may ask for one')],
  ['a payer needs an address', sandbox('8: without an address is answered 400, about EmailAddress')],
  ['a payer is made, and changed by its id', sandbox('9: is made, and with its id changed')],
  ['a token becomes a card, once', sandbox('10: a token becomes a card, once; an unknown payer has none')],
  ['a payer lists its cards', sandbox('11: lists its cards; an unknown one is answered 404')],
  ['a card is removed once', sandbox('12: a removed card is gone, and cannot be removed again')],
  ['a saved card is charged', sandbox('13: is approved, with its place and the card it was made with')],
  [
    'a payer by id and by name: 400 about all three',
    sandbox('14: of a payer by id and by name is answered 400, about all three'),
  ],
  [
    'insufficient-funds: dishonoured under 201, read by its code; no code word in a real text',
    sandbox('%s a code word forces a failure, answered 201'),
    adapter('15: an invoice text with a code word in it fails nothing'),
    wire('tells why it was dishonoured: %j'),
  ],
  [
    'blocked-by-bank: a general decline',
    sandbox('%s a code word forces a failure, answered 201'),
    wire('forbids a retry by a code that nobody documented'),
  ],
  [
    'a nonce again: 403 with the first payment, taken or declined',
    sandbox('17: a nonce that was used is answered 403 with the first payment, and takes nothing'),
    wire('is read by its body and not by its status: %s'),
    adapter('17: a charge that is sent again is answered as at first: taken, or declined'),
  ],
  [
    'a lost answer is found by nonce',
    sandbox('18: is found by its nonce; an unknown nonce has none'),
    adapter('18: a lost answer is found for nothing: %s'),
  ],
  [
    'a lost request is not seen, and sent once more',
    adapter('19: a lost request is not seen, which proves nothing; sent again it is taken: %s'),
  ],
  [
    'a token that is over is renewed once',
    adapter('20: one that is refused is renewed once, and the call goes on'),
    adapter('20: a second refusal, %i, is a mistake of the settings'),
  ],
  ['a scheduled debit of a bank account: not offered, cards only', cardsOnly],
  ['a debit processed overnight: not offered, cards only', cardsOnly],
  ['a debit that the bank dishonours: not offered, cards only', cardsOnly],
  [
    'a delivery with a wrong signature, an old one, or one of other bytes is refused',
    sandbox('24: deliveries are signed over the time and the bytes, with names in Pascal case'),
    wire('24: one that is signed as the provider’s own example is taken'),
    wire('24: one with %s is refused'),
  ],
  [
    'an event has one id, by which it counts once',
    wire('25, 26: the same event in either casing is the same, by its own id'),
  ],
  [
    'names in Pascal and camel case are one',
    wire('25, 26: the same event in either casing is the same, by its own id'),
  ],
  [
    'a refund is requested, replayed by its nonce, and never more than was taken',
    sandbox('27: is requested, completed later, once for a nonce, and no more than was taken'),
    events('27: a refund is on its way until it is completed, and told by an event with its amount'),
  ],
  ['a preview of the provider’s fee: not asked for', cardsOnly],
  [
    'our fee is in the amount, and the provider’s is never asked for; one that is added is told',
    sandbox('29: a surcharge is added, and told'),
    adapter('31: once, with a payer and a card of its own, which is gone afterwards'),
    adapter(
      '29: a fee or a sum that is not ours is told to whoever runs it, and what was taken to the payer',
    ),
  ],
  ['a scheduled payment that is deleted: none is scheduled', cardsOnly],
  [
    'a card that pays once has a payer of its own, and is removed, though the server dies in between',
    adapter('31: once, with a payer and a card of its own, which is gone afterwards'),
    adapter('a temporary card whose answer was lost is removed all the same'),
    {
      file: 'apps/api/test/paying/gateways/pinch-sandbox.test.ts',
      title: 'a card that was made for one payment is removed, though the server died before it was used',
    },
  ],
];

const cases: readonly ConformanceCase[] = rows.map(([what, ...shownBy], index) => ({
  number: index + 1,
  what,
  shownBy,
}));

/** The checklist of the API. Numbers stay: titles of tests begin with them. */
export const conformance: Conformance = {
  judgedBy: 'plain requests as the documentation has them (there is no client for this platform)',
  cases,
  unproven: [
    'The body of a declined charge: here 201 with the state dishonoured and its code in the last attempt.',
    'How long a nonce is known, and how soon a look-up by it sees a payment; nothing is sent again after an hour.',
    'The end states of a refund: completed is its end here, any other is on its way.',
    'What an event of a dispute carries, and the state of a payment that a dispute took back: dishonoured here.',
    'The list of events: its parameters and pages, and how often a delivery is tried.',
    'Whether a token may be asked for from a portal’s page (CORS) without the version in a header.',
  ],
};
