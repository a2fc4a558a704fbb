import * as z from 'zod/mini';
import { lookupBy } from '../port/capabilities.ts';
import { configField, defineGateway } from '../port/define-gateway.ts';
import {
  type DebitScheme,
  type FormField,
  renamed,
  type SavedMethodsManifest,
  type WireFields,
} from '../port/saved-manifest.ts';

/**
 * Only whole numbers of these are charged, in our minor units: the last digit of three-decimal currencies must be 0,
 * and ariary have no decimals there.
 */
export const chargeSteps: Readonly<Record<string, number>> = {
  BHD: 10,
  JOD: 10,
  KWD: 10,
  OMR: 10,
  TND: 10,
  MGA: 100,
};

/**
 * The least amounts Stripe charges, in minor units. Only those it names: where an account is paid out in another currency the
 * least of that one counts as well, and Stripe itself refuses.
 * https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
export const leastCharges: Readonly<Record<string, number>> = {
  USD: 50,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  EUR: 50,
  INR: 50,
  NZD: 50,
  SGD: 50,
  JPY: 50,
  GBP: 30,
  BGN: 100,
  AED: 200,
  MYR: 200,
  PLN: 200,
  RON: 200,
  DKK: 250,
  NOK: 300,
  SEK: 300,
  HKD: 400,
  MXN: 1_000,
  THB: 1_000,
  CZK: 1_500,
  HUF: 17_500,
};

// ---- Saved methods, as data: paths, forms, mandates and the specification's shapes ----
// What account holders agree to is prescribed by the schemes and by Stripe, word for word:
// https://docs.stripe.com/payments/au-becs-debit#mandates, …/bacs-debit/mandate-collection-requirements,
// …/sepa-debit#mandates; for ACH the content is, https://docs.stripe.com/payments/ach-direct-debit#mandates.

const name: FormField = { name: 'accountHolderName', required: true, min: 4 };
const email: FormField = { name: 'email', required: true };
const phone: FormField = { name: 'phone', required: false };
const numbered = (field: string): FormField => ({ name: field, required: true, min: 5 });
const account: readonly FormField[] = ['routingNumber', 'bankAccountNumber'].map(numbered);
const address: readonly FormField[] = ['address', 'city', 'zip', 'country'].map((field) => ({
  name: field,
  required: true,
}));

const becs: DebitScheme = {
  scheme: 'au_becs_debit',
  title: 'Direct Debit',
  currency: 'AUD',
  settlesInDays: 3,
  once: true,
  fields: [name, email, phone, ...account],
  mandate: {
    version: 'becs-1',
    text: 'By providing your bank account details, you agree to this Direct Debit Request and the Direct Debit Request service agreement, and authorise Stripe Payments Australia Pty Ltd ACN 160 180 343 Direct Debit User ID number 507156 (“Stripe”) to debit your account through the Bulk Electronic Clearing System (BECS) on behalf of {company} (the “Merchant”) for any amounts separately communicated to you by the Merchant. You certify that you are either an account holder or an authorised signatory on the account listed above.',
    terms: {
      words: 'Direct Debit Request service agreement',
      url: 'https://stripe.com/au-becs-dd-service-agreement/legal',
    },
  },
};

/** Not `once`: an account that was typed in is verified by small deposits first, which takes a day or two. */
const ach: DebitScheme = {
  scheme: 'us_bank_account',
  title: 'ACH',
  currency: 'USD',
  settlesInDays: 4,
  fields: [
    name,
    email,
    phone,
    { name: 'accountHolderType', required: true },
    { name: 'accountType', required: true },
    ...account,
  ],
  mandate: {
    version: 'ach-1',
    text: 'You authorize {company} to debit the bank account specified above for any amount owed for charges arising from your use of {company}’s services or purchase of its products, according to its terms, until this authorization is revoked. If you use its services periodically, you authorize periodic debits; debits outside of these are made only after you have authorized them. You may amend or cancel this authorization at any time by giving {company} 30 days’ notice.',
  },
};

