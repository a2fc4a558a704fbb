/** Moneris' test data: on its test host amounts decide what an issuer says. */
import type { CasesData, DeclinedMethod, TestAccount, TestMethod } from '../cases/data.ts';
import type { Decline } from '../port/gateway.ts';

const visa = ['4242', '4242', '4242', '4242'].join('');
const year = `${new Date().getUTCFullYear() + 3}`;
const beside = { expirationDate: `${year}-09` };

/** A key as the hosted frame makes it; here the store makes it itself, which no browser could. */
async function temporaryKey({ settings, addresses, fetch }: TestAccount, number: string): Promise<string> {
  const { storeId, apiToken } = settings;
  const expdate = `${year.slice(2)}09`;
  const body = `<?xml version="1.0"?><request><store_id>${storeId}</store_id><api_token>${apiToken}</api_token><res_temp_add><pan>${number}</pan><expdate>${expdate}</expdate><crypt_type>7</crypt_type><duration>900</duration></res_temp_add></request>`;
  const answer = await fetch(addresses['apiTest'] ?? '', { method: 'POST', body });
  const [, key = 'ot-none'] = /<DataKey>(ot-\w+)<\/DataKey>/.exec(await answer.text()) ?? [];
  return key;
}

const card = (number: string, minor?: bigint): TestMethod => ({
  kind: 'card',
  ...(minor === undefined ? {} : { minor }),
  once: async (account) => ({ token: await temporaryKey(account, number), beside }),
});

const text = 'Your card was declined';
const rows: readonly (readonly [string, bigint, string, Decline['class'], string])[] = [
  ['generic', 106n, '050/06', 'otherMethod', text],
  ['honour', 105n, '481/05', 'otherMethod', text],
  ['funds', 151n, '481/51', 'retryLater', text],
  ['expired', 154n, '482/54', 'fixInput', 'Your credit card has expired. Please add a new one and try again'],
  ['do-not-retry', 150n, '421/57', 'otherMethod', 'Your card was declined. Please use another card'],
  ['pick-up', 104n, '421/04', 'otherMethod', 'Your card was declined. Please use another card'],
  ['call', 101n, '483/02', 'otherMethod', 'Please contact your bank'],
  ['system', 109n, '078/09', 'retryLater', 'Please try again in a few minutes'],
  ['always', 5_500n, '421/41', 'otherMethod', 'Your card was declined. Please use another card'],
];
const declines: readonly DeclinedMethod[] = rows.map(([name, minor, code, kind, words]) => ({
  name,
  method: card(visa, minor),
  savable: true,
  why: { code, class: kind, text: words },
}));

export const casesData: CasesData = {
  good: card(visa),
  declines,
  decline: 'funds',
  spoil: (settings) => ({ ...settings, apiToken: 'nobody' }),
  change: () => ({ expMonth: '11', expYear: `${new Date().getUTCFullYear() + 5}`, phone: '4165550199' }),
  sandbox: {
    settings: {
      environment: 'test',
      storeId: 'sim-cases',
      apiToken: 'sim-token',
      profileId: 'ht-cases',
      currency: 'CAD',
      cryptType: '7',
      verifiesCards: true,
      sendsCode: true,
      sendsAddress: false,
      descriptor: '',
    },
  },
  proves: {
    'keys-refused': [5],
    'pay-once': [9, 27, 32],
    'decline-honour': [11],
    'decline-expired': [12],
    'decline-do-not-retry': [13],
    'decline-always': [15],
    repeat: [10],
    'find-ref': [22],
    'find-replay': [10],
    'refund-whole': [20],
    'refund-parts': [18],
    save: [6],
    'pay-saved': [25],
    edit: [7],
    remove: [6, 8],
  },
  notChecked: [
    'The hosted frame: its messages, how long its keys live, and its demands on the Content-Security-Policy.',
    'A posted number and its security code.',
    'A status check after a request that was cut.',
    'A batch that closes in the evening, after which a payment is refunded and no longer voided.',
  ],
};
