import * as z from 'zod/mini';
import { lookupBy } from '../port/capabilities.ts';
import { configField, defineGateway } from '../port/define-gateway.ts';
import type { DebitScheme } from '../port/saved-manifest.ts';

const filled = () => z.string().check(z.trim(), z.minLength(1, 'must not be empty'));

const settings = z.object({
  username: configField(filled(), { label: 'API user name', secret: false }),
  merchantNumber: configField(filled(), {
    label: 'Merchant number',
    secret: false,
    help: 'It is part of the sign-in: user name|merchant number.',
  }),
  password: configField(filled(), { label: 'API password', secret: true }),
  billerCode: configField(z.optional(filled()), {
    label: 'Biller code',
    secret: false,
    help: 'Only for facilities with several billers.',
  }),
  currency: configField(z._default(z.string().check(z.regex(/^[A-Z]{3}$/)), 'AUD'), {
    label: 'Currency',
    secret: false,
    help: 'Of the facility: what it is paid in.',
  }),
  testMode: configField(z._default(z.boolean(), true), {
    label: 'Test mode',
    secret: false,
    help: 'Test transactions on the same host: no money moves. Switch it off to be paid.',
  }),
  webhookUrl: configField(
    z.optional(z.string().check(z.regex(/^https:\/\/[^/:]+(:443)?\//, 'must be https on port 443'))),
    {
      label: 'Webhook address',
      secret: false,
      help: 'https://…/v1/webhooks/bpoint/<reseller id>; named with each payment.',
    },
  ),
});

export type BpointSettings = z.output<typeof settings>;
export type BpointRole = 'api' | 'script';

const debit: DebitScheme = {
  scheme: 'bank',
  title: 'Direct Debit',
  currency: 'AUD',
  settlesInDays: 3,
  once: true,
  fields: [
    { name: 'accountHolderName', required: true },
    { name: 'routingNumber', required: true, min: 6 },
    { name: 'bankAccountNumber', required: true, min: 5 },
  ],
  mandate: {
    version: 'bpoint-1',
    text: 'You request and authorise {company} to arrange, through its own financial institution, for any amount that {company} may debit or charge you to be debited through the Bulk Electronic Clearing System from the account specified above, and you confirm that you may authorise debits from it.',
  },
};

const authKey = z.string().check(z.regex(/^[A-Za-z0-9-]{8,100}$/));

const patient = { firstMs: 60_000, factor: 2, mostMs: 24 * 60 * 60_000 } as const;
const scan = lookupBy('scan', {
  // Test mode alone may take 50 s to answer.
  firstMs: 60_000,
  pause: patient,
});

const day = 24 * 60 * 60_000;

export const manifest = defineGateway({
  code: 10,
  id: 'bpoint',
  displayName: 'BPOINT',
  docs: 'https://www.bpoint.com.au/developers',
  apiVersion: 'v5',
  integrationType: 'BPOINT',
  roles: {
    api: { production: 'https://www.bpoint.com.au/rest/v5', underBase: '/bpoint/rest/v5' },
    script: {
      production: 'https://www.bpoint.com.au/rest/clientscripts/api.js',
      underBase: '/bpoint/rest/clientscripts/api.js',
    },
  },
  capabilities: {
    entry: {
      card: [
        { how: 'providerFields', pci: 'A' },
        { how: 'ownFieldsToProvider', pci: 'A-EP' },
      ],
      bank: [{ how: 'ownFieldsToProvider', pci: 'A-EP' }],
    },
    currencies: 'any',
    vault: {
      owner: 'ours',
      list: [],
      update: ['expMonth', 'expYear', 'name'],
      updateBank: [],
      remove: 'remote',
    },
    oneOff: 'direct',
    settles: { card: 'atOnce', bank: 'later' },
    refund: { when: 'any', partial: true, voidBefore: false },
    repeat: 'charges',
    lookup: [
      lookupBy('remote', {
        firstMs: 0,
        pause: { firstMs: 4_000, factor: 2, mostMs: 6 * 60 * 60_000 },
      }),
      scan,
    ],
    refundLookup: [scan],
    events: ['unsignedWebhook'],
    // A returned debit is told by no event that can be believed.
    recheckMs: { bank: [3 * day, 7 * day, 30 * day] },
    answerWithinMs: 65_000,
  },
  saved: {
    paths: {
      cards: '/v1/ec/bpoint/cards',
      accounts: '/v1/ec/bpoint/cards',
      defaultSource: '/v1/ec/bpoint/customer-default-source',
    },
    token: /^[A-Za-z0-9-]{8,100}$/,
    cardFields: [
      { name: 'cardHolder', required: true },
      { name: 'email', required: false },
    ],
    askedByProvider: { providerFields: ['cardHolder'] },
    debits: { 1: debit },
    bodies: (['cards', 'accounts'] as const).map((at) => ({
      at,
      // https://…/cards: the auth keys that the browser has attached methods to; one is used.
      members: {
        authKeys: z.optional(z.union([authKey, z.array(authKey).check(z.minLength(1), z.maxLength(1))])),
      },
      read({ authKeys }: Readonly<Record<string, unknown>>) {
        const [key] = [authKeys].flat();
        return typeof key === 'string' ? { entryRemote: key } : undefined;
      },
    })),
    entryPaths: [
      {
        method: 'POST',
        path: '/v1/ec/bpoint/cards/tokenize',
        for: 'save',
        // Whose it is is known; `token` is one of the saved methods as they are shown.
        members: {
          crn1: z.optional(z.string().check(z.maxLength(50))),
          emailAddress: z.optional(z.string().check(z.maxLength(320))),
          token: z.optional(z.uuid()),
        },
        savedMember: 'token',
        emailMember: 'emailAddress',
        present: (action): Readonly<Record<string, string>> =>
          action.do === 'browser' ? { authKey: action.config['authkey'] ?? '' } : {},
      },
    ],
    present({ id, kind, show }): Record<string, Record<string, string>> {
      if (kind === 'bank')
        return {
          bPointBankAccount: { bsb: show['routing'] ?? '', account: show['number'] ?? '', token: id },
        };
      return {
        bPointCard: {
          scheme: show['brand'] ?? '',
          number: show['number'] ?? '',
          name: show['name'] ?? '',
          emailAddress: show['email'] ?? '',
          // Ours: the provider's own opens the vault.
          token: id,
        },
      };
    },
  },
  config: settings,
  csp: { script: ['script'], frame: ['script', 'api'], connect: ['api'] },
  publicConfig: (_config, addresses) => ({ scriptUrl: addresses.script }),
  // Test and live transactions run on the same host with the same keys; the settings tell.
  keyMode: ({ testMode }) => (testMode === false || testMode === 'false' ? 'live' : 'test'),
});