const bacs: DebitScheme = {
  scheme: 'bacs_debit',
  title: 'BACS',
  currency: 'GBP',
  settlesInDays: 7,
  once: true,
  fields: [name, email, phone, ...account, ...address],
  mandate: {
    version: 'bacs-1',
    text: 'I understand that {company} has partnered with Stripe, who collects Direct Debits on behalf of {company} and confirm that I am the account holder and the only person required to authorize debits from this account.',
  },
};

const sepa: DebitScheme = {
  scheme: 'sepa_debit',
  title: 'SEPA',
  currency: 'EUR',
  settlesInDays: 14,
  once: true,
  fields: [name, email, phone, numbered('iban'), ...address.map((field) => ({ ...field, required: false }))],
  mandate: {
    version: 'sepa-1',
    text: 'By providing your payment information and confirming this payment, you authorise (A) {company} and Stripe, our payment service provider, to send instructions to your bank to debit your account and (B) your bank to debit your account in accordance with those instructions. As part of your rights, you are entitled to a refund from your bank under the terms and conditions of your agreement with your bank. A refund must be claimed within 8 weeks starting from the date on which your account was debited. Your rights are explained in a statement that you can obtain from your bank. You agree to receive notifications for future debits up to 2 days before they occur.',
  },
};

/** Month and year are numbers in the specification's shape. */
const fieldsOf = (...shown: Parameters<typeof renamed>): WireFields =>
  Object.fromEntries(
    Object.entries(renamed(...shown)).map(([name, value]) => [
      name,
      name === 'expMonth' || name === 'year' ? Number(value) : value,
    ]),
  );

/** Member of the specification by Stripe's type, and its fields by ours (payments §3). */
const shapes: Readonly<Record<string, readonly [member: string, fields: Readonly<Record<string, string>>]>> =
  {
    card: [
      'stripeCard',
      { brand: 'brand', last4: 'last4', name: 'name', expMonth: 'expMonth', year: 'expYear' },
    ],
    au_becs_debit: ['aubecsDebit', { bsbNumber: 'routing', last4: 'last4' }],
    us_bank_account: [
      'usbankAccount',
      { routing_number: 'routing', last4: 'last4', bankName: 'bankName', accountType: 'accountType' },
    ],
    bacs_debit: ['bacsDebit', { sort_code: 'routing', last4: 'last4' }],
    sepa_debit: ['sepaDebit', { bank_code: 'routing', last4: 'last4', country: 'bankCountry' }],
  };

export const savedMethods: SavedMethodsManifest = {
  paths: {
    cards: '/v1/ec/payments/cards',
    accounts: '/v1/ec/payments/payment-methods',
    defaultSource: '/v1/ec/payments/customer-default-source',
  },
  token: /^(tok|pm)_[A-Za-z0-9_]{1,200}$/,
  cardFields: [
    { name: 'cardHolder', required: true },
    { name: 'country', required: true },
    { name: 'email', required: false },
  ],
  debits: { 1: becs, 2: ach, 3: bacs, 4: sepa },
  present({ show }) {
    const shape = shapes[show['type'] ?? ''];
    return shape === undefined ? {} : { [shape[0]]: fieldsOf(show, shape[1]) };
  },
};

// ---- The account ----

/**
 * The one API version of requests, replies and Stripe.js. Endpoints for webhooks should be created with it too.
 * Changing it means reading https://docs.stripe.com/changelog and `allowedTypes` in wire.ts.
 */
export const apiVersion = '2026-10-28.endive';

const minutes = 60_000;
const day = 24 * 60 * minutes;

/** How long after the last send a list that shows nothing proves that nothing was created. */
export const absenceProvenMs = 5 * minutes;
/** The same after a server error that Stripe saved and replays: it may have created the payment all the same. */
export const absenceAfterReplayed5xxMs = 30 * minutes;
/** Reading by id and sending again cost one request: while the payer waits, the outcome is known soon after an outage. */
const eager = { firstMs: 2_000, factor: 2, mostMs: 4_000 } as const;
/** A list is read in pages: an outage of two minutes is known half a minute after its end, a long one after a minute. */
const patient = { firstMs: 4_000, factor: 1.3, mostMs: 60_000 } as const;
/** Keys are kept for at least 24 h and then pruned; used later, the same key would charge again. */
export const keyLifeMs = day;

