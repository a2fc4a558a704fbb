import * as z from 'zod/mini';
import { type Capabilities, type Entry, lookupBy } from '../port/capabilities.ts';
import { configField, defineGateway } from '../port/define-gateway.ts';
import {
  type DebitScheme,
  renamed,
  type SavedBody,
  type SavedMethodsManifest,
} from '../port/saved-manifest.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const days = 24 * hours;

/** The right to read transactions: without it a lost payment cannot be looked up (E00011). */
export const readRight = 'transactions.read';

/** Seconds for which equal contents are one transaction; more is cut to this. Sent with every charge: only then is the original named. */
export const duplicateWindowSeconds = 28_800;
/**
 * A request that is sent again within the window names the original, later it charges. The window runs from when the first
 * one arrived; ten minutes are left for clocks that differ.
 */
export const replayMs = duplicateWindowSeconds * 1000 - 10 * minutes;

/** Holders of accounts agree to one debit over the web or to later ones; what it must say: Nacha Operating Rules, WEB entries. */
const ach: DebitScheme = {
  scheme: 'ach',
  title: 'ACH',
  currency: 'USD',
  settlesInDays: 1,
  once: true,
  fields: [
    { name: 'nameOnAccount', required: true, max: 22 },
    { name: 'routingNumber', required: true, min: 9, max: 9 },
    { name: 'accountNumber', required: true, min: 5, max: 17 },
    { name: 'bankName', required: true, max: 50 },
    { name: 'accountType', required: true },
  ],
  mandate: {
    version: 'web-1',
    text: 'By confirming, you authorize {company} to debit the bank account specified above electronically for what you pay or owe {company}, and, if an entry is made in error, to credit it. You can revoke this authorization for later debits at any time by giving {company} notice with 30 days’ time to act. You confirm that the account is yours and in the United States.',
  },
};

/** Members of the specification (payments §3) by our names; what is not known stays away. */
const shapes = {
  card: ['authorizeCard', { brand: 'brand', last4: 'last4' }],
  bank: [
    'authorizeBankAccount',
    {
      nameOnAccount: 'name',
      accountNumber: 'last4',
      routingNumber: 'routing',
      bankName: 'bankName',
      accountType: 'accountType',
    },
  ],
} as const;

