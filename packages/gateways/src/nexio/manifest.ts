import * as z from 'zod/mini';
import { type Capabilities, type Entry, lookupBy } from '../port/capabilities.ts';
import { configField, defineGateway } from '../port/define-gateway.ts';
import type { BillingOwner } from '../port/owner.ts';
import {
  type DebitScheme,
  renamed,
  type SavedBody,
  type SavedMethodsManifest,
  type WireFields,
} from '../port/saved-manifest.ts';

const seconds = 1_000;
const day = 24 * 60 * 60 * seconds;

const filled = () => z.string().check(z.trim(), z.minLength(1, 'must not be empty'));
const flag = () => z._default(z.boolean(), false);

const settings = z.object({
  environment: configField(z._default(z.enum(['live', 'test']), 'live'), {
    label: 'Environment',
    secret: false,
    help: 'live, or test for an account on the provider’s sandbox. Keys of one are unknown to the other.',
  }),
  username: configField(filled(), { label: 'API user name', secret: false }),
  password: configField(filled(), { label: 'API password', secret: true }),
  merchantId: configField(z.string().check(z.trim(), z.regex(/^\d{1,20}$/, 'must be digits')), {
    label: 'Merchant id (MID)',
    secret: false,
  }),
  publicKey: configField(
    z._default(z.string().check(z.regex(/^[A-Za-z0-9+/=\s]{0,1000}$/, 'must be base64')), ''),
    {
      label: 'Public key',
      secret: false,
      help: 'RSA, base64, as the provider gives it. Needed only where our own fields are encrypted.',
    },
  ),
  currency: configField(z._default(z.string().check(z.regex(/^[A-Z]{3}$/)), 'USD'), {
    label: 'Currency of the merchant id',
    secret: false,
    help: 'Upper-case ISO code.',
  }),
  check3ds: configField(flag(), {
    label: '3-D Secure',
    secret: false,
    help: 'Only where the provider has set it up: the payer may be sent to the card’s bank.',
  }),
  checkFraud: configField(flag(), {
    label: 'Fraud check',
    secret: false,
    help: 'Only where the provider has set it up; payments without its fingerprint may be rejected.',
  }),
  verifyCvc: configField(flag(), { label: 'Verify security codes of saved cards', secret: false }),
  webhookSecret: configField(z.optional(filled()), {
    label: 'Webhook secret',
    secret: true,
    help: 'For signed (legacy) webhooks. Without it any delivery is a hint to look, and is never believed.',
  }),
});

export type NexioSettings = z.output<typeof settings>;
export type NexioRole = 'api' | 'apiTest';

// ---- Bodies of the specification (payments §7) ----

/** Digits or a short text. */
const short = (longest: number) =>
  z.optional(
    z.union([z.int().check(z.minimum(0), z.maximum(999_999_999)), z.string().check(z.maxLength(longest))]),
  );
/** What a key of at most 4096 bits makes of a number. */
const ciphertext = z.optional(z.string().check(z.regex(/^[A-Za-z0-9+/]{300,700}={0,2}$/)));

const given = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => {
      const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
      return text === '' ? [] : [[name, text]];
    }),
  );

/** Whatever the customer of the body does not say. */
const ownerOf = (name: unknown, email?: unknown, line1?: unknown): BillingOwner => {
  const billing = given({ line1: typeof line1 === 'string' ? line1 : undefined });
  return { ...given({ name, email }), ...(Object.keys(billing).length > 0 && { billing }) };
};

/** `{firstSix, lastFour, cvv, cardType, expirationMonth, expirationYear, encryptedNumber, cardHolderName, customer{…}}` */
const cardBody: SavedBody = {
  at: 'cards',
  members: {
    firstSix: short(6),
    lastFour: short(4),
    cardType: short(20),
    expirationMonth: short(2),
    expirationYear: short(4),
    encryptedNumber: ciphertext,
    cardHolderName: z.optional(z.string().check(z.maxLength(100))),
  },
  read(body) {
    if (body['encryptedNumber'] === undefined) return undefined;
    const { firstSix, lastFour, cardType, expirationMonth, expirationYear, encryptedNumber } = body;
    return {
      kind: 'card',
      fields: given({ firstSix, lastFour, cardType, expirationMonth, expirationYear, encryptedNumber }),
      owner: ownerOf(body['cardHolderName']),
    };
  },
};

/** `{routingNumber, encryptedBankAccountNumber, accountHolderName, email, billingAddress, lastFour}` */
const accountBody: SavedBody = {
  at: 'accounts',
  members: {
    encryptedBankAccountNumber: ciphertext,
    lastFour: short(4),
    // A line, or all of it as in other bodies.
    billingAddress: z.optional(
      z.union([z.string().check(z.maxLength(200)), z.record(z.string(), z.string())]),
    ),
    // As the form names it.
    address: z.optional(z.string().check(z.maxLength(200))),
  },
  read(body) {
    const { token, routingNumber, encryptedBankAccountNumber, lastFour, email, address } = body;
    const line = typeof body['billingAddress'] === 'string' ? body['billingAddress'] : address;
    const owner = ownerOf(body['accountHolderName'], email, line);
    if (encryptedBankAccountNumber !== undefined)
      return { kind: 'bank', fields: given({ routingNumber, encryptedBankAccountNumber, lastFour }), owner };
    // The frame has saved it.
    return typeof token === 'string' ? { kind: 'bank', token, owner } : undefined;
  },
};

