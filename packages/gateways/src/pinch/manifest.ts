import * as z from 'zod/mini';
import { lookupBy } from '../port/capabilities.ts';
import { configField, defineGateway } from '../port/define-gateway.ts';
import { type FormField, renamed, type SavedMethodsManifest } from '../port/saved-manifest.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

/** How long a charge or refund may take; the provider publishes no limit. */
export const moneyWithinMs = 30 * seconds;
/** Everything else: a token, a payer, a source, a look-up. */
export const adminWithinMs = 10 * seconds;
/** A request may still be running for this long, so nothing is sent again before. */
const stillRunningMs = 2 * minutes;
/** How long a nonce is known is not documented. */
const sendAgainForMs = 60 * minutes;

const key = (pattern: RegExp, words: string) => z.string().check(z.trim(), z.regex(pattern, words));

const settings = z.object({
  applicationId: configField(key(/^(app|mch)_\w{1,60}$/, 'begins with app_'), {
    label: 'Application id',
    secret: false,
    help: 'Of an application of the merchant. Test and live have applications of their own.',
  }),
  secretKey: configField(key(/^\S{1,200}$/, 'must not be empty'), {
    label: 'Secret key',
    secret: true,
  }),
  publishableKey: configField(key(/^pk_(test|live)_\w{1,100}$/, 'begins with pk_test_ or pk_live_'), {
    label: 'Publishable key',
    secret: false,
    help: 'It tells test from live: all calls go where it belongs.',
  }),
  currency: configField(z._default(z.enum(['AUD', 'NZD']), 'AUD'), {
    label: 'Currency of the merchant',
    secret: false,
    help: 'AUD or NZD. A merchant takes one currency.',
  }),
  merchantId: configField(z._default(key(/^(mch_\w{1,60})?$/, 'begins with mch_'), ''), {
    label: 'Managed merchant',
    secret: false,
    help: 'Only where the application belongs to somebody who manages several merchants.',
  }),
  webhookSecrets: configField(
    z._default(
      z.pipe(
        z.union([
          z.array(z.string()),
          z.pipe(
            z.string(),
            z.transform((text) => text.split(',')),
          ),
        ]),
        z.array(key(/^\S{8,200}$/, 'has at least 8 characters')),
      ),
      [],
    ),
    {
      label: 'Webhook secrets',
      secret: true,
      help: 'One or more, separated by commas. Without one, events are fetched every few minutes only.',
    },
  ),
});

export type PinchSettings = z.output<typeof settings>;
export type PinchRole = 'auth' | 'api';

/** Test or live: the first step of every path, and the keys. */
export const modeOf = ({ publishableKey }: Pick<PinchSettings, 'publishableKey'>): 'test' | 'live' =>
  publishableKey.startsWith('pk_test_') ? 'test' : 'live';

/** A payer at Pinch has a name and an e-mail address (payments §5). */
const payerFields: readonly FormField[] = [
  { name: 'cardHolder', required: true, max: 100 },
  { name: 'email', required: true, max: 200 },
];

const savedMethods: SavedMethodsManifest = {
  paths: {
    cards: '/v1/ec/payments/cards',
    accounts: '/v1/ec/payments/cards',
    defaultSource: '/v1/ec/payments/customer-default-source',
  },
  token: /^tkn_[A-Za-z0-9_-]{1,100}$/,
  cardFields: payerFields,
  debits: {},
  present({ show }) {
    const names = {
      brand: 'brand',
      cardNumber: 'number',
      name: 'name',
      expMonth: 'expMonth',
      year: 'expYear',
    };
    return { pinchCard: renamed(show, names) };
  },
};

const pause = { firstMs: 5 * seconds, factor: 2, mostMs: 60 * minutes };

/** The same nonce again: charged once, or answered as at first. */
const byNonce = lookupBy('replay', {
  firstMs: stillRunningMs,
  validMs: sendAgainForMs,
  pause: { firstMs: stillRunningMs, factor: 2, mostMs: 10 * minutes },
});

export const manifest = defineGateway<PinchRole, typeof settings>({
  code: 6,
  id: 'pinch',
  displayName: 'Pinch',
  docs: 'https://docs.getpinch.com.au',
  apiVersion: '2020.1',
  integrationType: 'Pinch',
  roles: {
    auth: { production: 'https://auth.getpinch.com.au', underBase: '/pinch/auth' },
    api: { production: 'https://api.getpinch.com.au', underBase: '/pinch/api' },
  },
  capabilities: {
    entry: { card: [{ how: 'ownFieldsToProvider', pci: 'A-EP' }] },
    currencies: ['AUD', 'NZD'],
    vault: { owner: 'gateway', list: ['card'], update: [], remove: 'remote' },
    oneOff: 'viaTemporaryMethod',
    settles: { card: 'atOnce' },
    refund: { when: 'any', partial: true, voidBefore: false },
    repeat: 'replayed',
    lookup: [
      lookupBy('ref', {
        // Free, and at any time; what it does not see may still be on its way.
        firstMs: 5 * seconds,
        pause,
      }),
      byNonce,
    ],
    refundLookup: [
      lookupBy('ref', {
        firstMs: 5 * seconds,
        pause: { ...pause, mostMs: 6 * 60 * minutes },
      }),
      byNonce,
    ],
    events: ['signedWebhook', 'poll'],
    // Token, payer and source of a one-off come before its charge.
    answerWithinMs: 3 * adminWithinMs + moneyWithinMs,
  },
  saved: savedMethods,
  payOnceFields: payerFields,
  config: settings,
  csp: { script: [], frame: [], connect: ['api'] },
  publicConfig: (config, { api }) => ({
    publishableKey: config.publishableKey,
    tokenUrl: `${api}/${modeOf(config)}/tokens`,
  }),
  keyMode: ({ publishableKey }) => modeOf({ publishableKey: String(publishableKey) }),
});