const short = z.optional(z.string().check(z.maxLength(200)));
const textOf = (body: Readonly<Record<string, unknown>>, name: string): string | undefined => {
  const value = body[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
};

/** A card with the address beside it, as the specification has it flat; `addressCountry` is the country's code. */
const cardBody: SavedBody = {
  at: 'cards',
  members: {
    company: short,
    address: short,
    city: short,
    state: short,
    zip: short,
    country: short,
    addressCountry: short,
  },
  read(body) {
    const [token, company] = [textOf(body, 'token'), textOf(body, 'company')];
    const [line1, city, state, postalCode] = ['address', 'city', 'state', 'zip'].map((name) =>
      textOf(body, name),
    );
    const country = textOf(body, 'addressCountry') ?? textOf(body, 'country');
    const billing = given({ line1, city, state, postalCode, country });
    if (company === undefined && Object.keys(billing).length === 0) return undefined;
    return { token, kind: 'card', owner: { ...given({ company }), billing } };
  },
};

/** An account whose numbers Accept.js has taken. */
const accountBody: SavedBody = {
  at: 'accounts',
  members: { nameOnAccount: short, bankName: short, accountType: short },
  read(body) {
    const [token, name] = [textOf(body, 'token'), textOf(body, 'nameOnAccount')];
    if (name === undefined) return undefined;
    return { token, kind: 'bank', owner: { name }, beside: given({ bankName: textOf(body, 'bankName') }) };
  },
};

/** Without what is not there. */
const given = (members: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

export const savedMethods: SavedMethodsManifest = {
  paths: {
    cards: '/v1/ec/autorize/cards',
    accounts: '/v1/ec/autorize/ach',
    defaultSource: '/v1/ec/autorize/customer-default-source',
  },
  // A nonce of Accept.js (`dataValue`): longer than any card number, and several hundred characters now and then.
  token: /^[A-Za-z0-9+/=_-]{20,}$/,
  // Nothing is asked for when a card is added.
  cardFields: ['company', 'address', 'city', 'state', 'zip', 'country'].map((name) => ({
    name,
    required: false,
  })),
  changeNeeds: ['country'],
  bodies: [cardBody, accountBody],
  debits: { 1: ach },
  present({ kind, show }) {
    const [member, names] = shapes[kind];
    return { [member]: renamed(show, names) };
  },
};

/** Accept.js first; numbers through our server only where an account chooses it. */
const ways: readonly Entry[] = [
  { how: 'ownFieldsToProvider', pci: 'A-EP' },
  { how: 'ownFieldsToUs', pci: 'D' },
];

const settings = z.object({
  apiLoginId: configField(z.string().check(z.trim(), z.minLength(1), z.maxLength(25)), {
    label: 'API login ID',
    secret: false,
  }),
  transactionKey: configField(z.string().check(z.trim(), z.minLength(1), z.maxLength(16)), {
    label: 'Transaction key',
    secret: true,
    help: 'Of the same account; sandbox and production accounts have different ones.',
  }),
  publicClientKey: configField(z.string().check(z.trim(), z.minLength(1), z.maxLength(200)), {
    label: 'Public client key',
    secret: false,
    help: 'For Accept.js: Account > Settings > Manage Public Client Key.',
  }),
  signatureKeys: configField(
    z._default(
      z.array(z.string().check(z.trim(), z.regex(/^[0-9A-Fa-f]{32,256}$/, 'must be a signature key'))),
      [],
    ),
    { label: 'Signature keys', secret: true, help: 'For webhooks; two while one is replaced.' },
  ),
  signatureKeyEncoding: configField(z._default(z.enum(['text', 'hex']), 'text'), {
    label: 'Use of the signature key',
    secret: false,
    help: 'text: as displayed, which is how deliveries are signed; hex: decoded.',
  }),
  currency: configField(
    z._default(z.enum(['USD', 'CAD', 'GBP', 'EUR', 'AUD', 'NZD', 'CHF', 'DKK', 'NOK', 'SEK', 'PLN']), 'USD'),
    { label: 'Currency of the account', secret: false, help: 'An account has one.' },
  ),
  validation: configField(z._default(z.enum(['liveMode', 'testMode']), 'liveMode'), {
    label: 'Check of a card that is saved',
    secret: false,
    help: 'liveMode asks its bank; testMode checks its number only, for processors that refuse zero amounts.',
  }),
});

export type AuthorizeNetSettings = z.output<typeof settings>;
export type AuthorizeNetRole = 'api' | 'script';

const capabilities: Capabilities = {
  entry: { card: ways, bank: ways },
  currencies: ['USD', 'CAD', 'GBP', 'EUR', 'AUD', 'NZD', 'CHF', 'DKK', 'NOK', 'SEK', 'PLN'],
  vault: {
    owner: 'gateway',
    list: ['card', 'bank'],
    update: [
      'expMonth',
      'expYear',
      'name',
      'company',
      'line1',
      'city',
      'state',
      'postalCode',
      'country',
      'phone',
      'bankName',
      'accountType',
    ],
    remove: 'remote',
  },
  oneOff: 'direct',
  settles: { card: 'atOnce', bank: 'later' },
  refund: { when: 'afterSettlement', partial: true, voidBefore: true },
  repeat: 'windowed',
  lookup: [
    lookupBy('remote', {
      needs: readRight,
      firstMs: 0,
      visibleMs: 0,
      pause: { firstMs: 4_000, factor: 1.5, mostMs: 30 * minutes },
    }),
    lookupBy('replay', {
      // The first request may still run: two minutes are longer than any processor takes.
      savedMethodOnly: true,
      methodUnchanged: true,
      firstMs: 2 * minutes,
      validMs: replayMs,
      pause: { firstMs: 30_000, factor: 2, mostMs: 5 * minutes },
    }),
    lookupBy('scan', {
      needs: readRight,
      firstMs: minutes,
      pause: { firstMs: 30_000, factor: 1.5, mostMs: 30 * minutes },
    }),
  ],
  refundLookup: [
    lookupBy('scan', {
      needs: readRight,
      firstMs: minutes,
      pause: { firstMs: 30_000, factor: 1.5, mostMs: 30 * minutes },
    }),
  ],
  events: ['signedWebhook', 'poll'],
  // Returns come 2 to 60 days after an account was debited, and no event tells them.
  recheckMs: { bank: [2, 4, 7, 14, 30, 61].map((day) => day * days) },
  answerWithinMs: 90_000,
};

/** What one account can do: it has one currency. */
export const capabilitiesOf = ({ currency }: AuthorizeNetSettings): Capabilities => ({
  ...capabilities,
  currencies: [currency],
});

export const manifest = defineGateway({
  code: 2,
  id: 'authorize-net',
  displayName: 'Authorize.Net',
  docs: 'https://developer.authorize.net/api/reference/',
  apiVersion: '2026-02',
  integrationType: 'AuthorizeNet',
  roles: {
    api: {
      production: 'https://api.authorize.net/xml/v1/request.api',
      underBase: '/authorize-net/xml/v1/request.api',
    },
    script: {
      production: 'https://js.authorize.net/v1/Accept.js',
      underBase: '/authorize-net/v1/Accept.js',
    },
  },
  capabilities,
  saved: savedMethods,
  config: settings,
  // Accept.js calls the API from the page.
  csp: { script: ['script'], frame: [], connect: ['api'] },
  publicConfig: (config, addresses) => ({
    apiLoginId: config.apiLoginId,
    clientKey: config.publicClientKey,
    scriptUrl: addresses.script,
  }),
});
