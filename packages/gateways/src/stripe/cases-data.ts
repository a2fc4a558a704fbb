/** Stripe's test data (https://docs.stripe.com/testing), and how its sandbox's pages are answered. */
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import type {
  CasesData,
  DebitedAccount,
  DeclinedMethod,
  ReadBack,
  SignedDelivery,
  TestMethod,
} from '../cases/data.ts';
import type { StripeSettings } from './manifest.ts';

const card = (token: string): TestMethod => ({ kind: 'card', once: () => ({ token }) });

/** Each with a name for its case, and how we are to read it: our class, and what the customer reads. */
const declines: readonly (readonly [
  name: string,
  token: string,
  code: string,
  kind: DeclinedMethod['why']['class'],
  text: string,
])[] = [
  ['generic', 'visa_chargeDeclined', 'generic_decline', 'retryLater', 'Your card was declined'],
  [
    'funds',
    'visa_chargeDeclinedInsufficientFunds',
    'insufficient_funds',
    'retryLater',
    'Not enough funds on this card',
  ],
  ['lost', 'visa_chargeDeclinedLostCard', 'lost_card', 'otherMethod', 'Your card was declined'],
  ['stolen', 'visa_chargeDeclinedStolenCard', 'stolen_card', 'otherMethod', 'Your card was declined'],
  [
    'expired',
    'chargeDeclinedExpiredCard',
    'expired_card',
    'fixInput',
    'Your credit card has expired. Please add a new one and try again',
  ],
  ['cvc', 'chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'fixInput', 'Please check the security code'],
  [
    'processing',
    'chargeDeclinedProcessingError',
    'processing_error',
    'retryLater',
    'Please try again in a few minutes',
  ],
  [
    'velocity',
    'visa_chargeDeclinedVelocityLimitExceeded',
    'card_velocity_exceeded',
    'otherMethod',
    'Card limit reached, please use another method',
  ],
];

const account = (
  scheme: string,
  currency: string,
  suffix: string,
  returned: Readonly<Record<string, string>>,
  isOnce = true,
): DebitedAccount => {
  const method = (name: string) =>
    ({ kind: 'bank', scheme, currency, once: () => ({ token: `pm_${name}` }) }) as const;
  return {
    ...method(suffix),
    isOnce,
    returned: Object.entries(returned).map(([name, code]) => ({ ...method(name), code })),
  };
};

const require = createRequire(import.meta.url);

/** Stripe's own package, so that not our reading of a protocol is compared with itself. */
const officialSdk = () => require('stripe') as typeof Stripe;

function sign(settings: Readonly<Record<string, unknown>>, ref: string, at: Date): SignedDelivery[] {
  const { webhookSecrets } = settings as StripeSettings;
  const { webhooks } = new (officialSdk())('sk_test_unused');
  const payload = JSON.stringify({
    id: `evt_${ref}`,
    object: 'event',
    type: 'payment_intent.succeeded',
    data: { object: { id: `pi_${ref}`, object: 'payment_intent', metadata: { attemptId: ref } } },
  });
  const timestamp = Math.floor(at.getTime() / 1000);
  return webhookSecrets.map((secret) => ({
    raw: Buffer.from(payload),
    headers: new Headers({
      'stripe-signature': webhooks.generateTestHeaderString({ payload, secret, timestamp }),
    }),
  }));
}

/** By the list of payments, which shows a new one at once. */
const readBack: ReadBack = {
  async taken(ref, { settings, addresses, fetch }) {
    const answer = await fetch(`${addresses['api']}/v1/payment_intents?limit=20`, {
      headers: { authorization: `Bearer ${(settings as StripeSettings).secretKey}` },
    });
    const { data = [] } = (await answer.json()) as {
      data?: readonly { status: string; amount_received: number; metadata: Record<string, string> }[];
    };
    return data
      .filter(({ status, metadata }) => status === 'succeeded' && metadata['attemptId'] === ref)
      .map((one) => BigInt(one.amount_received));
  },
};

/** Posts a form as a page would; the address the browser is sent to. @throws {Error} where the page refuses */
async function post(to: string, fields: Readonly<Record<string, string>>): Promise<URL> {
  const response = await fetch(to, { method: 'POST', redirect: 'manual', body: new URLSearchParams(fields) });
  const location = response.headers.get('location');
  if (location === null) throw new Error(`the page answered ${response.status}`);
  return new URL(location);
}

export const casesData: CasesData = {
  good: card('tok_visa'),
  declines: [
    ...declines.map(([name, token, code, kind, text]) => ({
      name,
      method: card(`tok_${token}`),
      why: { code, class: kind, text },
    })),
    {
      name: 'blocked',
      method: card('tok_radarBlock'),
      why: { code: 'fraudulent', class: 'otherMethod', text: 'Your card was declined' },
      // An account can have switched Radar's rules off.
      needs: 'data',
    },
  ],
  decline: 'funds',
  // Tokens of the form pm_card_… can be saved, too.
  challenged: card('pm_card_authenticationRequired'),
  accounts: [
    account('au_becs_debit', 'AUD', 'auBecsDebit_success', {
      auBecsDebit_accountClosed: 'account_closed',
      auBecsDebit_referToCustomer: 'refer_to_customer',
    }),
    account('us_bank_account', 'USD', 'usBankAccount_success', {}, false),
    account('bacs_debit', 'GBP', 'bacsDebit_success', { bacsDebit_insufficientFunds: 'insufficient_funds' }),
    account('sepa_debit', 'EUR', 'sepaDebit_success_de', {
      sepaDebit_failed_de: 'incorrect_account_holder_name',
    }),
  ],
  // Switched off, not for the account's country, not for its currency.
  isNotOffered: (detail) =>
    !/parameter_unknown|no_longer_supported/.test(detail) &&
    /payment method types?\b.*\b(invalid|activated|supported|available)|activated in your dashboard|no valid payment method|capabilit/i.test(
      detail,
    ),
  spoil: (settings) => ({ ...settings, secretKey: 'sk_test_invalidCounterfoilVerification' }),
  // Five years ahead: an expiry that no test card has by itself.
  change: () => ({ expMonth: '11', expYear: `${new Date().getUTCFullYear() + 5}`, name: 'Jo Fox' }),
  sign,
  isTimed: true,
  readBack,
  sandbox: {
    settings: {
      secretKey: 'sk_test_cases',
      publishableKey: 'pk_test_cases',
      webhookSecrets: ['whsec_one', 'whsec_two'],
      separateInputs: false,
    },
    webhookSecret: 'whsec_two',
    eventAbout: (raw) =>
      (JSON.parse(Buffer.from(raw).toString()) as { data: { object: { id: string } } }).data.object.id,
    answerChallenge: async (to, outcome) => Object.fromEntries((await post(to, { outcome })).searchParams),
    payOnPage: async (to) => {
      await post(to, {
        type: 'card',
        'card[number]': ['4242', '4242', '4242', '4242'].join(''),
        'card[exp_month]': '12',
        'card[exp_year]': '2034',
        'card[cvc]': '123',
        'billing_details[name]': 'Ada',
      });
    },
  },
  // Less is refused, or is less than half a dollar where the account settles in one.
  amounts: {
    CZK: 5_000n,
    DKK: 1_500n,
    HKD: 2_000n,
    HUF: 100_000n,
    INR: 20_000n,
    ISK: 50_000n,
    JPY: 500n,
    KES: 50_000n,
    KRW: 5_000n,
    MXN: 5_000n,
    NOK: 2_000n,
    PHP: 20_000n,
    SEK: 2_000n,
    THB: 10_000n,
    TRY: 10_000n,
    TWD: 10_000n,
    ZAR: 5_000n,
  },
  // What is signed here and not by the provider proves nothing of its service.
  conformance: {
    judgedBy: 'the official `stripe` package',
    cases: [
      'a missing or refused key is answered 401',
      'an unknown path is answered 404',
      'wrong, missing and unknown parameters are named',
      'payment_method_types: refused by endive, taken by dahlia, always answered',
      'a customer is created, read, and deleted once',
      'a test token becomes a payment method',
      'card numbers only with the publishable key',
      'a card is saved, listed and told by webhook',
      'saving with authentication: done, and failed',
      'saving a declined card leaves the set-up open',
      'a set-up that succeeded cannot be canceled',
      'expiry and name can be changed, the number cannot',
      'the default is set, and forgotten with its method',
      'a detached method is gone for good',
      'a saved card is charged',
      'each declining card: code, parameter, open intent, then another card',
      'a card that always asks: on session a challenge, off session 402',
      'error_on_requires_action answers 402',
      'back from the bank: only the right client secret counts',
      'idempotency keys: replayed, refused for anything else, 409 while under way',
      'a decline is replayed under its key',
      'a connection cut after the charge, then the same key: one payment',
      'BECS: mandate, processing, succeeded',
      'BECS: a closed account fails later and ends its mandate',
      'a debit without consent is refused',
      'US accounts are verified by small deposits',
      'SEPA: succeeded, failed, and a bank that is not supported',
      'Bacs: a refused mandate ends and tells',
      'refunds: whole, in parts, too much, twice, of nothing',
      'canceling: what is held, and what has succeeded',
      "a page of Stripe's own: saving, paying, a debit that is paid later",
      'webhooks: signature, changed bytes, age, a rolled secret',
      'webhooks twice, reversed, before the answer: one booking',
      'amounts in the unit of their currency, and one that is too small',
      'the list shows a payment at once, search only later',
      '429 and 500: the same key again, then the list; unknown is not failed',
      'lists in pages, each method once',
      'no card number reaches the server',
      'an abandoned challenge is canceled before another attempt, or was paid: once',
      "an open page of Stripe's own is expired before another attempt",
      'an IBAN outside the EEA needs the whole address',
      'a debit under way is not canceled; canceled after all, the invoice is open',
      'Bacs: nothing is asked before mandate and address',
    ],
    elsewhere: {
      38: {
        file: 'e2e/paying/card-in-browser.spec.ts',
        title: 'a card number goes from the provider’s fields to the provider only',
      },
      39: {
        file: 'e2e/paying/public-pay/3-d-secure.spec.ts',
        title: 'an abandoned authentication gives way to another card, and its old page charges nothing',
      },
      43: {
        file: 'e2e/paying/bacs-form.spec.ts',
        title:
          'Bacs: without the ticked mandate and the billing address neither the provider nor the server is asked',
      },
    },
    unproven: [
      'Canceling a debit that is `processing`: refused here unless the sandbox is switched.',
      'Whether a payment can appear after a replayed 5xx, and how late. It is waited for 30 minutes; later it is credit.',
      'Whether a payment shows in the list within 5 minutes of the last request, which absence is taken from.',
      'The parameters that Stripe appends to `return_url` after a redirect made by the server.',
      'Stripe.js: what stands in for it here is not Stripe’s script. Also its demands on CSP and CORS.',
    ],
  },
  proves: {
    'keys-refused': [1],
    'pay-once': [6],
    ...Object.fromEntries(declines.map(([name]) => [`decline-${name}`, [16]])),
    repeat: [20],
    'repeat-declined': [21],
    'find-replay': [20],
    'find-scan': [35],
    'challenge-closed': [17, 39],
    'challenge-closed-later': [39],
    'challenge-off-session': [17],
    'page-closed': [40],
    'page-closed-later': [40],
    'refund-whole': [29],
    'refund-parts': [29],
    'refund-repeat': [20, 29],
    'find-refund-replay': [29],
    'find-refund-scan': [29],
    'save-declined': [10],
    save: [8],
    'pay-saved': [15],
    default: [13],
    edit: [12],
    remove: [14],
    'save-challenge': [9],
    'debit-au-becs-debit': [23],
    'debit-us-bank-account': [23],
    'debit-bacs-debit': [23],
    'debit-sepa-debit': [23],
    'debit-once-au-becs-debit': [23],
    'debit-once-bacs-debit': [23],
    'debit-once-sepa-debit': [23],
  },
  notChecked: [
    'A challenge of 3-D Secure that a person answers, and what the browser brings back from it.',
    'The fields of Stripe.js, and its demands on the Content-Security-Policy.',
    'Webhooks as Stripe sends them: that they come, and in which version.',
    'A debit that the bank returns, a chargeback, a refund that fails later.',
    'US accounts that are verified by small deposits.',
    'Keys older than a day, saved server errors, and how late a payment may appear after one.',
  ],
};
