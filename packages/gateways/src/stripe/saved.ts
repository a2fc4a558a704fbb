/**
 * Saved methods of Stripe, as data: paths, forms, mandates and the specification's shapes.
 *
 * What account holders agree to is prescribed by the schemes and by Stripe, word for word:
 * https://docs.stripe.com/payments/au-becs-debit#mandates, …/bacs-debit/mandate-collection-requirements,
 * …/sepa-debit#mandates; for ACH the content is, https://docs.stripe.com/payments/ach-direct-debit#mandates.
 */
import type { DebitScheme, FormField, SavedMethodsManifest, WireFields } from '../port/saved-manifest.ts';

const name: FormField = { name: 'accountHolderName', required: true, min: 4 };
const email: FormField = { name: 'email', required: true };
const phone: FormField = { name: 'phone', required: false };
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
  fields: [
    name,
    email,
    phone,
    { name: 'routingNumber', required: true, min: 5 },
    { name: 'bankAccountNumber', required: true, min: 5 },
  ],
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
    { name: 'routingNumber', required: true, min: 5 },
    { name: 'bankAccountNumber', required: true, min: 5 },
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
  fields: [
    name,
    email,
    phone,
    { name: 'routingNumber', required: true, min: 5 },
    { name: 'bankAccountNumber', required: true, min: 5 },
    ...address,
  ],
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
  fields: [
    name,
    email,
    phone,
    { name: 'iban', required: true, min: 5 },
    ...address.map((field) => ({ ...field, required: false })),
  ],
  mandate: {
    version: 'sepa-1',
    text: 'By providing your payment information and confirming this payment, you authorise (A) {company} and Stripe, our payment service provider, to send instructions to your bank to debit your account and (B) your bank to debit your account in accordance with those instructions. As part of your rights, you are entitled to a refund from your bank under the terms and conditions of your agreement with your bank. A refund must be claimed within 8 weeks starting from the date on which your account was debited. Your rights are explained in a statement that you can obtain from your bank. You agree to receive notifications for future debits up to 2 days before they occur.',
  },
};

/** `show` under other names; what is not there stays away. */
function renamed(
  show: Readonly<Record<string, string>>,
  names: Readonly<Record<string, string>>,
): WireFields {
  const entries = Object.entries(names).flatMap(([wire, own]) => {
    const value = show[own];
    if (value === undefined) return [];
    return [[wire, wire === 'expMonth' || wire === 'year' ? Number(value) : value] as const];
  });
  return Object.fromEntries(entries);
}

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
    return shape === undefined ? {} : { [shape[0]]: renamed(show, shape[1]) };
  },
};