const ach: DebitScheme = {
  scheme: 'ach',
  title: 'ACH',
  currency: 'USD',
  settlesInDays: 5,
  fields: [
    { name: 'accountHolderName', required: true, max: 100 },
    { name: 'email', required: false },
    { name: 'address', required: false, max: 200 },
    { name: 'routingNumber', required: true, min: 9, max: 9 },
    { name: 'bankAccountNumber', required: true, min: 6, max: 17 },
  ],
  mandate: {
    version: 'nexio-1',
    text: 'I authorize {company} to debit the bank account indicated in this form for the amounts I owe, as they fall due or as I order them, by electronic funds transfer through the ACH network under its rules. I understand that this authorization remains in force until I revoke it here or notify {company}, in time for it to act on it.',
  },
};

/** How the customer of a saved method is called in the specification (payments §3). */
const customerNames = {
  payerFirstName: 'firstName',
  payerLastName: 'lastName',
  email: 'email',
  billingAddress: 'line1',
  billingAddress2: 'line2',
  city: 'city',
  state: 'state',
  zip: 'postalCode',
  country: 'country',
  billingPhone: 'phone',
  shippingAddress: 'shippingLine1',
  shippingPhone: 'shippingPhone',
} as const;

const savedMethods: SavedMethodsManifest = {
  paths: {
    cards: '/v1/ec/nexio/cards',
    accounts: '/v1/ec/nexio/ach',
    defaultSource: '/v1/ec/nexio/customer-default-source',
  },
  // A token of the vault, a uuid.
  token: /^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/,
  cardFields: [
    { name: 'cardHolder', required: true },
    { name: 'payerFirstName', required: true },
    { name: 'payerLastName', required: true },
    { name: 'shippingAddress', required: true },
    { name: 'email', required: false },
    { name: 'phone', required: false },
  ],
  debits: { 1: ach },
  bodies: [cardBody, accountBody],
  present({ kind, show }): Readonly<Record<string, WireFields>> {
    if (kind === 'bank')
      return {
        nexioAch: renamed(show, {
          accountHolderName: 'name',
          routingNumber: 'routing',
          accountAddress: 'line1',
          accountEmail: 'email',
          lastFour: 'last4',
        }),
      };
    return {
      nexioCard: {
        ...renamed(show, {
          cardType: 'brand',
          lastFour: 'last4',
          expirationMonth: 'expMonth',
          expirationYear: 'expYear',
        }),
        customer: renamed(show, customerNames),
      },
    };
  },
};

// ---- What it can do ----

/** The provider's frame first; ciphertext and security code through our server only where an account chooses it. */
const ways: readonly Entry[] = [
  { how: 'providerFrame', pci: 'A' },
  { how: 'ownFieldsEncrypted', pci: 'D' },
];

/** Its lists show a transaction within a minute, and possibly later: what is not there proves nothing. */
const pause = { firstMs: 60 * seconds, factor: 2, mostMs: day };
const byId = lookupBy('remote', { firstMs: 0, pause: { ...pause, firstMs: 5 * seconds } });
const byScan = lookupBy('scan', { firstMs: 60 * seconds, pause });

const capabilities: Capabilities = {
  entry: { card: ways, bank: ways },
  currencies: 'any',
  vault: {
    // Cards can be listed, bank accounts cannot: the one list that has all is ours.
    owner: 'ours',
    list: [],
    update: [
      'expMonth',
      'expYear',
      'name',
      'email',
      'phone',
      'line1',
      'line2',
      'city',
      'state',
      'postalCode',
      'country',
    ],
    // No call changes an account.
    updateBank: [],
    remove: 'remote',
  },
  oneOff: 'viaTemporaryMethod',
  settles: { card: 'atOnce', bank: 'later' },
  refund: { when: 'afterSettlement', partial: true, voidBefore: true },
  repeat: 'charges',
  lookup: [byId, byScan],
  refundLookup: [byScan],
  events: ['signedWebhook', 'unsignedWebhook'],
  // A returned debit is told by no event that is documented.
  recheckMs: { bank: [3 * day, 7 * day, 30 * day] },
  answerWithinMs: 60 * seconds,
};

export const manifest = defineGateway<NexioRole, typeof settings>({
  code: 8,
  id: 'nexio',
  displayName: 'Nexio',
  docs: 'https://docs.nexiopay.com',
  apiVersion: 'v3',
  integrationType: 'Nexio',
  roles: {
    api: { production: 'https://api.nexiopay.com', underBase: '/nexio' },
    apiTest: { production: 'https://api.nexiopaysandbox.com', underBase: '/nexio' },
  },
  capabilities,
  saved: savedMethods,
  payOnceFields: [
    { name: 'cardHolder', required: true },
    { name: 'payerFirstName', required: true },
    { name: 'payerLastName', required: true },
    { name: 'email', required: false },
  ],
  config: settings,
  csp: { script: [], frame: ['api', 'apiTest'], connect: [] },
  publicConfig: ({ publicKey }) => ({ publishableKey: publicKey.replace(/\s/g, '') }),
  keyMode: ({ environment }) => (environment === 'test' ? 'test' : 'live'),
});
