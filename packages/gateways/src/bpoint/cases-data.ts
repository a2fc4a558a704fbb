/** BPOINT's test data: the last two digits of an amount are what the bank answers. */
import type { CasesData, DebitedAccount, DeclinedMethod, ReadBack, TestMethod } from '../cases/data.ts';
import type { Action } from '../port/gateway.ts';
import { DEBIT_SETTLES_MS } from './wire.ts';

const visa = ['4987', '6543', '2109', '8769'].join('');

/** Attaches a method to the auth key of a prepared entry, as the provider's script does in a browser. */
const attaches =
  (method: object) =>
  async (account: Parameters<TestMethod['once']>[0], prepared?: Action): Promise<{ token: string }> => {
    const { authkey = '', of = 'txn' } = prepared?.do === 'browser' ? prepared.config : {};
    await account.fetch(`${account.addresses['api']}/${of}s/authkeys/${authkey}/payment-method`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(method),
    });
    return { token: authkey };
  };

const cardOf = (expiry: { month: string; year: string }) => ({
  card: { number: visa, expiry, cvn: '123', name: 'Ana Poe' },
});
/** Debited for three days: so long its bank may return it. */
const account: DebitedAccount = {
  kind: 'bank',
  scheme: 'bank',
  currency: 'AUD',
  minor: 4_200n,
  once: attaches({ bank: { bsb: '062-000', account: '12345678', name: 'Ana Poe' } }),
  isOnce: false,
  hasNoMandate: true,
  settlesMs: DEBIT_SETTLES_MS + 60_000,
  returned: [],
};
const good: TestMethod = { kind: 'card', minor: 4_200n, once: attaches(cardOf({ month: '09', year: '31' })) };
/** A card whose expiry says what the bank answers. */
const forced = (bank: string): TestMethod => ({
  ...good,
  once: attaches(cardOf({ month: '99', year: bank })),
});

const expired = 'Your credit card has expired. Please add a new one and try again';
const declines: readonly (readonly [string, string, string, DeclinedMethod['why']['class'], string])[] = [
  ['generic', '05', '2/05', 'otherMethod', 'Your card was declined'],
  ['funds', '51', '5/51', 'retryLater', 'Insufficient funds'],
  ['expired', '54', '4/54', 'fixInput', expired],
  ['number', '14', '2/14', 'fixInput', 'Please check the card number'],
  ['stolen', '43', '2/43', 'otherMethod', 'Your card was declined'],
];

const readBack: ReadBack = {
  async taken(ref, { addresses, fetch, settings }) {
    const login = `${settings['username']}|${settings['merchantNumber']}:${settings['password']}`;
    const answer = await fetch(`${addresses['api']}/txns/search`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(login).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ merchantReference: ref, numberOfRecords: 50 }),
    });
    const { transactions = [] } = (await answer.json()) as {
      transactions?: readonly { action: string; responseCode: string; amount: number }[];
    };
    return transactions
      .filter(({ action, responseCode }) => action === 'Payment' && responseCode === '0')
      .map(({ amount }) => BigInt(amount));
  },
};

export const casesData: CasesData = {
  good,
  accounts: [account],
  declines: declines.map(([name, bank, code, kind, text]) => ({
    name,
    method: forced(bank),
    why: { code, class: kind, text },
    // A token is made of any card; the bank is asked when it pays.
    savable: true as const,
  })),
  decline: 'funds',
  spoil: (settings) => ({ ...settings, password: 'nobody' }),
  change: () => ({ expMonth: '11', expYear: `${new Date().getUTCFullYear() + 5}`, name: 'Jo Fox' }),
  readBack,
  sandbox: {
    settings: {
      username: 'api',
      merchantNumber: 'cases',
      password: 'sandbox-cases',
      currency: 'AUD',
      testMode: true,
    },
    webhookSecret: 'unsigned',
  },
  conformance: {
    judgedBy: 'Plain HTTP requests: the provider has no client for this language',
    cases: [
      'an auth key with good credentials',
      'a wrong password, and a login without its merchant number',
      'an auth key for a token, and its details with an empty answer',
      'details without crn1 name it',
      'an attached card becomes a token with three last digits',
      'nothing attached: InvalidFlow',
      'processed twice: InvalidFlow, and one token',
      'a bank account becomes a token',
      'a wrong check digit is named',
      'another card behind the same token',
      'a token is read, an unknown one is not',
      'tokens in pages',
      'a removed token cannot be attached',
      '4200 is approved',
      '4251: insufficient funds',
      '4254: expired',
      '4205: declined',
      '4208 and 4216 are approved',
      'expiry 99/33: expired',
      'security code 987: not matched, 05',
      'a slow one is carried out and found by its reference',
      'refunds up to the whole',
      'a refund of what is unknown: PT_R1',
      'reversals of the whole, once',
      'no surcharge is sent',
      'responseCode 6 is unknown',
      'a webhook address that is not https is refused',
      'no number, security code or password is kept',
    ],
    unproven: [
      'All shapes, names and codes of v5, until they were run at the provider.',
      'How soon a search shows a transaction, and its filters.',
      'InvalidFlow for an auth key that was processed, and how long one lives.',
      'How a debit that the bank returns appears.',
      'The script in a browser, and its demands on the Content-Security-Policy.',
    ],
  },
  proves: {
    'keys-refused': [2],
    'pay-once': [14],
    'decline-funds': [15],
    'decline-expired': [16, 19],
    'decline-generic': [17],
    save: [5, 11],
    edit: [10],
    remove: [13],
    'refund-parts': [22],
  },
  notChecked: [
    'The provider’s fields in a browser, and its demands on the Content-Security-Policy.',
    'How soon a search shows a payment, and how a returned debit appears.',
    'Webhooks: they are hints only, and that they come.',
  ],
};
