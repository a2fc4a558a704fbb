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