const seenAtOnce = { firstMs: 0, visibleMs: 0 } as const;
const readById = lookupBy('remote', { ...seenAtOnce, pause: eager });
const replay = lookupBy('replay', { firstMs: 2_000, validMs: keyLifeMs, pause: eager });
const scan = lookupBy('scan', { ...seenAtOnce, pause: patient, absenceProvenMs });

const settings = z.object({
  secretKey: configField(
    z
      .string()
      .check(z.trim(), z.regex(/^[sr]k_(test|live)_[A-Za-z0-9]+$/, 'must be a secret or restricted key')),
    {
      label: 'Secret key',
      secret: true,
      help: 'sk_… or rk_… of the account. It also selects test or live mode.',
    },
  ),
  publishableKey: configField(
    z.string().check(z.trim(), z.regex(/^pk_(test|live)_[A-Za-z0-9]+$/, 'must be a publishable key')),
    { label: 'Publishable key', secret: false, help: 'pk_… of the same account and mode.' },
  ),
  webhookSecrets: configField(
    z._default(z.array(z.string().check(z.trim(), z.regex(/^whsec_\S+$/, 'must be a signing secret'))), []),
    {
      label: 'Webhook signing secrets',
      secret: true,
      help: 'whsec_… of the endpoint; two while one is rolled.',
    },
  ),
  separateInputs: configField(z._default(z.boolean(), false), {
    label: 'Separate card inputs',
    secret: false,
    help: 'Card number, expiry date and CVC as three fields instead of one combined field.',
  }),
});

export type StripeSettings = z.output<typeof settings>;
export type StripeRole = 'api' | 'script' | 'challenge';

export const manifest = defineGateway({
  code: 1,
  id: 'stripe',
  displayName: 'Stripe',
  docs: 'https://docs.stripe.com/api',
  apiVersion,
  integrationType: 'Stripe',
  roles: {
    api: { production: 'https://api.stripe.com', underBase: '', isOrigin: true },
    script: { production: 'https://js.stripe.com/endive/stripe.js', underBase: '/stripe/v3/stripe.js' },
    challenge: { production: 'https://hooks.stripe.com', underBase: '' },
  },
  capabilities: {
    entry: {
      card: [{ how: 'providerFields', pci: 'A' }],
      bank: [{ how: 'ownFieldsToProvider', pci: 'A-EP' }],
    },
    currencies: 'any',
    minimumCharge: leastCharges,
    amountIncrement: chargeSteps,
    vault: {
      owner: 'gateway',
      list: ['card', 'bank'],
      update: [
        'expMonth',
        'expYear',
        'name',
        'email',
        'line1',
        'line2',
        'city',
        'state',
        'postalCode',
        'country',
      ],
      remove: 'remote',
    },
    oneOff: 'viaTemporaryMethod',
    settles: { card: 'atOnce', bank: 'later' },
    refund: { when: 'any', partial: true, voidBefore: true },
    repeat: 'replayed',
    lookup: [readById, replay, scan],
    refundLookup: [replay, scan],
    events: ['signedWebhook'],
    answerWithinMs: 20_000,
  },
  saved: savedMethods,
  config: settings,
  csp: { script: ['script'], frame: ['script', 'challenge'], connect: ['api'] },
  publicConfig: (config, addresses) => ({
    publishableKey: config.publishableKey,
    scriptUrl: addresses.script,
    separateInputs: config.separateInputs,
  }),
  keyMode: (settings) =>
    ['secretKey', 'publishableKey'].every((name) => /^[srp]k_test_/.test(String(settings[name])))
      ? 'test'
      : 'live',
});
