import type { Conformance, ConformanceCase, Shown } from '../cases/conformance.ts';

const shownIn =
  (name: string) =>
  (title: string): Shown => ({ file: `packages/gateways/src/authorize-net/${name}.test.ts`, title });
/** By plain requests. */
const profiles = shownIn('sandbox/profiles');
const payments = shownIn('sandbox/charges');
const adapter = shownIn('gateway');
const methods = shownIn('saved-methods');
const later = shownIn('events');
/** The translation alone. */
const wire = shownIn('wire');

type Row = readonly [what: string, ...shownBy: Shown[]];
const envelope = profiles(
  '1, 2: knows an account by its key; every answer is HTTP 200, JSON, and begins with a byte-order mark',
);
const schema = profiles('4: refuses %s by the schema');
const settled = later('28: a part waits for settlement');
const held = adapter('29: held for a person, who says %s');
const rights = methods('40: tells before the first payment that it may not read its transactions');
const lost = adapter('%s: a saved method is charged once');

const rows: readonly Row[] = [
  ['a wrong key, and none', envelope],
  ['good keys', envelope],
  [
    'an unknown method, an unknown field, a wrong order',
    profiles('3: names what it does not know, and what should stand where the order is wrong'),
    wire('fits the schema, in its order and lengths, whatever was typed: %s'),
  ],
  ['lengths of the schema', schema, profiles('4, 5: refuses a reference of 21 characters, and XML')],
  ['a request in XML', profiles('4, 5: refuses a reference of 21 characters, and XML')],
  [
    'the profile that is there already',
    profiles('6: names the profile that is there already, in its text alone'),
  ],
  [
    'a card is read masked',
    profiles('7, 11: gives back masked numbers, and the expiry where that is asked for'),
  ],
  [
    'the same card again',
    profiles('8, 9: the same card with the same address is there already; another customer may have it'),
    methods('8: the same card again is the one there is'),
  ],
  [
    'the same card of another customer',
    profiles('8, 9: the same card with the same address is there already; another customer may have it'),
  ],
  [
    'a wrong check digit',
    profiles('10: refuses a number with a wrong check digit; its bank may refuse too'),
    methods('10, 36: a wrong number is refused, and stands in no answer'),
  ],
  [
    'an account is read masked',
    profiles('7, 11: gives back masked numbers, and the expiry where that is asked for'),
  ],
  [
    'ten methods, and no eleventh',
    profiles('12: takes ten methods and no eleventh'),
    methods('12: there are ten at the most'),
  ],
  [
    'the expiry is changed behind a masked number; what is left out is blanked',
    profiles('13: keeps a masked number, takes the new expiry, blanks what is left out'),
    methods('13: an edit keeps number, address and default; a card needs a country'),
  ],
  [
    'one default or none',
    profiles('14, 15: has one default or none, and nothing of a method that was deleted'),
  ],
  [
    'a deleted method is gone',
    profiles('14, 15: has one default or none, and nothing of a method that was deleted'),
  ],
  [
    'a saved card is charged',
    payments('16, 17, 18: charges a saved card with nothing beside it, and nobody else’s'),
  ],
  [
    'a profile excludes payment and billing data',
    payments('16, 17, 18: charges a saved card with nothing beside it, and nobody else’s'),
  ],
  [
    'a method of another customer',
    payments('16, 17, 18: charges a saved card with nothing beside it, and nobody else’s'),
  ],
  ['a declined zip', payments('a payment comes to what its trigger says: %s')],
  [
    'code and address that do not match',
    payments('20: a code or an address that does not match is told, and approved'),
  ],
  [
    'an expired card',
    payments('a payment comes to what its trigger says: %s'),
    wire('the answer to a charge is read: %s'),
  ],
  [
    'equal contents within the window',
    payments(
      '22: knows equal contents within the window, and names the original only where the window is given',
    ),
  ],
  ['a cut after processing: one payment', lost, adapter('23: is found in a settled batch, too')],
  [
    'a cut before processing: no second charge',
    lost,
    adapter('is not sent again after the window, nor with a token'),
  ],
  [
    'details before and after settlement',
    payments('25: details are those of the transaction, before and after its settlement'),
  ],
  [
    'lists: newest first, in pages, empty',
    payments('26: lists the newest first, in pages, not at once; an empty list has another code'),
  ],
  [
    'voided once',
    payments('27: voids once; the second time it says so, with response code 1'),
    later('27: what is void is not voided again'),
  ],
  [
    'refunded after settlement, in parts, not too much',
    payments('28: refunds after settlement, in parts, and no more than was taken'),
    settled,
  ],
  ['held for review, approved, declined', held],
  [
    'accounts: accepted, declined, returned later',
    payments('30: an account is debited up to 100, and returned later'),
    later('30: a debit that comes back days later is found by asking, once for each cursor'),
  ],
  ['an account in Test Mode', methods('%s is misconfigured'), wire('the answer to a charge is read: %s')],
  ['no JSON, or no answer', adapter('32: an edge proxy’s page is no answer')],
  [
    'signatures of webhooks',
    later('33: are signed over their bytes with the key as text; the same delivery is the same event'),
  ],
  [
    'hostile text is sent without what breaks the request',
    wire('34: texts lose what breaks the older format behind JSON, and keep their letters'),
  ],
  [
    'a nonce pays once, in time, its own merchant',
    payments('35: a nonce pays once, within 15 minutes, its own merchant'),
  ],
  [
    'no number in what is kept',
    wire('36: quotes of what was refused are not kept'),
    methods('10, 36: a wrong number is refused, and stands in no answer'),
  ],
  [
    'approved in part: what was taken counts',
    payments('37: approves a part where that is allowed'),
    wire('the answer to a charge is read: %s'),
  ],
  [
    'possibly charged: not sent again, and a person decides',
    adapter('38: possibly charged: not sent again, and left to a person'),
  ],
  ['an end at the gateway that says nothing', wire('39: %s %j')],
  ['no right to read', rights, payments('40: an account without the right may not read its transactions')],
];

const cases: readonly ConformanceCase[] = rows.map(([what, ...shownBy], index) => ({
  number: index + 1,
  what,
  shownBy,
}));

/** The checklist of the JSON API. Numbers stay: titles of tests begin with them. */
export const conformance: Conformance = {
  judgedBy: 'plain requests as the reference has them, and by the published schema’s order of keys',
  cases,
  unproven: [
    'A repeat after a decline: replayed, refused or tried again.',
    'How soon a transaction shows in the lists (half a minute here), and that a batch is whole an hour after its settlement.',
    'Partial approvals where allowPartialAuth is not sent.',
    'The code of a nonce that is used twice, and whether a duplicate uses it up.',
    'Which webhooks carry our reference; that the signature key is used as text (two published deliveries say so).',
    'Returned debits: that their details name the original, and that the note at the original has the same id.',
    'Chargebacks of cards: no call tells them; the merchant learns of them from the processor.',
    'Accept.js itself, and its demands on CSP and CORS.',
  ],
};
