/** Pinch's test data: a code word behind `#` in a payer's first name forces a failure. */
import { createHmac } from 'node:crypto';
import type {
  CasesData,
  DeclinedMethod,
  ReadBack,
  SignedDelivery,
  TestAccount,
  TestMethod,
} from '../cases/data.ts';
import type { Decline } from '../port/gateway.ts';
import type { PinchSettings } from './manifest.ts';

const visa = ['4242', '4242', '4242', '4242'].join('');

/** A token as a page asks for it. */
async function tokenise({ settings, addresses, fetch }: TestAccount, number: string): Promise<string> {
  const { publishableKey } = settings as PinchSettings;
  const answer = await fetch(`${addresses['api']}/test/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      PublishableKey: publishableKey,
      CardNumber: number,
      Cvc: '123',
      ExpiryMonth: 9,
      ExpiryYear: new Date().getUTCFullYear() + 3,
      CardHolderName: 'Ada Example',
    }),
  });
  const { token } = (await answer.json()) as { readonly token?: string };
  return token ?? 'tkn_none';
}

const card = (firstName = 'Ada'): TestMethod => ({
  kind: 'card',
  owner: () => ({ name: `${firstName} Example`, email: 'ada@example.com' }),
  once: async (account) => ({ token: await tokenise(account, visa) }),
});

const text = 'Your card was declined';
const rows: readonly (readonly [code: string, kind: Decline['class'], text: string])[] = [
  ['insufficient-funds', 'retryLater', 'Your card was declined: insufficient funds.'],
  ['temporary-problem', 'retryLater', 'Your bank could not process this payment. Please try again later.'],
  ['blocked-by-bank', 'otherMethod', text],
  ['invalid-card', 'fixInput', 'Please check the card details.'],
  ['unsupported-card', 'otherMethod', 'This card type is not supported. Please use Visa or Mastercard.'],
  ['technical-error', 'retryLater', 'The payment could not be processed. Please try again later.'],
];
const declines: readonly DeclinedMethod[] = rows.map(([code, kind, words]) => ({
  name: code,
  method: card(`#${code}`),
  savable: true,
  why: { code, class: kind, text: words },
}));

function sign(settings: TestAccount['settings'], ref: string, at: Date): SignedDelivery[] {
  const timestamp = `${Math.floor(at.getTime() / 1_000)}`;
  const metadata = { status: 'approved', amount: 500 };
  const payment = { id: `pmt_${ref}`, amount: 500, status: 'approved', metadata: ref };
  const event = { id: `evt_${ref}`, type: 'realtime-payment', metadata, data: { payment } };
  return (settings as PinchSettings).webhookSecrets.map((secret) => {
    const raw = Buffer.from(JSON.stringify(event));
    const signature = createHmac('sha256', secret).update(`${timestamp}.`).update(raw).digest('hex');
    return { raw, headers: new Headers({ 'pinch-signature': `t=${timestamp},v2=${signature}` }) };
  });
}

/** By nonce, with a token of its own: not through the adapter. */
const readBack: ReadBack = {
  async taken(ref, { settings, addresses, fetch }) {
    const { applicationId, secretKey } = settings as PinchSettings;
    const keys = Buffer.from(`${applicationId}:${secretKey}`).toString('base64');
    const granted = await fetch(`${addresses['auth']}/connect/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${keys}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'api1' }),
    });
    const { access_token: token } = (await granted.json()) as { readonly access_token?: string };
    const answer = await fetch(`${addresses['api']}/test/payments/nonce`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'pinch-version': '2020.1',
      },
      body: JSON.stringify({ nonce: ref }),
    });
    const { data } = (await answer.json()) as {
      readonly data?: { readonly amount: number; readonly status: string } | null;
    };
    return data == null || data.status === 'dishonoured' ? [] : [BigInt(data.amount)];
  },
};

export const casesData: CasesData = {
  good: card(),
  declines,
  decline: 'insufficient-funds',
  hasNoDefault: true,
  spoil: (settings) => ({ ...settings, secretKey: 'nobody' }),
  sign,
  isTimed: true,
  readBack,
  sandbox: {
    settings: {
      applicationId: 'app_cases',
      secretKey: 'sk_test_cases',
      publishableKey: 'pk_test_cases',
      currency: 'AUD',
      merchantId: '',
      webhookSecrets: ['whsec_cases_1', 'whsec_cases_2'],
    },
    webhookSecret: 'whsec_cases_2',
    eventAbout(raw) {
      const { Data } = JSON.parse(Buffer.from(raw).toString()) as {
        readonly Data: { readonly Payment?: { readonly Id: string } };
      };
      return Data.Payment?.Id ?? '';
    },
  },
  conformance: {
    judgedBy: 'plain requests as the documentation has them (there is no client for this platform)',
    cases: [
      'good keys: a token for an hour, kept until shortly before its end',
      'a wrong secret: 400, invalid_client',
      'a JSON body for a token: 400',
      'the health of a token: 200, without one 404',
      'a card becomes a token, by names in Pascal case',
      'a wrong publishable key is told in the provider’s words',
      'a page of a portal may ask across origins',
      'a payer needs an address',
      'a payer is made, and changed by its id',
      'a token becomes a card, once',
      'a payer lists its cards',
      'a card is removed once',
      'a saved card is charged',
      'a payer by id and by name: 400 about all three',
      'insufficient-funds: dishonoured under 201, read by its code; no code word in a real text',
      'blocked-by-bank: a general decline',
      'a nonce again: 403 with the first payment, taken or declined',
      'a lost answer is found by nonce',
      'a lost request is not seen, and sent once more',
      'a token that is over is renewed once',
      'a scheduled debit of a bank account: not offered, cards only',
      'a debit processed overnight: not offered, cards only',
      'a debit that the bank dishonours: not offered, cards only',
      'a delivery with a wrong signature, an old one, or one of other bytes is refused',
      'an event has one id, by which it counts once',
      'names in Pascal and camel case are one',
      'a refund is requested, replayed by its nonce, and never more than was taken',
      'a preview of the provider’s fee: not asked for',
      'our fee is in the amount, and the provider’s is never asked for; one that is added is told',
      'a scheduled payment that is deleted: none is scheduled',
      'a card that pays once has a payer of its own, and is removed, though the server dies in between',
    ],
    unproven: [
      'The body of a declined charge: here 201 with the state dishonoured and its code in the last attempt.',
      'How long a nonce is known, and how soon a look-up by it sees a payment; nothing is sent again after an hour.',
      'The end states of a refund: completed is its end here, any other is on its way.',
      'What an event of a dispute carries, and the state of a payment that a dispute took back: dishonoured here.',
      'The list of events: its parameters and pages, and how often a delivery is tried.',
      'Whether a token may be asked for from a portal’s page (CORS) without the version in a header.',
    ],
  },
  proves: {
    'keys-refused': [2],
    'pay-once': [13, 31],
    'decline-insufficient-funds': [15],
    'decline-blocked-by-bank': [16],
    repeat: [17],
    'repeat-declined': [17],
    'find-ref': [18],
    'find-replay': [19],
    'refund-parts': [27],
    'refund-repeat': [27],
    save: [10, 11],
    'pay-saved': [13],
    remove: [12],
  },
  notChecked: [
    'A token that a browser asks for: its demands on CORS and the Content-Security-Policy.',
    'Webhooks as Pinch sends them: that they come, what stands in those of disputes, and how often they are tried.',
    'A refund to its end: it takes days.',
    'How long a nonce is known, and how soon a look-up by it sees a payment.',
  ],
};
