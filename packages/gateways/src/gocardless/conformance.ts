import type { Conformance, ConformanceCase, Shown } from '../cases/conformance.ts';

const shownIn =
  (name: string) =>
  (title: string): Shown => ({
    file: `packages/gateways/src/gocardless/${name}.test.ts`,
    title,
  });
/** By plain requests. */
const sandbox = shownIn('sandbox');
const adapter = shownIn('gateway');
/** The translation alone, and the vendor's vector. */
const wire = shownIn('wire');
/** The whole product, over HTTP, against the sandbox. */
const product = (title: string): Shown => ({
  file: 'apps/api/test/paying/gateways/gocardless-sandbox.test.ts',
  title,
});

const confirmed = product(
  '20: a debit is on its way for days, is not made twice, and pays once when it is confirmed',
);
const booked = product(
  '22, 34, 35: late failures, collections after them, chargebacks and their wins are booked once each',
);
const delivered = product(
  '24, 25, 26: a forged delivery is answered 498; all events of a payment again, twice and reversed, change nothing',
);
const collected = product('33: a debit that is collected again by itself stays on its way');
const refusals = sandbox('15, 17, 18: of no mandate, for yesterday, with numbers as metadata');
const lives = sandbox('20, 21, 22: is confirmed, fails, or fails late, and its events tell it in order');

type Row = readonly [what: string, ...shownBy: Shown[]];
const rows: readonly Row[] = [
  [
    'no token, or a wrong one: 401',
    sandbox('1: without a token, or with one that nobody has, is answered 401'),
  ],
  ['no version: 400', sandbox('2, 3: without a version, or with an unknown one, is answered 400')],
  ['an unknown version: 400', sandbox('2, 3: without a version, or with an unknown one, is answered 400')],
  ['a body without its envelope: 400', sandbox('4: without its envelope is answered 400')],
  ['a billing request is pending, with actions', sandbox('5, 6: is asked for by a billing request')],
  ['a flow has a page for seven days', sandbox('5, 6: is asked for by a billing request')],
  [
    'the page completed: links, a signed webhook, the browser sent back',
    sandbox('7: is given on the page'),
    sandbox('7, 27: are signed over the bytes'),
    product('saves a bank account on its own page; the webhook alone is enough'),
  ],
  ['the page left: nothing is saved', sandbox('8: is not given by who leaves the page')],
  [
    'a form of one’s own: actions in their order',
    sandbox('9: is given by the actions of a form of one’s own'),
  ],
  ['a wrong branch code is named', sandbox('%s is refused by name')],
  ['a dollar account needs its type', sandbox('%s is refused by name')],
  [
    'a payment is accepted, its amount a number',
    sandbox('12: is accepted with the amount as a number'),
    wire('is asked for in minor units as a number'),
  ],
  [
    'the same key again: 409, the payment named',
    sandbox('13: with a key that was used before is named'),
    wire('as the vendor’s client has it names what a key has made'),
  ],
  [
    'a connection cut after the payment was made: one payment',
    adapter('14, 37: whose answer was lost is found by its reference: one payment'),
  ],
  ['a mandate that is not there', refusals],
  [
    'a mandate that was cancelled',
    sandbox('29: is cancelled once, with its debits'),
    adapter('after %s can be used %s'),
  ],
  ['a charge date that is over', refusals],
  ['metadata other than text', refusals],
  [
    'cancelled before submission, not afterwards',
    sandbox('19: is cancelled before it is with the bank, and not afterwards'),
  ],
  ['confirmed: events, and the invoice paid once', lives, confirmed],
  [
    'failed: the invoice open, with words by the cause',
    lives,
    wire('21: a debit that comes back for %s says so'),
    product('21: one that fails opens the invoice, and says why'),
  ],
  ['a late failure reopens the invoice', lives, wire('told: %s'), booked],
  ['names of customers decide', sandbox('23: of somebody called %s takes its way by itself')],
  [
    'a wrong signature, or other bytes: 498',
    wire('24: with another signature, other bytes or none is refused by 498'),
    delivered,
  ],
  ['the same delivery twice, or reversed: one effect', delivered],
  ['250 events in one delivery', wire('26: brings 250 events'), delivered],
  [
    'a failure or a redirect is delivered again',
    sandbox('7, 27: are signed over the bytes, come together, and again'),
  ],
  [
    'refunds: the confirmed sum, the state, five at most',
    sandbox('28: is of what was taken, with the whole sum confirmed, five times at most'),
  ],
  [
    'a cancelled mandate is out of the list',
    sandbox('29: is cancelled once, with its debits'),
    product('29: a removed account is cancelled there'),
  ],
  [
    'the rate limit: reads wait, orders do not repeat',
    adapter('30: waits at the rate limit to look, and is not sent again by it'),
  ],
  [
    'strings and pages as errors: unknown, made once',
    adapter('31: that is answered by %s is unknown, and made once'),
    wire('by a server error, a conflict, a plain string or a page leaves it open'),
  ],
  ['lists in pages', sandbox('32: of a list in pages gives each once')],
  [
    'collected again by itself: in progress, then paid once',
    adapter('33: one that is collected again by itself stays on its way'),
    collected,
  ],
  [
    'failed, then collected once more: in progress again, the surplus credit',
    adapter('34: one that failed and is begun once more is on its way again'),
    product('34: one that failed and is collected once more pays its invoice'),
  ],
  ['a chargeback and its win: one entry each', wire('told: %s'), booked],
  [
    'four digits in New Zealand, two elsewhere',
    sandbox('36: is on an account whose last digits are four'),
    wire('36: is shown as %o'),
  ],
  [
    'a crash before the answer: one payment',
    adapter('14, 37: whose answer was lost is found by its reference: one payment'),
  ],
];

const cases: readonly ConformanceCase[] = rows.map(([what, ...shownBy], index) => ({
  number: index + 1,
  what,
  shownBy,
}));

/** The checklist of the API. Numbers stay: titles of tests begin with them. */
export const conformance: Conformance = {
  judgedBy: 'plain requests as the documentation has them, and the vendor’s vector of a webhook',
  cases,
  unproven: [
    'How long an Idempotency-Key is known, and its longest length: it is sent again for half an hour and no longer.',
    'Whether a key or the contents are looked at first: a refund whose sum no longer fits is looked for in the list.',
    'That a billing request names its customer when it is made: else a customer is new there at each mandate.',
    'What the provider adds to the address after its page; it is not looked at.',
    'How soon a list shows a payment: absence is never taken as proven.',
    'The state after `chargeback_cancelled`: the event counts.',
    'The page itself, and its demands on the Content-Security-Policy: the browser leaves for it.',
  ],
};
