import type { Conformance, ConformanceCase, Shown } from '../cases/conformance.ts';

const shownIn =
  (name: string) =>
  (title: string): Shown => ({ file: `packages/gateways/src/stripe/${name}.test.ts`, title });
/** By the official SDK. */
const sandbox = shownIn('sandbox');
const cards = shownIn('sandbox/cards');
const moves = shownIn('sandbox/money');
const pages = shownIn('sandbox/checkout');
const events = shownIn('sandbox/events');
const adapter = shownIn('charging');
/** Tests of the whole product, over HTTP, against the sandbox. */
const product = (file: string, title: string): Shown => ({
  file: `apps/api/test/paying/gateways/${file}-sandbox.test.ts`,
  title,
});
/** Tests in a browser. */
const browser = (file: string, title: string): Shown => ({ file: `e2e/paying/${file}.spec.ts`, title });

type Row = readonly [what: string, ...shownBy: Shown[]];
const rows: readonly Row[] = [
  [
    'a missing or refused key is answered 401',
    sandbox('1: answers 401 invalid_request_error to a missing, malformed, live or revoked key'),
  ],
  ['an unknown path is answered 404', sandbox('2: answers 404 to a path that does not exist')],
  ['wrong, missing and unknown parameters are named', sandbox('3: refuses %s')],
  [
    'payment_method_types: refused by endive, taken by dahlia, always answered',
    sandbox('4: endive refuses payment_method_types, dahlia takes it, all versions answer with it'),
  ],
  [
    'a customer is created, read, and deleted once',
    sandbox('5: creates, reads, and deletes a customer once'),
  ],
  ['a test token becomes a payment method', sandbox('6, 7: makes a method from a test token')],
  ['card numbers only with the publishable key', sandbox('6, 7: makes a method from a test token')],
  [
    'a card is saved, listed and told by webhook',
    cards('8: succeeds, lists the method under the customer, and tells'),
  ],
  [
    'saving with authentication: done, and failed',
    cards('9: authenticates once, and pays off session from then on'),
    cards('9: a failed authentication leaves the intent open with its reason'),
  ],
  [
    'saving a declined card leaves the set-up open',
    cards('10: a declined card is 402 and leaves the intent open'),
  ],
  ['a set-up that succeeded cannot be canceled', moves('11, 18, 29, 30: %s is refused')],
  [
    'expiry and name can be changed, the number cannot',
    sandbox('12: changes expiry and name, never the number'),
  ],
  [
    'the default is set, and forgotten with its method',
    sandbox('13, 14: sets a default and forgets it with its method, which is gone for good'),
  ],
  [
    'a detached method is gone for good',
    sandbox('13, 14: sets a default and forgets it with its method, which is gone for good'),
  ],
  ['a saved card is charged', cards('15: charges a saved card')],
  [
    'each declining card: code, parameter, open intent, then another card',
    cards('16: %s declines, leaves the intent open, and another card pays it'),
  ],
  [
    'a card that always asks: on session a challenge, off session 402',
    cards('17: a card that always asks: requires_action on session, 402 off session'),
  ],
  ['error_on_requires_action answers 402', moves('11, 18, 29, 30: %s is refused')],
  [
    'back from the bank: only the right client secret counts',
    cards('19: only the right client secret opens an intent to a browser'),
    product(
      'stripe-conformance',
      '19: a wrong client secret is refused, the right one says what Stripe says',
    ),
  ],
  [
    'idempotency keys: replayed, refused for anything else, 409 while under way',
    sandbox('20: the same request again is replayed and says so'),
    sandbox('20: other parameters, or another endpoint, are refused and change nothing'),
    sandbox('20: while the first is under way the same key answers 409'),
  ],
  ['a decline is replayed under its key', sandbox('21: a decline is replayed, whatever card is meant now')],
  [
    'a connection cut after the charge, then the same key: one payment',
    sandbox('22: a connection cut after the charge, then the same key: one payment'),
  ],
  [
    'BECS: mandate, processing, succeeded',
    moves('23: BECS: mandate with address and agent, then processing, then succeeded'),
  ],
  [
    'BECS: a closed account fails later and ends its mandate',
    moves('24: a closed account fails later and ends its mandate'),
  ],
  [
    'a debit without consent is refused',
    moves('25: without consent 400, and the intent waits for a confirmation'),
  ],
  ['US accounts are verified by small deposits', moves('26: US accounts are verified by microdeposits')],
  [
    'SEPA: succeeded, failed, and a bank that is not supported',
    moves('27: SEPA succeeds or fails after processing; an unsupported bank is refused at once'),
  ],
  ['Bacs: a refused mandate ends and tells', moves('28: a refused Bacs mandate becomes inactive and tells')],
  [
    'refunds: whole, in parts, too much, twice, of nothing',
    moves('29: in parts, then too much, once for a key, then the rest'),
    moves('11, 18, 29, 30: %s is refused'),
  ],
  [
    'canceling: what is held, and what has succeeded',
    moves('30: what is held can be canceled with a reason'),
    moves('11, 18, 29, 30: %s is refused'),
  ],
  [
    "a page of Stripe's own: saving, paying, a debit that is paid later",
    pages('31: pays by card and goes back with the session id'),
    pages('31: saves a card in setup mode'),
    pages('31: a debit completes unpaid, and is paid later'),
  ],
  [
    'webhooks: signature, changed bytes, age, a rolled secret',
    events('32: are signed as the SDK checks them'),
    product(
      'stripe-conformance',
      '32: of a wrong secret, an old time or other bytes is refused and changes nothing; the second of two signatures will do',
    ),
  ],
  [
    'webhooks twice, reversed, before the answer: one booking',
    events('33: webhook-first arrives before the answer'),
    product('stripe-conformance', '33: %s: one booking'),
  ],
  [
    'amounts in the unit of their currency, and one that is too small',
    sandbox('34: takes zero-decimal and three-decimal amounts in their own unit'),
    product('stripe-conformance', '34: %s %s is charged as %s'),
    product(
      'stripe-conformance',
      '34: less than Stripe takes fails, says why to the operator, and nothing is charged',
    ),
  ],
  [
    'the list shows a payment at once, search only later',
    events('35: the list shows a new payment at once, search only after a while'),
  ],
  [
    '429 and 500: the same key again, then the list; unknown is not failed',
    sandbox('36: a saved 500 is replayed for ever, and the list shows what became of it'),
    adapter('429, 409 and a first 500 are repeated with the same key and body'),
    product('stripe-conformance', '36: after %s the same key is sent again'),
    product('stripe-conformance', '36: a replayed 500 ends the sending, and the list decides (executed: %s)'),
    product('stripe-conformance', '36: trouble without end is unknown, not failed'),
  ],
  ['lists in pages, each method once', sandbox('37: pages through five methods, each once')],
  [
    'no card number reaches the server',
    shownIn('sandbox/script')(
      '38: one field from number to CVC by keyboard, and no digit of it reaches the shop',
    ),
    browser('card-in-browser', 'a card number goes from the provider’s fields to the provider only'),
  ],
  [
    'an abandoned challenge is canceled before another attempt, or was paid: once',
    cards('39: a challenge of a canceled intent changes nothing'),
    product(
      'stripe-conformance',
      '39: an abandoned one is canceled before the next payment is created, and charges nothing any more',
    ),
    product('stripe-conformance', '39: paid meanwhile it cannot be canceled: it is read again and paid once'),
    browser(
      'public-pay/3-d-secure',
      'an abandoned authentication gives way to another card, and its old page charges nothing',
    ),
  ],
  [
    "an open page of Stripe's own is expired before another attempt",
    pages('40: expiring ends page and payment; an old page ends by itself'),
    pages('40: neither is a page that was paid expired, nor the payment of an open one canceled'),
    product(
      'stripe-conformance-bulk',
      '40: is expired and dead before a card is charged here; a finished one can no longer be expired',
    ),
  ],
  [
    'an IBAN outside the EEA needs the whole address',
    moves('41: an IBAN outside the EEA needs a whole address since endive'),
  ],
  [
    'a debit under way is not canceled; canceled after all, the invoice is open',
    moves('42: a debit under way cannot be canceled, except with the switch'),
    product('stripe-conformance-bulk', '42: cannot be canceled, and succeeds'),
    product('stripe-conformance-bulk', '42: canceled at Stripe after all leaves the invoice open'),
  ],
  [
    'Bacs: nothing is asked before mandate and address',
    browser(
      'bacs-form',
      'Bacs: without the ticked mandate and the billing address neither the provider nor the server is asked',
    ),
  ],
];

const cases: readonly ConformanceCase[] = rows.map(([what, ...shownBy], index) => ({
  number: index + 1,
  what,
  shownBy,
}));

/** The checklist of Stripe's protocol. Numbers stay: titles of tests begin with them. */
export const conformance: Conformance = {
  judgedBy: 'the official `stripe` package',
  cases,
  unproven: [
    'Canceling a debit that is `processing`: refused here unless the sandbox is switched.',
    'Whether a payment can appear after a replayed 5xx, and how late. It is waited for 30 minutes; later it is credit.',
    'Whether a payment shows in the list within 5 minutes of the last request, which absence is taken from.',
    'The parameters that Stripe appends to `return_url` after a redirect made by the server.',
    'Stripe.js: what stands in for it here is not Stripe’s script. Also its demands on CSP and CORS.',
  ],
};
