/** Nexio's test data. What is declined depends on the connected gateway: the provider publishes no table of amounts. */
import { constants, createHmac, createPublicKey, publicEncrypt } from 'node:crypto';
import { parseMoney } from '@counterfoil/domain/money/money.ts';
import type { CasesData, ReadBack, SignedDelivery, TestAccount, TestMethod } from '../cases/data.ts';
import type { Action, BillingOwner, Decline } from '../port/gateway.ts';
import { publicKey } from './sandbox-data.ts';

/** The provider's test number, in parts: no text of the project looks like a card. */
const visa = ['4111', '1111', '1111', '1111'].join('');
const year = String(new Date().getUTCFullYear() + 4);

/** What a page makes of a number: RSAES-PKCS1-v1_5 over its digits. */
function encrypted(number: string, settings: TestAccount['settings']): string {
  const key = Buffer.from(String(settings['publicKey']), 'base64');
  return publicEncrypt(
    { key: createPublicKey({ key, format: 'der', type: 'spki' }), padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(number),
  ).toString('base64');
}

/** Saves a method with the one-time token of a prepared entry, as the provider's frame does. */
async function saved(
  { addresses, fetch }: TestAccount,
  prepared: Action | undefined,
  body: object,
): Promise<{ readonly token: string }> {
  const frame = new URL(prepared?.do === 'frame' ? prepared.url : 'https://none.invalid/');
  const answer = await fetch(`${addresses['apiTest']}/pay/v3/${frame.pathname.split('/').at(-1)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: frame.searchParams.get('token'), ...body }),
  });
  const { token } = (await answer.json()) as { readonly token?: { readonly token: string } };
  return { token: token?.token ?? '00000000-0000-4000-8000-000000000000' };
}

const owner = (postalCode: string) => (): BillingOwner => ({
  name: 'Ana Poe',
  firstName: 'Ana',
  lastName: 'Poe',
  email: 'verification@example.com',
  billing: { line1: '1 Test Street', city: 'Provo', state: 'UT', postalCode, country: 'US' },
});

const card = (minor?: bigint, postalCode = '84601'): TestMethod => ({
  kind: 'card',
  currency: 'USD',
  owner: owner(postalCode),
  ...(minor !== undefined && { minor }),
  once: (account, prepared) =>
    saved(account, prepared, {
      card: {
        encryptedNumber: encrypted(visa, account.settings),
        expirationMonth: '9',
        expirationYear: year,
        cardHolderName: 'Ana Poe',
        securityCode: '111',
      },
    }),
});

const account = (number: string) => ({
  kind: 'bank' as const,
  scheme: 'ach',
  currency: 'USD',
  owner: owner('84601'),
  once: (at: TestAccount, prepared?: Action) =>
    saved(at, prepared, {
      bank: {
        routingNumber: '110000000',
        encryptedBankAccountNumber: encrypted(number, at.settings),
        accountHolderName: 'Ana Poe',
      },
    }),
});

const declined = 'Your card was declined';
/** Of the sandbox alone, but for the postal code. */
const amounts: readonly (readonly [string, bigint, string, Decline['class'], string])[] = [
  ['funds', 4_251n, '435/funds', 'retryLater', 'Not enough funds or limit reached'],
  ['pick-up', 4_204n, '435/pick-up', 'otherMethod', declined],
  ['honour', 4_205n, '435', 'otherMethod', declined],
];

/** Signed as the legacy style is, so that it proves nothing of the service. */
function sign(settings: TestAccount['settings'], ref: string, at: Date): SignedDelivery[] {
  const secret = settings['webhookSecret'];
  if (typeof secret !== 'string') return [];
  const text = `{"eventType":"TRANSACTION_CAPTURED","data":{"id":"eyJuYW1lIjoidXNhZXBheSJ9","transactionStatus":"pending","amount":5,"data":{"amount":5,"currency":"USD","customer":{"orderNumber":"${ref}"}}}}`;
  const time = String(at.getTime());
  const v1 = createHmac('sha256', secret).update(`${time}.${text}`).digest('hex');
  const headers = new Headers({ 'nexio-signature': `t=${time},v1=${v1}` });
  return [{ raw: Buffer.from(text), headers }];
}

const readBack: ReadBack = {
  async taken(ref, { addresses, fetch, settings }) {
    const login = Buffer.from(`${settings['username']}:${settings['password']}`).toString('base64');
    const filter = new URLSearchParams({ 'customer.orderNumber': ref });
    const answer = await fetch(`${addresses['apiTest']}/transaction/v3?${filter}&customer.`, {
      headers: { authorization: `Basic ${login}` },
    });
    const { rows = [] } = (await answer.json()) as {
      readonly rows?: readonly { readonly transactionStatus: number; readonly amount: number }[];
    };
    return rows
      .filter(({ transactionStatus }) => [10, 20].includes(transactionStatus))
      .map(({ amount }) => parseMoney(String(amount), 'USD').minor);
  },
};

export const casesData: CasesData = {
  good: card(),
  declines: [
    {
      name: 'postal',
      method: card(undefined, '46282'),
      why: { code: '435', class: 'otherMethod', text: declined },
      savable: true,
    },
    ...amounts.map(([name, minor, code, kind, text]) => ({
      name,
      method: card(minor),
      why: { code, class: kind, text },
      // The bank is asked when it pays.
      savable: true as const,
      needs: 'data' as const,
    })),
  ],
  decline: 'postal',
  accounts: [
    {
      ...account('123456789012'),
      isOnce: false,
      hasNoMandate: true,
      returned: [{ ...account('900000000000'), code: 'error' }],
    },
  ],
  spoil: (settings) => ({ ...settings, password: 'nobody' }),
  change: () => ({
    expMonth: '11',
    expYear: String(new Date().getUTCFullYear() + 5),
    name: 'Jo Fox',
    phone: '8015550199',
    line1: '2 New Street',
  }),
  sign,
  readBack,
  sandbox: {
    settings: {
      environment: 'test',
      username: 'cases',
      password: 'sandbox-cases',
      merchantId: '300100',
      publicKey,
      currency: 'USD',
      check3ds: true,
      checkFraud: false,
      verifyCvc: false,
      webhookSecret: 'sandbox-webhook-secret',
    },
    webhookSecret: 'sandbox-webhook-secret',
    eventAbout: (raw) => {
      const { data } = JSON.parse(Buffer.from(raw).toString()) as {
        readonly data: { readonly data: { readonly customer: { readonly orderNumber: string } } };
      };
      return data.data.customer.orderNumber;
    },
  },
  conformance: {
    judgedBy: 'Plain HTTP requests: the provider has no client for this language',
    cases: [
      'a one-time token lives about an hour',
      'a wrong password',
      'a card is saved without credentials',
      'the same one-time token again',
      'a one-time token that has run out: another one for each try',
      'a number encrypted with another key, and none',
      'a wrong check digit',
      'a date that is over',
      'a code that does not match',
      'a code that could not be checked',
      'an account is saved',
      'routing numbers',
      'cards of a customer in pages',
      'a card is changed',
      'a card is removed',
      '42.15 is taken',
      'an unknown token',
      'postal code 46282 is declined',
      'x.51: insufficient funds',
      'authorised and captured',
      'a time-out of the connected gateway: unknown, found later, never paid again',
      'an unknown merchant id',
      'voided once',
      'refunded in parts once settled',
      'read by its id',
      '3-D Secure',
      'an account is debited',
      'a signed webhook',
      'no public key in the browser',
      'a key with line breaks',
      'no number, code, ciphertext or password is kept',
      'an unsigned webhook leads to a look-up only',
      'rows without the objects that were not asked for',
      'a list that never shows the payment',
      'found by the list alone',
      'the frame: nothing reaches our server',
    ],
    unproven: [
      'All shapes and codes of v3, until they were run at the provider.',
      'The search: its filters (order number, date, transaction number), its rows, and how soon it shows a payment.',
      'Whether a payment keeps the `customerRef` that it was sent with where its token was made with another, and whether a row tells it: without it a payment that a restored backup has forgotten waits for a person.',
      'Whether a row tells the id of its payment: without it a payment that was found by a list cannot be refunded here.',
      'The padding of the encryption (PKCS1-v1_5 by the provider’s own sample), and what a used one-time token answers.',
      'The frame in a browser: its messages, whether it asks for the holder’s name too, and its demands on the Content-Security-Policy.',
      '3-D Secure: what its progress says.',
      'Returns of debited accounts, and webhooks of the current style.',
      'Whether the provider checks the check digit of routing numbers.',
    ],
  },
  proves: {
    keys: [1],
    'keys-refused': [2],
    'pay-once': [3, 16],
    'decline-postal': [18],
    'decline-funds': [19],
    save: [3, 11],
    edit: [14],
    remove: [15, 17],
    'debit-ach': [27],
    'find-remote': [25],
    'refund-whole': [23],
    'refund-parts': [24],
    'webhook-signature': [28],
  },
  notChecked: [
    'The frame in a browser: its messages, what it asks for, and its demands on the Content-Security-Policy.',
    'How soon a list shows a payment, and which of its filters work.',
    'Refunds, for no provider can be waited for until it settles.',
    'Webhooks: that they come, and the current style.',
    '3-D Secure: what its progress says.',
  ],
};
