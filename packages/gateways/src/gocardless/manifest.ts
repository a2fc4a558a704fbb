import * as z from 'zod/mini';
import { lookupBy } from '../port/capabilities.ts';
import { configField, defineGateway } from '../port/define-gateway.ts';
import { type DebitScheme, renamed, type SavedMethodsManifest } from '../port/saved-manifest.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

/** Longest wait for one answer of a call; a payment takes two of them where its key was used before, and one more for its events. */
export const callWithinMs = 10 * seconds;
/** How long a key may be sent again. The provider does not say how long it knows one: no longer than a payer is there. */
export const keyTrustedMs = 30 * minutes;

const settings = z.object({
  environment: configField(z._default(z.enum(['live', 'sandbox']), 'live'), {
    label: 'Environment',
    secret: false,
    help: 'live, or sandbox for a test account of the provider. Each has tokens of its own.',
  }),
  accessToken: configField(
    z.string().check(z.trim(), z.regex(/^[\w.~+/=-]{1,200}$/, 'must be an access token')),
    { label: 'Access token', secret: true, help: 'With the right to read and write.' },
  ),
  webhookSecrets: configField(
    z._default(z.array(z.string().check(z.trim(), z.minLength(1, 'must not be empty'))), []),
    { label: 'Webhook secrets', secret: true, help: 'Of the endpoint; two while one is replaced.' },
  ),
  creditor: configField(
    z._default(z.string().check(z.trim(), z.regex(/^(CR\w{1,60})?$/, 'must be an id such as CR123')), ''),
    { label: 'Creditor', secret: false, help: 'CR…, where the account has several; else empty.' },
  ),
});

export type GocardlessSettings = z.output<typeof settings>;
export type GocardlessRole = 'api' | 'apiSandbox';

/** The provider's page asks for the account, and its holder agrees to the mandate there. */
const debit = (
  scheme: string,
  currency: string,
  settlesInDays: number,
  title: DebitScheme['title'] = 'Direct Debit',
): DebitScheme => ({ scheme, title, currency, settlesInDays, fields: [] });

const debits: readonly DebitScheme[] = [
  debit('becs', 'AUD', 3),
  debit('becs_nz', 'NZD', 3),
  debit('bacs', 'GBP', 4, 'BACS'),
  debit('sepa_core', 'EUR', 5, 'SEPA'),
  debit('ach', 'USD', 5, 'ACH'),
  debit('pad', 'CAD', 6),
  debit('autogiro', 'SEK', 5),
  debit('betalingsservice', 'DKK', 5),
];

const digits: Readonly<Record<string, string>> = { last4: 'last4' };
/** Member of the specification by the provider's scheme, and its fields by ours. Bank and branch codes are never told. */
const shapes: Readonly<Record<string, readonly [member: string, fields: Readonly<Record<string, string>>]>> =
  {
    becs: ['aubecsDebit', digits],
    bacs: ['bacsDebit', digits],
    sepa_core: ['sepaDebit', { last4: 'last4', country: 'bankCountry' }],
    ach: ['usbankAccount', { last4: 'last4', bankName: 'bankName' }],
  };

const accounts = '/v1/ec/payments/payment-methods';

const savedMethods: SavedMethodsManifest = {
  paths: {
    cards: accounts,
    accounts,
    defaultSource: '/v1/ec/payments/customer-default-source',
  },
  // Nothing is entered on our pages, so there are none.
  token: /^(?!)/,
  cardFields: [],
  debits: { 1: debits },
  present({ show }) {
    const shape = shapes[show['type'] ?? ''];
    // The others are shown by the members that all bank accounts have.
    return shape === undefined ? {} : { [shape[0]]: renamed(show, shape[1]) };
  },
};

/** While the payer waits. */
const eager = { firstMs: 4 * seconds, factor: 2, mostMs: minutes } as const;
/** What is accepted stays on its way for days, and events tell of it. */
const patient = { firstMs: minutes, factor: 2, mostMs: 60 * minutes } as const;

/** A repeated key is answered with the name of what it made; a first one makes it. */
const byKey = { firstMs: 5 * seconds, validMs: keyTrustedMs, pause: eager } as const;
const byList = { firstMs: minutes, pause: patient } as const;
const savedOnly = { savedMethodOnly: true } as const;

export const manifest = defineGateway<GocardlessRole, typeof settings>({
  code: 12,
  id: 'gocardless',
  displayName: 'GoCardless',
  docs: 'https://developer.gocardless.com/api-reference',
  apiVersion: '2015-07-06',
  integrationType: 'GoCardless',
  roles: {
    api: { production: 'https://api.gocardless.com', underBase: '/gocardless/api' },
    apiSandbox: { production: 'https://api-sandbox.gocardless.com', underBase: '/gocardless/api' },
  },
  capabilities: {
    entry: { bank: [{ how: 'redirect', pci: 'A' }] },
    currencies: debits.map(({ currency }) => currency),
    vault: { owner: 'gateway', list: ['bank'], update: [], remove: 'remote' },
    oneOff: 'no',
    settles: { bank: 'later' },
    refund: { when: 'any', partial: true, voidBefore: false },
    repeat: 'replayed',
    lookup: [
      lookupBy('remote', { firstMs: 0, visibleMs: 0, pause: patient }),
      lookupBy('replay', { ...byKey, ...savedOnly }),
      lookupBy('scan', { ...byList, ...savedOnly }),
    ],
    refundLookup: [lookupBy('replay', byKey), lookupBy('scan', byList)],
    events: ['signedWebhook', 'poll'],
    answerWithinMs: 3 * callWithinMs,
  },
  saved: savedMethods,
  config: settings,
  csp: { script: [], frame: [], connect: [] },
  publicConfig: () => ({}),
  // A token of one environment is unknown in the other.
  keyMode: ({ environment, accessToken }) =>
    environment === 'sandbox' && !/^live_/.test(String(accessToken)) ? 'test' : 'live',
});
