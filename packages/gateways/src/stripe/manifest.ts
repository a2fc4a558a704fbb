import * as z from 'zod/mini';
import { configField, defineGateway } from '../port/define-gateway.ts';
import { leastCharges } from './least.ts';
import { savedMethods } from './saved.ts';
import { chargeSteps } from './wire-amount.ts';

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
    lookup: [
      {
        by: 'remote',
        mayCharge: false,
        savedMethodOnly: false,
        firstMs: 0,
        visibleMs: 0,
        validMs: 'unknown',
        maxAttempts: 'any',
        pause: eager,
        absenceProvenMs: 'never',
      },
      {
        by: 'replay',
        mayCharge: true,
        savedMethodOnly: false,
        firstMs: 2_000,
        visibleMs: 0,
        validMs: keyLifeMs,
        maxAttempts: 'any',
        pause: eager,
        absenceProvenMs: 'never',
      },
      {
        by: 'scan',
        mayCharge: false,
        savedMethodOnly: false,
        firstMs: 0,
        visibleMs: 0,
        validMs: 'unknown',
        maxAttempts: 'any',
        pause: patient,
        absenceProvenMs,
      },
    ],
    refundLookup: [
      {
        by: 'replay',
        mayCharge: true,
        savedMethodOnly: false,
        firstMs: 2_000,
        visibleMs: 0,
        validMs: keyLifeMs,
        maxAttempts: 'any',
        pause: eager,
        absenceProvenMs: 'never',
      },
      {
        by: 'scan',
        mayCharge: false,
        savedMethodOnly: false,
        firstMs: 0,
        visibleMs: 0,
        validMs: 'unknown',
        maxAttempts: 'any',
        pause: patient,
        absenceProvenMs,
      },
    ],
    events: ['signedWebhook'],
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
