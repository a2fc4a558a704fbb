import * as z from 'zod/mini';
import { lookupBy } from '../port/capabilities.ts';
import { configField, defineGateway } from '../port/define-gateway.ts';
import type { DebitScheme, SavedMethodsManifest } from '../port/saved-manifest.ts';

const seconds = 1_000;
const minutes = 60 * seconds;
const days = 24 * 60 * minutes;

/** The vendor names no time limit; its clients wait this long. */
export const answerWithinMs = 30 * seconds;
/** An approval that is only found by asking may still be voided by the gateway: it is asked for again after this. */
export const confirmAfterMs = 10 * minutes;
/** The form of the hosted page is good for this long. */
export const entryLivesMs = 30 * minutes;

const named = (what: string) =>
  z.string().check(z.trim(), z.regex(/^[\w.@-]{1,50}$/, `must be ${what}: letters, digits, . @ - _`));
const filled = () => z.string().check(z.trim(), z.minLength(1, 'must not be empty'));

const settings = z.object({
  environment: configField(z._default(z.enum(['live', 'test']), 'live'), {
    label: 'Environment',
    secret: false,
    help: 'live, or test for terminals of the provider’s test gateway.',
  }),
  terminalId: configField(named('a terminal'), { label: 'Terminal for cards', secret: false }),
  achTerminalId: configField(z.optional(named('a terminal')), {
    label: 'Terminal for bank accounts (ACH)',
    secret: false,
    help: 'Without it, or without the Reporting service, bank accounts are not offered: what a bank returns would not be known.',
  }),
  password: configField(z.optional(filled()), {
    label: 'Password of the terminals',
    secret: true,
    help: 'Only where one was arranged with the provider.',
  }),
  mid: configField(named('a MID'), { label: 'MID of the hosted page', secret: false }),
  customerId: configField(named('a customer id'), { label: 'CustomerId of the hosted page', secret: false }),
  securityKey: configField(filled(), {
    label: 'SecurityKey of the hosted page',
    secret: true,
    help: 'Signs what is posted to the page and what it posts back.',
  }),
  reportingMerchantId: configField(z.optional(named('a merchant id')), {
    label: 'MerchantID of the Reporting service',
    secret: false,
    help: 'Tells returns of bank debits and chargebacks. It is not the MID.',
  }),
  reportingPassword: configField(z.optional(filled()), {
    label: 'Password of the Reporting service',
    secret: true,
  }),
});

export type IppaySettings = z.output<typeof settings>;
export type IppayRole = 'api' | 'apiTest' | 'hpp' | 'hppTest' | 'report' | 'reportTest';

/** Reads what became of bank debits and of cards that were charged back. */
export const REPORTING = 'reporting';
export const hasReporting = ({ reportingMerchantId, reportingPassword }: IppaySettings): boolean =>
  reportingMerchantId !== undefined && reportingPassword !== undefined;

const ach: DebitScheme = {
  scheme: 'ach',
  title: 'ACH',
  currency: 'USD',
  settlesInDays: 4,
  once: true,
  fields: [{ name: 'accountHolderName', required: true, max: 50 }],
  mandate: {
    version: 'ippay-1',
    text: 'You authorise {company} to debit the bank account you enter for what you owe it now and, if you save the account, for later invoices, by the Automated Clearing House (ACH). You may withdraw this by removing the account here or by telling {company}. You confirm that you may authorise debits from this account.',
  },
};

const saved: SavedMethodsManifest = {
  paths: {
    cards: '/v1/ec/ippay/cards',
    accounts: '/v1/ec/ippay/cards',
    defaultSource: '/v1/ec/ippay/cards',
  },
  // As long as what it stands for, with letters in the middle and its last four digits at the end.
  token: /^(?=.*[A-Za-z])[0-9A-Za-z]{5,30}$/,
  cardFields: [],
  entryPaths: [
    { method: 'GET', path: '/v1/ec/ippay/cards/:type/templates', for: 'save' },
    { method: 'GET', path: '/v1/ec/ippay/pay/bulk-template/:sessionId', for: 'session' },
    { method: 'GET', path: '/v1/ec/pay/:token/template', for: 'link' },
  ],
  debits: { 1: ach },
  present({ kind, show }): Readonly<Record<string, Readonly<Record<string, string>>>> {
    const { brand = '', number = '' } = show;
    return kind === 'card'
      ? { ipPayCard: { type: brand, number } }
      : { ipPayBankAccount: { accNum: number } };
  },
};

/** By our reference, any number of times; on the terminal that was charged. */
const enquiry = lookupBy('ref', {
  firstMs: 30 * seconds,
  validMs: 90 * days,
  pause: { firstMs: 30 * seconds, factor: 2, mostMs: 10 * minutes },
});

export const manifest = defineGateway<IppayRole, typeof settings>({
  code: 4,
  id: 'ippay',
  displayName: 'IPpay',
  docs: 'https://www.ippay.com',
  apiVersion: '1-1-9.1',
  integrationType: 'IPpay',
  roles: {
    api: { production: 'https://gtwy.ippay.com/ippay', underBase: '/ippay/ippay' },
    apiTest: { production: 'https://testgtwy.ippay.com/ippay', underBase: '/ippay/ippay' },
    // The provider tells the address of a live page with its keys: GATEWAY_URL_IPPAY_HPP.
    hpp: { production: 'https://hpp.ippay.com', underBase: '/ippay/hpp' },
    hppTest: { production: 'https://hpp-test.ippay.com', underBase: '/ippay/hpp' },
    report: { production: 'https://rpt.ippay.com/ippayReport', underBase: '/ippay/ippayReport' },
    reportTest: { production: 'https://rpt-test.ippay.com/ippayReport', underBase: '/ippay/ippayReport' },
  },
  capabilities: {
    entry: { card: [{ how: 'providerFrame', pci: 'A' }], bank: [{ how: 'providerFrame', pci: 'A' }] },
    currencies: ['USD'],
    vault: { owner: 'ours', list: [], update: ['expMonth', 'expYear'], remove: 'local' },
    oneOff: 'direct',
    settles: { card: 'atOnce', bank: 'later' },
    refund: { when: 'any', partial: true, voidBefore: true },
    repeat: 'refused',
    lookup: [
      enquiry,
      lookupBy('replay', {
        // The same TransactionID once more, after two look-ups that knew nothing of it. The adapter asks again right before.
        firstMs: 90 * seconds,
        validMs: 30 * minutes,
        pause: { firstMs: 60 * seconds, factor: 2, mostMs: 10 * minutes },
      }),
    ],
    refundLookup: [
      enquiry,
      lookupBy('scan', {
        needs: REPORTING,
        firstMs: 60 * minutes,
        validMs: 90 * days,
        pause: { firstMs: 60 * minutes, factor: 2, mostMs: 24 * 60 * minutes },
      }),
    ],
    events: ['poll'],
    // A card: for a void that the gateway makes by itself. An account: its bank may return a debit for sixty days.
    recheckMs: { card: [20 * minutes, 1 * days], bank: [7 * days, 30 * days, 61 * days] },
    answerWithinMs: answerWithinMs + 5 * seconds,
  },
  saved,
  config: settings,
  csp: { script: [], frame: ['hpp', 'hppTest'], connect: [] },
  publicConfig: () => ({}),
  keyMode: ({ environment }) => (environment === 'test' ? 'test' : 'live'),
});
