import * as z from 'zod/mini';
import { lookupBy } from '../port/capabilities.ts';
import { configField, defineGateway } from '../port/define-gateway.ts';
import { renamed, type SavedMethodsManifest } from '../port/saved-manifest.ts';

const seconds = 1_000;
const minutes = 60 * seconds;

/** A purchase answers late where the issuer does: the vendor's own client waits this long. */
export const purchaseWithinMs = 35 * seconds;
/** What asks no issuer. */
export const adminWithinMs = 10 * seconds;
/** A key made of a hosted frame or of a posted number is good for this long. */
export const temporaryKeyMs = 15 * minutes;

const flag = (isOn: boolean) => z._default(z.boolean(), isOn);

const settings = z.object({
  environment: configField(z._default(z.enum(['live', 'test']), 'live'), {
    label: 'Environment',
    secret: false,
    help: 'live, or test for a store on the provider’s test host. Keys of one are unknown to the other.',
  }),
  storeId: configField(
    z.string().check(z.trim(), z.regex(/^[A-Za-z0-9_-]{1,25}$/, 'must be letters, digits, - or _')),
    {
      label: 'Store id',
      secret: false,
    },
  ),
  apiToken: configField(z.string().check(z.trim(), z.minLength(1, 'must not be empty')), {
    label: 'API token',
    secret: true,
  }),
  profileId: configField(
    z.string().check(z.trim(), z.regex(/^[A-Za-z0-9_-]{1,50}$/, 'must be letters, digits, - or _')),
    {
      label: 'Hosted tokenization profile',
      secret: false,
      help: 'Its source domain must be that of the portal.',
    },
  ),
  currency: configField(z._default(z.enum(['CAD', 'USD']), 'CAD'), {
    label: 'Currency of the store',
    secret: false,
    help: 'CAD or USD. A store takes one currency.',
  }),
  cryptType: configField(z._default(z.string().check(z.regex(/^[1-7]$/, 'must be 1 to 7')), '7'), {
    label: 'E-commerce indicator',
    secret: false,
    help: '7 unless the provider has told another.',
  }),
  verifiesCards: configField(flag(true), {
    label: 'Verify cards that are saved',
    secret: false,
    help: 'The issuer is asked before a card is saved, and its security code is checked only then.',
  }),
  sendsCode: configField(flag(true), { label: 'Send security codes', secret: false }),
  sendsAddress: configField(flag(false), {
    label: 'Send billing addresses',
    secret: false,
    help: 'For stores with address verification.',
  }),
  descriptor: configField(
    z._default(
      z.string().check(z.regex(/^[A-Za-z0-9 .-]{0,20}$/, 'must be at most 20 letters and digits')),
      '',
    ),
    {
      label: 'Text on statements',
      secret: false,
      help: 'Follows the merchant’s name. Empty: the provider’s usual text.',
    },
  ),
});

export type MonerisSettings = z.output<typeof settings>;
export type MonerisRole = 'api' | 'apiTest' | 'frame' | 'frameTest';

/** Of the specification's own body (payments §5): digits, the year with or without its century. */
const monthOrYear = z.optional(z.union([z.int(), z.string().check(z.regex(/^\d{1,4}$/))]));

const savedMethods: SavedMethodsManifest = {
  paths: {
    cards: '/v1/ec/moneris/cards',
    accounts: '/v1/ec/moneris/cards',
    defaultSource: '/v1/ec/moneris/customer-default-source',
  },
  token: /^ot-[A-Za-z0-9]{20,25}$/,
  cardFields: [
    { name: 'phone', required: false, max: 30 },
    { name: 'email', required: false, max: 50 },
  ],
  bodies: [
    {
      at: 'cards',
      members: { expMonth: monthOrYear, expYear: monthOrYear },
      read({ token, expMonth, expYear, phone, email }) {
        if (expMonth === undefined || expYear === undefined) return undefined;
        const year = String(expYear).padStart(4, '20');
        return {
          kind: 'card',
          ...(typeof token === 'string' && { token }),
          beside: { expirationDate: `${year}-${String(expMonth).padStart(2, '0')}` },
          owner: {
            ...(typeof phone === 'string' && { phone }),
            ...(typeof email === 'string' && { email }),
          },
        };
      },
    },
  ],
  debits: {},
  present({ show }) {
    return {
      monerisCard: renamed(show, {
        cardNumber: 'number',
        brand: 'brand',
        last4: 'last4',
        expMonth: 'expMonth',
        year: 'expYear',
        phone: 'phone',
        email: 'email',
      }),
    };
  },
};

const servlet = '/gateway2/servlet/MpgRequest';
const frame = '/HPPtoken/index.php';

export const manifest = defineGateway<MonerisRole, typeof settings>({
  code: 5,
  id: 'moneris',
  displayName: 'Moneris',
  docs: 'https://developer.moneris.com',
  // The wire has no version: the description of the XML API that this was built from.
  apiVersion: 'mpg-2024',
  integrationType: 'Moneris',
  roles: {
    api: { production: `https://mpg1.moneris.io${servlet}`, underBase: `/moneris${servlet}` },
    apiTest: { production: `https://mpg1t.moneris.io${servlet}`, underBase: `/moneris${servlet}` },
    frame: { production: `https://www3.moneris.com${frame}`, underBase: `/moneris${frame}` },
    frameTest: { production: `https://esqa.moneris.com${frame}`, underBase: `/moneris${frame}` },
  },
  capabilities: {
    entry: {
      card: [
        { how: 'providerFrame', pci: 'A' },
        { how: 'ownFieldsToUs', pci: 'D' },
      ],
    },
    currencies: ['CAD', 'USD'],
    vault: {
      owner: 'ours',
      list: [],
      update: ['expMonth', 'expYear', 'phone', 'email'],
      remove: 'remote',
    },
    oneOff: 'viaTemporaryMethod',
    settles: { card: 'atOnce' },
    refund: { when: 'any', partial: true, voidBefore: true },
    repeat: 'refused',
    lookup: [
      lookupBy('ref', {
        // A status check: within two minutes, and never a second time.
        firstMs: 5 * seconds,
        validMs: 2 * minutes,
        maxAttempts: 1,
        pause: { firstMs: 2 * minutes, factor: 1, mostMs: 2 * minutes },
      }),
      lookupBy('replay', {
        // The same order id once more: taken once at the most, and refused without the result where it was taken before.
        firstMs: 2 * minutes,
        validMs: temporaryKeyMs,
        maxAttempts: 1,
        pause: { firstMs: temporaryKeyMs, factor: 1, mostMs: temporaryKeyMs },
      }),
    ],
    // A refund carries the order id of its charge and none of its own.
    refundLookup: [],
    events: [],
    answerWithinMs: 2 * adminWithinMs + purchaseWithinMs,
  },
  saved: savedMethods,
  config: settings,
  csp: { script: [], frame: ['frame', 'frameTest'], connect: [] },
  publicConfig: ({ environment, profileId, sendsCode }, addresses) => ({
    frameUrl: `${environment === 'test' ? addresses.frameTest : addresses.frame}?id=${profileId}${sendsCode ? '&enable_cvd=1' : ''}`,
  }),
  keyMode: ({ environment }) => (environment === 'test' ? 'test' : 'live'),
});
