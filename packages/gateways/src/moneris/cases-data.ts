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
  conformance: {
    judgedBy: 'plain requests as the documentation has them (there is no maintained client)',
    cases: [
      'a card is kept behind a key, masked, with its expiry',
      'the same card again has another key',
      'phone and e-mail are echoed',
      'a number with a wrong check digit is not kept',
      'wrong keys: 200, no code, a mistake of the settings',
      'a card is read without its number; a removed one is not',
      'the expiry is changed',
      'a removed card cannot be charged',
      'a purchase is approved under its order id',
      'the same order id again: refused without the result',
      '1.05 is declined, 481',
      '1.54 is an expired card, 482',
      '1.50 is never to be tried again, 421',
      '1.08 is approved, 004',
      '55.00 and 125.00 are always declined',
      'a code that does not match is told beside an approval',
      'an address that matches in part is told',
      'refunds in parts, up to what was taken',
      'a refund of another transaction is refused',
      'a void on the same day, once',
      'after the batch has closed a refund follows the refused void',
      'a lost answer is found by a status check',
      'a lost request: not found, unknown, the same order id once more',
      'nothing, HTML, half an answer: unknown',
      'the issuer’s name of the agreement is handed on',
      'text is escaped',
      'amounts have two decimals',
      'logs show no number, code or key',
      'a late original and the same order id: taken once, held for a person',
      'a status check that times out is not made again',
      'a second status check, or a late one, is a fault',
      'a temporary key pays with its expiry as long as it lives; the number stands in one request',
      'published keys are refused',
    ],
    unproven: [
      'The answer of a status check: its codes and fields, and what is compared beside the order id.',
      'A repeat of an order id after a decline: here it is refused as after an approval.',
      'How a key that the vault does not know is answered: 983 here; a payment asks the vault again before it says so.',
      'How long temporary keys live (15 minutes here), and whether one serves a verification and what follows it.',
      'The hosted frame: its messages and codes, whether its code goes with the key, its demands on CSP and CORS.',
    ],
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
