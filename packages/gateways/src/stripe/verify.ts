/** The cases of `gateway verify` for Stripe, with the test data of https://docs.stripe.com/testing. */
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import type { TestMethod, VerifySuite } from '../cases/verify.ts';
import {
  challengeCase,
  type DeclinedMethod,
  declineCase,
  findCases,
  hookCase,
  keysCase,
  offSessionCase,
  pageCase,
  payOnceCase,
  refusedKeysCase,
  repeatCase,
  repeatDeclineCase,
  type SignedDelivery,
} from '../cases/verify-cases.ts';
import { findRefundCases, refundPartsCase, refundRepeatCase } from '../cases/verify-cases-refunds.ts';
import {
  debitCase,
  debitOnceCase,
  defaultCase,
  editCase,
  paySavedCase,
  removeCase,
  saveCase,
  setupChallengeCase,
} from '../cases/verify-cases-setups.ts';
import { manifest, type StripeSettings } from './manifest.ts';

const card = (token: string): TestMethod => ({ kind: 'card', once: () => ({ token }) });
const good = card('tok_visa');
/** Tokens of cards that ask for their owner; those of the form pm_card_… can be saved, too. */
const challenged = card('pm_card_authenticationRequired');
const noFunds = card('tok_visa_chargeDeclinedInsufficientFunds');

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

const accounts: Readonly<Record<string, string>> = {
  au_becs_debit: 'pm_auBecsDebit_success',
  us_bank_account: 'pm_usBankAccount_success',
  bacs_debit: 'pm_bacsDebit_success',
  sepa_debit: 'pm_sepaDebit_success_de',
};

/** How Stripe says that an account may not take a kind of debit: switched off, not for its country, not for its currency. */
const isNotOffered = (detail: string): boolean =>
  !/parameter_unknown|no_longer_supported/.test(detail) &&
  /payment method types?\b.*\b(invalid|activated|supported|available)|activated in your dashboard|no valid payment method|capabilit/i.test(
    detail,
  );

const debits = Object.values(manifest.saved?.debits ?? {}).flatMap(({ scheme, currency, once }) => {
  const token = accounts[scheme];
  const method = { kind: 'bank', scheme, currency, once: () => ({ token: token ?? '' }) } as const;
  if (token === undefined) return [];
  return [
    debitCase([23], method, isNotOffered),
    ...(once ? [debitOnceCase([23], method, isNotOffered)] : []),
  ];
});

const spoil = (settings: Readonly<Record<string, unknown>>) => ({
  ...settings,
  secretKey: 'sk_test_invalidCounterfoilVerification',
});

const require = createRequire(import.meta.url);

/** Signed by Stripe's own package, so that not our reading of the signature is compared with itself. */
function sign(settings: Readonly<Record<string, unknown>>, ref: string, at: Date): SignedDelivery[] {
  const { webhookSecrets } = settings as StripeSettings;
  const Sdk = require('stripe') as typeof Stripe;
  const { webhooks } = new Sdk('sk_test_unused');
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

/** Five years ahead: an expiry that no test card has by itself. */
const change = () => ({ expMonth: '11', expYear: `${new Date().getUTCFullYear() + 5}`, name: 'Jo Fox' });

export const verify: VerifySuite = {
  cases: [
    keysCase([]),
    refusedKeysCase([1], spoil, good),
    payOnceCase([6], good),
    ...declines.map(([name, token, code, kind, text]) =>
      declineCase([16], { name, method: card(`tok_${token}`), why: { code, class: kind, text } }),
    ),
    challengeCase([17, 39], challenged),
    offSessionCase([17], challenged),
    repeatCase([20], good),
    repeatDeclineCase([21], noFunds),
    ...findCases(manifest.capabilities.lookup, { replay: [20], scan: [35] }, good),
    pageCase([40]),
    refundPartsCase([29], good),
    refundRepeatCase([20, 29], good),
    ...findRefundCases(manifest.capabilities.refundLookup, [29], good),
    saveCase([8], good),
    paySavedCase([15], good),
    defaultCase([13], good),
    editCase([12], good, change),
    removeCase([14], good),
    setupChallengeCase([9], challenged),
    ...debits,
    hookCase([], sign, true),
  ],
  notChecked: [
    'A challenge of 3-D Secure that a person answers, and what the browser brings back from it.',
    'The fields of Stripe.js, and its demands on the Content-Security-Policy.',
    'Webhooks as Stripe sends them: that they come, and in which version.',
    'A debit that the bank returns, a chargeback, a refund that fails later.',
    'US accounts that are verified by small deposits.',
    'Keys older than a day, saved server errors, and how late a payment may appear after one.',
  ],
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
};
